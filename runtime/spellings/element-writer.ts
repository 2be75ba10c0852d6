import { getField } from "../base/own-fields.js";
import type { FieldPiece, Piece } from "../frames/spelling.js";
import { cannotWrite } from "./cannot-write.js";
import { escapeCharacters } from "./character-references.js";
import { maxNameLength } from "./element-scanner.js";
import { requiredFields, type ElementShape, type ElementSpelling } from "./element-shapes.js";

/** Maximum nesting depth when writing. */
const maxElementDepth = 1_000;

/**
 * Writes a message body as its element, exactly as described.
 *
 * @param path JSON Pointer to the body, for errors.
 * @throws EncodeError with the path of a value that is missing or has the wrong type.
 */
export function writeElement(body: unknown, shape: ElementShape, path: string, depth = 0): string {
  if (depth > maxElementDepth) cannotWrite("elements: they are nested too deeply", path);
  refuseOthers(body, shape.fields, path);
  const there = shape.fields.filter((name) => has(body, name));
  const spelling =
    shape.spellings.find(
      ({ fields, required }) =>
        required.every((name) => has(body, name)) && there.every((name) => fields.includes(name)),
    ) ?? shape.spellings[0]!;
  return writeElementPieces(spelling.pieces, spelling, body, shape, path, depth);
}

/** Writes an element that is not part of the protocol, on a single line. */
export function writeUnknownElement(name: unknown, body: unknown, path: string, depth = 0): string {
  if (!isName(name) || depth > maxElementDepth)
    return cannotWrite(`an element called "${show(name)}"`, path, "ERR_ENCODE_NAME");
  refuseOthers(body, ["element", "attributes", "text", "elements"], path);
  const attributes = getField(body, "attributes") ?? {};
  const text = getField(body, "text");
  const elements = getField(body, "elements") ?? [];
  if (typeof attributes !== "object" || !Array.isArray(elements))
    return cannotWrite("a value that is not an element", path);
  const spelled = Object.entries(attributes).map(([key, value]) => {
    if (isName(key))
      return ` ${key}="${escapeOnLine(textOfValue(value, `${path}/attributes/${key}`))}"`;
    const what = `an attribute called "${show(key)}"`;
    return cannotWrite(what, `${path}/attributes`, "ERR_ENCODE_NAME");
  });
  const inside = elements.map((each: unknown, index) => {
    const elementPath = `${path}/elements/${index}`;
    return writeUnknownElement(getField(each, "element"), each, elementPath, depth + 1);
  });
  const start = `<${name}${spelled.join("")}`;
  if (text === undefined && elements.length === 0) return `${start}/>`;
  const content = text === undefined ? "" : escapeOnLine(textOfValue(text, `${path}/text`));
  return `${start}>${content}${inside.join("")}</${name}>`;
}

function isName(name: unknown): name is string {
  return (
    typeof name === "string" && name.length <= maxNameLength && /^[A-Za-z_][\w.:-]*$/.test(name)
  );
}

/** Formats a value for an error message. */
function show(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxNameLength) : typeof value;
}

function textOfValue(value: unknown, path: string): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  return cannotWrite("a value that is not a string", path);
}

/**
 * Escapes text so that the element stays on one line: an unknown element is recognised only if it
 * ends on the line on which it starts.
 */
function escapeOnLine(text: string): string {
  return escapeCharacters(text).replaceAll("\n", "&#10;");
}

function writeElementPieces(
  pieces: readonly Piece[],
  spelling: ElementSpelling,
  body: unknown,
  shape: ElementShape,
  path: string,
  depth: number,
): string {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else if ("field" in piece) {
      text +=
        spelling.children?.some(({ field }) => field === piece.field) === true
          ? writeChildren(body, piece.field, shape, path, depth)
          : writeElementField(piece, spelling, body, path);
    } else if (requiredFields(piece.optional).every((name) => has(body, name))) {
      text += writeElementPieces(piece.optional, spelling, body, shape, path, depth);
    }
  }
  return text;
}

function writeChildren(
  body: unknown,
  field: string,
  shape: ElementShape,
  path: string,
  depth: number,
): string {
  const child = [...shape.childShapes.values()].find((each) => each.field === field)!;
  const value = getField(body, field);
  if (child.isSingle)
    return value === undefined
      ? ""
      : writeElement(value, child.shape, `${path}/${field}`, depth + 1);
  const list = value ?? [];
  if (!Array.isArray(list)) return cannotWrite("a value that is not an array", `${path}/${field}`);
  return list
    .map((each: unknown, index) =>
      writeElement(each, child.shape, `${path}/${field}/${index}`, depth + 1),
    )
    .join("");
}

function writeElementField(
  { field }: FieldPiece,
  spelling: ElementSpelling,
  body: unknown,
  path: string,
): string {
  const value = getField(body, field);
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    return cannotWrite(`a ${spelling.tag} element without its ${field}`, `${path}/${field}`);
  const isRaw = Object.values(spelling.attributes).some(
    (attribute) => attribute.field === field && attribute.raw !== undefined,
  );
  return isRaw ? String(value) : escapeCharacters(String(value));
}

function has(body: unknown, field: string): boolean {
  const value = getField(body, field);
  return value !== undefined && value !== null;
}

/**
 * Rejects values that the notation cannot express.
 *
 * @throws EncodeError with the path of the first such value.
 */
function refuseOthers(values: unknown, fields: readonly string[], path: string): void {
  if (typeof values !== "object" || values === null) return;
  for (const [field, value] of Object.entries(values))
    if (value !== undefined && value !== null && !fields.includes(field))
      cannotWrite(`"${field.slice(0, 100)}": it is not allowed here`, `${path}/${field}`);
}

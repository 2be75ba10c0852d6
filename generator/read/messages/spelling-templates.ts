import { statedFields } from "../../base/stated-fields.js";
import type { AttributeSpelling, ElementSpelling, FieldForm, Piece } from "../../model/notation.js";
import { flattenProperties } from "../../model/properties.js";
import { resolve } from "../../model/queries.js";
import type { Definition, Definitions, Property, Type } from "../../model/types.js";

/** Thrown for an invalid template. */
export class TemplateFault extends Error {}

/** A field in a template: `{name}` or `{name:form}`. */
interface NamedField {
  readonly field: string;
  readonly form: string | undefined;
}

type TemplatePiece = string | NamedField | { readonly optional: readonly TemplatePiece[] };

/**
 * Parses a template that consists of fixed text, `{field:form}` and `(...)?`. @throws TemplateFault
 */
function parseTemplate(template: string): readonly TemplatePiece[] {
  const tokens = template.split(/(\{[^{}]*\}|\((?=[^()]*\)\?)|\)\?)/).filter((part) => part !== "");
  const read = (isInside: boolean): TemplatePiece[] => {
    const pieces: TemplatePiece[] = [];
    for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
      if (token === ")?") {
        if (!isInside) throw new TemplateFault('there is a ")?" without its "("');
        return pieces;
      }
      const named = /^\{([^:{}]+)(?::([a-z0-9-]+))?\}$/.exec(token);
      if (token === "(") pieces.push({ optional: read(true) });
      else if (named !== null) pieces.push({ field: named[1]!, form: named[2] });
      else if (token.startsWith("{")) throw new TemplateFault(`${token} is not a field`);
      else pieces.push(token);
    }
    return pieces;
  };
  return read(false);
}

/** Expands the optional parts of words, longest first: `b(reak)?` yields `break` and `b`. */
export function readWords(words: readonly string[]): readonly string[] {
  const spell = (pieces: readonly TemplatePiece[]): readonly string[] =>
    pieces.reduce<readonly string[]>(
      (heads, piece) => {
        if (typeof piece === "string") return heads.map((head) => head + piece);
        if ("field" in piece) throw new TemplateFault(`a word cannot contain {${piece.field}}`);
        const tails = [...spell(piece.optional), ""];
        return tails.flatMap((tail) => heads.map((head) => head + tail));
      },
      [""],
    );
  return [...new Set(words.flatMap((word) => spell(parseTemplate(word))))];
}

/**
 * Reads the template for a command's arguments.
 *
 * @param definition The command's parameters. Undefined if it has none.
 * @throws TemplateFault if the template's fields differ from those in the definition.
 */
export function readArguments(
  template: string,
  definition: Definition | undefined,
  definitions: Definitions,
): readonly Piece[] {
  const properties = propertiesOf(definition, definitions);
  const pieces = parseTemplate(template);
  checkFields(pieces, properties, true);
  return pieces.map((piece) => commandPiece(piece, properties, definitions));
}

const lineForms: readonly string[] = ["word", "place", "file-line", "code", "base64"];

function commandPiece(
  piece: TemplatePiece,
  properties: ReadonlyMap<string, Property>,
  definitions: Definitions,
): Piece {
  if (typeof piece === "string") return piece;
  if ("optional" in piece)
    return { optional: piece.optional.map((each) => commandPiece(each, properties, definitions)) };
  const { field, form } = piece;
  const type = resolve(definitions, properties.get(field)!.type);
  const { form: own, values } = formOf(type, field, definitions);
  if (form === undefined) return statedFields({ field, form: own, values });
  if (own !== "text" || !lineForms.includes(form))
    throw new TemplateFault(`{${field}} cannot have the form "${form}"`);
  return { field, form: form as FieldForm };
}

/**
 * Reads an XML element's template. @throws TemplateFault if the template does not match the
 * definition.
 */
export function readElementTemplate(
  template: string,
  definition: Definition,
  definitions: Definitions,
): ElementSpelling {
  const properties = propertiesOf(definition, definitions);
  const pieces = parseTemplate(template);
  checkFields(pieces, properties, false);
  const tag = /^<([A-Za-z_][\w.:-]*)/.exec(template)?.[1];
  if (tag === undefined) throw new TemplateFault("it does not start with an element");
  const attributes: Record<string, AttributeSpelling> = {};
  let content: Pick<ElementSpelling, "text" | "children"> = {};
  let before = "";
  const visit = (list: readonly TemplatePiece[], isOptional: boolean, nextText: string): Piece[] =>
    list.map((piece, index): Piece => {
      if (typeof piece === "string") {
        before += piece;
        return piece;
      }
      if ("optional" in piece) {
        const next = list[index + 1];
        return {
          optional: visit(piece.optional, true, typeof next === "string" ? next : nextText),
        };
      }
      const { field, form: noted } = piece;
      const given = properties.get(field)!.type;
      const attribute = /([A-Za-z_][\w.:-]*)=["']$/.exec(before)?.[1];
      if (attribute === undefined) {
        const { text = content.text, children = [] } = contentOf(field, given, before, definitions);
        const all = [...(content.children ?? []), ...children];
        content = statedFields({ text, children: all.length === 0 ? undefined : all });
        return { field, form: "text" };
      }
      const next = list[index + 1];
      const isRaw = noted === "raw";
      if (noted !== undefined && !isRaw)
        throw new TemplateFault(`{${field}} cannot have the form "${noted}"`);
      const { form } = formOf(resolve(definitions, given), field, definitions);
      attributes[attribute] = statedFields({
        field,
        form,
        required: !isOptional,
        raw: isRaw ? (typeof next === "string" ? next : nextText).slice(1) : undefined,
      });
      return { field, form };
    });
  const spelled = visit(pieces, false, "");
  return { tag, attributes, ...content, pieces: spelled };
}

function contentOf(
  field: string,
  given: Type,
  before: string,
  definitions: Definitions,
): Pick<ElementSpelling, "text" | "children"> {
  const type = resolve(definitions, given);
  if (type.kind === "object" && given.kind === "reference")
    return { children: [{ field, definition: given.name, isSingle: true }] };
  if (type.kind === "array") {
    if (type.items.kind !== "reference")
      throw new TemplateFault(
        `{${field}} must be an array whose items all have the same definition`,
      );
    return { children: [{ field, definition: type.items.name }] };
  }
  const { form } = formOf(type, field, definitions);
  const inside = /<([A-Za-z_][\w.:-]*)>(?:<!\[CDATA\[)?$/.exec(before);
  const isChild = inside !== null && inside.index > 0;
  return { text: statedFields({ field, form, inside: isChild ? inside[1] : undefined }) };
}

/**
 * Checks a template's fields. No property may occur twice, and no required property may be missing.
 * A command must contain all properties, with the optional ones in `(...)?`.
 */
function checkFields(
  pieces: readonly TemplatePiece[],
  properties: ReadonlyMap<string, Property>,
  isCommand: boolean,
): void {
  const seen = new Set<string>();
  const visit = (list: readonly TemplatePiece[], isOptional: boolean): void => {
    for (const piece of list) {
      if (typeof piece === "string") continue;
      if ("optional" in piece) {
        visit(piece.optional, true);
        continue;
      }
      const property = properties.get(piece.field);
      if (property === undefined)
        throw new TemplateFault(
          `{${piece.field}} is not a property; known properties: ${[...properties.keys()].join(", ") || "none"}`,
        );
      if (seen.has(piece.field)) throw new TemplateFault(`{${piece.field}} occurs twice`);
      seen.add(piece.field);
      if (isOptional && property.required && isCommand)
        throw new TemplateFault(`{${piece.field}} is required, but is in "(...)?"`);
      if (!isOptional && !property.required && isCommand)
        throw new TemplateFault(`{${piece.field}} is optional, but is not in "(...)?"`);
    }
  };
  visit(pieces, false);
  const missing = [...properties.values()].find(
    ({ name, required }) => !seen.has(name) && (isCommand || required),
  );
  if (missing !== undefined) throw new TemplateFault(`{${missing.name}} is missing`);
}

function propertiesOf(
  definition: Definition | undefined,
  definitions: Definitions,
): ReadonlyMap<string, Property> {
  if (definition === undefined) return new Map();
  if (definition.type.kind !== "object")
    throw new TemplateFault(`"${definition.name}" is not an object`);
  return new Map(
    flattenProperties(definitions, definition.type).map((property) => [property.name, property]),
  );
}

/** Determines the form in which values of a type are written as text. */
function formOf(
  type: Type,
  field: string,
  definitions: Definitions,
): { readonly form: FieldForm; readonly values?: readonly string[] } {
  switch (type.kind) {
    case "string":
      return { form: "text" };
    case "integer":
    case "boolean":
      return { form: type.kind };
    case "literal":
      return { form: "text", values: [String(type.value)] };
    case "enum":
      return type.open
        ? { form: "text" }
        : { form: "text", values: type.values.map(({ value }) => String(value)) };
    case "array":
      if (resolve(definitions, type.items).kind === "integer") return { form: "integers" };
      break;
    case "union": {
      const kinds = type.members.map((each) => resolve(definitions, each).kind).sort();
      if (kinds.join() === "integer,string") return { form: "integer-or-text" };
      break;
    }
  }
  throw new TemplateFault(
    `{${field}} has a type that cannot be written in a template: ${type.kind}`,
  );
}

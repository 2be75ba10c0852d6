import type { Json } from "../../model/types.js";
import { decodedOrSame } from "../source/joined-files.js";
import { joinPointer } from "../source/json-text.js";

/** A reference to a definition, or to a part of one. */
interface DefinitionReference {
  readonly container: string;
  readonly name: string;
  /** The JSON Pointer of the part in the definition. */
  readonly rest: string;
}

/** Reads a reference to a definition in the same file. Returns undefined for other references. */
export function readReference(reference: Json | undefined): DefinitionReference | undefined {
  if (typeof reference !== "string") return undefined;
  const [, container, segment, rest] =
    /^#\/(definitions|\$defs)\/([^/]+)(.*)$/s.exec(reference) ?? [];
  if (segment === undefined) return undefined;
  const name = decodedOrSame(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  return { container: container!, name, rest: rest! };
}

/** Lists the references to definitions in a schema, each with the JSON Pointer of its keyword. */
export function* referencesIn(
  node: Json,
  pointer = "",
): Generator<DefinitionReference & { readonly pointer: string }> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, part] of Object.entries(node) as [string, Json][]) {
    const partPointer = joinPointer(pointer, key);
    const reference = key === "$ref" ? readReference(part) : undefined;
    if (reference !== undefined) yield { ...reference, pointer: partPointer };
    yield* referencesIn(part, partPointer);
  }
}

/** Changes all references in a schema. */
export function withReferences(node: Json, change: (reference: string) => string): Json {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) =>
      key === "$ref" && typeof value === "string" ? change(value) : value,
    ),
  ) as Json;
}

/** Renames definitions in a schema's references. */
export function withNames(node: Json, names: ReadonlyMap<string, string>): Json {
  return withReferences(node, (reference) => {
    const { container, name = "", rest } = readReference(reference) ?? {};
    return names.has(name) ? `#/${container}/${names.get(name)!}${rest}` : reference;
  });
}

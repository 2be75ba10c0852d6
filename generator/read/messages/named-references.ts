import type { Json } from "../../model/types.js";
import type { JsonObject } from "../source/json-text.js";

/** Renames definitions in a schema's references. */
export function withNames(node: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each: Json) => withNames(each, names));
  return Object.fromEntries(
    Object.entries(node as JsonObject).map(([key, each]): [string, Json] => {
      const target = targetOf(key, each);
      const name = target === undefined ? undefined : names.get(target);
      return name === undefined
        ? [key, withNames(each, names)]
        : [key, `${String(each).slice(0, -target!.length)}${name}`];
    }),
  );
}

/** Lists the names of the definitions that a schema references. */
export function* namesIn(node: Json): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, each] of Object.entries(node)) {
    const target = targetOf(key, each as Json);
    if (target !== undefined) yield target;
    yield* namesIn(each as Json);
  }
}

function targetOf(key: string, value: Json): string | undefined {
  return key === "$ref" && typeof value === "string" && value.startsWith("#")
    ? value.split("/").at(-1)
    : undefined;
}

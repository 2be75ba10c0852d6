import type { Json } from "../../model/types.js";
import type { JsonObject } from "../source/json-text.js";

/** Renames definitions in a schema's references. */
export function withNames(node: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each: Json) => withNames(each, names));
  return Object.fromEntries(
    Object.entries(node as JsonObject).map(([key, each]): [string, Json] => {
      const target = targetOf(key, each);
      const name = target === undefined ? undefined : names.get(target.name);
      return name === undefined
        ? [key, withNames(each, names)]
        : [key, `${target!.before}${name}${target!.after}`];
    }),
  );
}

/** Lists the names of the definitions that a schema references. */
export function* namesIn(node: Json): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, each] of Object.entries(node)) {
    const target = targetOf(key, each as Json);
    if (target !== undefined) yield target.name;
    yield* namesIn(each as Json);
  }
}

interface Target {
  readonly name: string;
  /** The reference before and after the name: it may refer to a part of the definition. */
  readonly before: string;
  readonly after: string;
}

function targetOf(key: string, value: Json): Target | undefined {
  if (key !== "$ref" || typeof value !== "string") return undefined;
  const [, before, name, after] = /^(#\/(?:definitions|\$defs)\/)([^/]+)(.*)$/s.exec(value) ?? [];
  return name === undefined ? undefined : { name, before: before!, after: after! };
}

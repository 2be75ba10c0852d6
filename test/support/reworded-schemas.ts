import { readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { [key: string]: Json };

const description = readFileSync(fromRoot("schema/dap/protocol.json"), "utf8");

/** Lists definitions that neither the description nor any message mentions. */
export function freeDefinitions(schema: Schema): readonly string[] {
  const isMessage = /(Request|Response|Event|ProtocolMessage)$/;
  return Object.keys(schema["definitions"] as object).filter(
    (name) => !isMessage.test(name) && !new RegExp(`"${name}["/]`).test(description),
  );
}

export function isRecursive(definitions: { [name: string]: Schema }, name: string): boolean {
  const seen = new Set<string>();
  const visit = (each: string): void => {
    for (const [, target] of JSON.stringify(definitions[each]).matchAll(/"#\/definitions\/(\w+)"/g))
      if (!seen.has(target!)) {
        seen.add(target!);
        visit(target!);
      }
  };
  visit(name);
  return seen.has(name);
}

export function shuffled(node: Json, random: () => number): Json {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => shuffled(each, random));
  const entries = Object.entries(node).map(([key, each]): [string, Json] => {
    const isSet = key === "required" || (key === "type" && Array.isArray(each));
    const value = shuffled(each, random);
    return [key, isSet && Array.isArray(value) ? inDisorder(value, random) : value];
  });
  const object = Object.fromEntries(inDisorder(entries, random));
  const values = object["enum"] ?? object["_enum"];
  if (Array.isArray(values) && values.length > 1) {
    const order = inDisorder([...values.keys()], random);
    for (const key of ["enum", "_enum", "enumDescriptions"]) {
      const list = object[key];
      if (Array.isArray(list)) object[key] = order.map((index) => list[index]!);
    }
  }
  return object;
}

function inDisorder<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item): [number, Item] => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

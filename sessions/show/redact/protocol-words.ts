import type { Protocol } from "../../../generator/model/protocol.js";
import { typesIn } from "../../../generator/model/type-checks.js";

/**
 * Collects a protocol's words in lower case: the names of its messages and properties, and the
 * strings that it defines.
 */
export function protocolWords(protocol: Protocol): ReadonlySet<string> {
  const words = new Set<string>(protocol.roles);
  const add = (word: unknown): void => {
    if (typeof word === "string") words.add(word.toLowerCase());
  };
  for (const { name } of protocol.messages) add(name);
  for (const { type } of protocol.definitions)
    for (const each of typesIn(type)) {
      if (each.kind === "literal") add(each.value);
      else if (each.kind === "enum") for (const { value } of each.values) add(value);
      else if (each.kind === "object") for (const { name } of each.properties) add(name);
    }
  return words;
}

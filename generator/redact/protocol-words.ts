import type { Protocol } from "../model/protocol.js";
import type { Type } from "../model/types.js";

/** The names of messages and properties of a protocol, and the texts that it defines, in small letters. */
export function protocolWords(protocol: Protocol): ReadonlySet<string> {
  const words = new Set<string>(protocol.roles);
  const add = (word: unknown): void => {
    if (typeof word === "string") words.add(word.toLowerCase());
  };
  const addFrom = (type: Type): void => {
    switch (type.kind) {
      case "literal":
        return add(type.value);
      case "enum":
        for (const { value } of type.values) add(value);
        return;
      case "array":
        return addFrom(type.items);
      case "map":
        return addFrom(type.values);
      case "union":
        return type.members.forEach(addFrom);
      case "object":
        for (const property of type.properties) {
          add(property.name);
          addFrom(property.type);
        }
    }
  };
  for (const { name } of protocol.messages) add(name);
  for (const { type } of protocol.definitions) addFrom(type);
  return words;
}

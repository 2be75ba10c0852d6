import type { Type } from "./types.js";

/** A type and the types in it, without those of the definitions that it refers to. */
export function* typesIn(type: Type): Generator<Type> {
  yield type;
  switch (type.kind) {
    case "array":
      return yield* typesIn(type.items);
    case "map":
      return yield* typesIn(type.values);
    case "union":
      for (const member of type.members) yield* typesIn(member);
      return;
    case "object":
      for (const property of type.properties) yield* typesIn(property.type);
  }
}

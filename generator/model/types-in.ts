import { itemTypes, typesOfCheck, unnamedTypes } from "./type-checks.js";
import type { Type } from "./types.js";

/** Lists a type and all types nested in it. Does not follow references to definitions. */
export function* typesIn(type: Type): Generator<Type> {
  yield type;
  for (const check of type.checks ?? [])
    for (const each of typesOfCheck(check)) yield* typesIn(each);
  switch (type.kind) {
    case "array":
      for (const item of itemTypes(type)) yield* typesIn(item);
      return;
    case "map":
      return yield* typesIn(type.values);
    case "union":
      for (const member of type.members) yield* typesIn(member);
      return;
    case "object":
      for (const property of type.properties) yield* typesIn(property.type);
      for (const each of unnamedTypes(type)) yield* typesIn(each);
  }
}

import { isNever } from "../generator/model/type-checks.js";
import type { ArrayType, ObjectType, ReferenceType, Type } from "../generator/model/types.js";
import { isFree } from "./compare/alternatives-in-code.js";
import { StructureMatcher } from "./compare/structure.js";
import type { Side, Versions } from "./compare/side.js";

/** A piece of code, and the definitions that it refers to by name. */
export interface Example {
  readonly text: string;
  readonly names: readonly string[];
}

/** Prints the old version's types as TypeScript where possible. */
export class TypeTexts {
  readonly #before: Side;
  readonly #after: Side;
  readonly #structure: StructureMatcher;
  /** Definitions that are currently being printed inline. */
  readonly #open = new Set<string>();

  constructor({ before, after }: Versions) {
    this.#before = before;
    this.#after = after;
    this.#structure = new StructureMatcher(before, after);
  }

  of(type: Type): Example | undefined {
    switch (type.kind) {
      case "any":
        return { text: "unknown", names: [] };
      case "null":
      case "boolean":
      case "string":
      case "number":
        return { text: type.kind, names: [] };
      case "integer":
        return { text: "number", names: [] };
      case "literal":
        return { text: JSON.stringify(type.value), names: [] };
      case "enum":
        return {
          text: type.open
            ? typeof type.values[0]?.value
            : type.values.map(({ value }) => JSON.stringify(value)).join(" | "),
          names: [],
        };
      case "reference":
        return this.#reference(type);
      case "array":
        if (type.first !== undefined)
          return wrap(joined(this.#tupleParts(type), ", "), (items) => `readonly [${items}]`);
        return wrap(this.of(type.items), (items) => `readonly (${items})[]`);
      case "map":
        return wrap(this.of(type.values), (values) => `Readonly<Record<string, ${values}>>`);
      case "union":
        return joined(
          type.members.map((each) => this.of(each)),
          " | ",
        );
      case "object":
        return this.#object(type);
    }
  }

  /**
   * Prints a reference. Because names refer to the new package's types, a definition that has
   * changed is printed inline instead.
   */
  #reference(type: ReferenceType): Example | undefined {
    const { name } = type;
    const isKept = this.#after.definitions.has(name);
    // A definition that recurs inside its own inline type is printed by name.
    if (isKept && (this.#open.has(name) || this.#structure.isSame(type, type)))
      return { text: name, names: [name] };
    if (this.#open.has(name)) return undefined;
    if (isFree(this.#before, type)) return { text: "object", names: [] };
    this.#open.add(name);
    const text = this.of(this.#before.typeOf(name));
    this.#open.delete(name);
    return text;
  }

  /** Prints the items of a tuple in the same form as a generated package. */
  #tupleParts({
    first = [],
    items,
    minItems = 0,
    maxItems = Infinity,
  }: ArrayType): readonly (Example | undefined)[] {
    const parts = first
      .slice(0, maxItems)
      .map((type, index) =>
        index < minItems ? this.of(type) : wrap(this.of(type), (text) => `(${text})?`),
      );
    const hasRest = !isNever(items) && maxItems > first.length;
    return hasRest ? [...parts, wrap(this.of(items), (text) => `...(${text})[]`)] : parts;
  }

  #object(type: ObjectType): Example | undefined {
    const fields = this.#before
      .propertiesOf(type)
      .map(({ name, required, type: own }) =>
        wrap(this.of(own), (text) => `${JSON.stringify(name)}${required ? "" : "?"}: ${text}`),
      );
    // Print an empty object in the same form as a generated package.
    if (fields.length === 0) return { text: "Readonly<Record<string, unknown>>", names: [] };
    return wrap(joined(fields, "; "), (text) => `{ ${text} }`);
  }
}

export function wrap(
  example: Example | undefined,
  write: (text: string) => string,
): Example | undefined {
  return example === undefined ? undefined : { ...example, text: write(example.text) };
}

function joined(examples: readonly (Example | undefined)[], between: string): Example | undefined {
  const known = examples.filter((each) => each !== undefined);
  if (known.length < examples.length) return undefined;
  const texts = known.map(({ text }) => text);
  return {
    text: (between === " | " ? [...new Set(texts)] : texts).join(between),
    names: known.flatMap(({ names }) => names),
  };
}

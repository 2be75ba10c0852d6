import fc from "fast-check";
import type { Protocol } from "../../generator/model/protocol.js";
import { isNever } from "../../generator/model/type-checks.js";
import type { Definition, Property, Type } from "../../generator/model/types.js";
import { definitionsByName, flattenProperties } from "../../cli/index.js";

/** Creates a source of numbers in [0, 1). The same seed always gives the same numbers. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How many of the optional parts to include. */
export type Fill = "least" | "some" | "all";

/** Creates values of a protocol's types that are valid according to its schema. */
export class Sampler {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly #protocol: Protocol;
  readonly #random: () => number;
  readonly #strings = new Map<string, readonly string[]>();

  constructor(protocol: Protocol, seed: number) {
    this.#protocol = protocol;
    this.definitions = definitionsByName(protocol);
    this.#random = seeded(seed);
  }

  /** Creates a value for a definition. Responses are always successful. */
  sample(name: string, fill: Fill): unknown {
    const value = this.#value({ kind: "reference", name }, fill, 0) as Record<string, unknown>;
    const response = this.#protocol.envelope.response!;
    const answered = this.#protocol.messages.find(
      (each) => each.kind === "request" && each.responseDefinition === name,
    );
    if (name === this.#protocol.bases.error && response.success !== undefined)
      value[response.success] = false;
    if (answered === undefined) return value;
    if (response.success !== undefined) value[response.success] = true;
    else {
      delete value[response.error];
      value[response.result] ??= {};
    }
    if (response.name !== undefined) value[response.name] = answered.name;
    return value;
  }

  properties(name: string): readonly Property[] {
    const type = this.definitions.get(name)!.type;
    return type.kind === "object" ? flattenProperties(this.definitions, type) : [];
  }

  #value(type: Type, fill: Fill, depth: number): unknown {
    switch (type.kind) {
      case "any":
        return this.#pick([null, 1, "any", [1], { deep: { er: true } }]);
      case "null":
        return null;
      case "boolean":
        return this.#random() < 0.5;
      case "string":
        if (type.pattern !== undefined) return this.#pick(this.#matching(type.pattern));
        return "x".repeat(Math.max(type.minLength ?? 0, 1 + Math.floor(this.#random() * 6)));
      case "integer":
      case "number": {
        const { minimum = -1000, maximum = 1000 } = type;
        const inside = Math.min(maximum, Math.max(minimum, Math.floor(this.#random() * 1000)));
        return this.#pick([minimum, maximum, inside, inside]);
      }
      case "literal":
        return type.value;
      case "enum":
        return type.open && this.#random() < 0.3 && typeof type.values[0]!.value === "string"
          ? "of my own"
          : this.#pick(type.values).value;
      case "array": {
        const { first = [], items, minItems = 0 } = type;
        const wanted = Math.max(minItems, fill === "least" || depth > 6 ? 0 : 2);
        const length = isNever(items) ? Math.min(wanted, first.length) : wanted;
        return Array.from({ length }, (_, index) =>
          this.#value(first[index] ?? items, fill, depth + 1),
        );
      }
      case "map":
        return fill === "least" ? {} : { key: this.#value(type.values, fill, depth + 1) };
      case "union":
        return this.#value(this.#pick(type.members), fill, depth);
      case "reference":
        return this.#value(this.definitions.get(type.name)!.type, fill, depth);
      case "object": {
        const value: Record<string, unknown> = {};
        for (const property of flattenProperties(this.definitions, type)) {
          const isThere =
            property.required ||
            (depth < 5 && (fill === "all" || (fill === "some" && this.#random() < 0.5)));
          if (isThere) value[property.name] = this.#value(property.type, fill, depth + 1);
        }
        return value;
      }
    }
  }

  /** Returns strings that match a pattern, or any if none can be made from it. */
  #matching(pattern: string): readonly string[] {
    let strings = this.#strings.get(pattern);
    if (strings === undefined) {
      try {
        strings = fc.sample(fc.stringMatching(new RegExp(pattern, "u")), { seed: 1, numRuns: 20 });
      } catch {
        strings = ["x"];
      }
      this.#strings.set(pattern, strings);
    }
    return strings;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }
}

/** A single fault planted in a valid value. */
export interface Fault {
  readonly definition: string;
  readonly kind: "type" | "required" | "enum" | "literal" | "minimum" | "maximum" | "fraction";
  /** JSON Pointer to the fault. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * Returns every single fault that can be planted in a valid value. At each constrained location,
 * these are a value of another type, a missing value, values below and above the range, a fraction,
 * and an unlisted value.
 */
export function plantFaults(sampler: Sampler, definition: string, valid: unknown): Fault[] {
  const faults: Fault[] = [];
  const planted = (path: readonly string[], kind: Fault["kind"], value: unknown): void => {
    const copy: unknown = structuredClone(valid);
    let holder = copy as Record<string, unknown>;
    for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
    const last = path.at(-1)!;
    if (value === undefined) delete holder[last];
    else holder[last] = value;
    const pointer = path
      .map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
    faults.push({ definition, kind, path: pointer, value: copy });
  };
  const visit = (type: Type, value: unknown, path: readonly string[]): void => {
    switch (type.kind) {
      case "reference":
        visit(sampler.definitions.get(type.name)!.type, value, path);
        return;
      case "boolean":
      case "string":
        planted(path, "type", 5);
        return;
      case "integer":
      case "number":
        planted(path, "type", "five");
        if (type.kind === "integer") planted(path, "fraction", 1.5);
        if (type.minimum !== undefined) planted(path, "minimum", type.minimum - 1);
        if (type.maximum !== undefined) planted(path, "maximum", type.maximum + 1);
        return;
      case "literal":
        return;
      case "enum":
        planted(path, "type", false);
        if (!type.open && typeof type.values[0]!.value === "string")
          planted(path, "enum", `${type.values[0]!.value}x`);
        return;
      case "array":
        planted(path, "type", {});
        (value as unknown[]).forEach((item, index) =>
          visit(type.items, item, [...path, String(index)]),
        );
        return;
      case "map":
        planted(path, "type", []);
        return;
      case "object":
        if (path.length > 0) planted(path, "type", "an object");
        for (const property of flattenProperties(sampler.definitions, type)) {
          const place = [...path, property.name];
          const field = (value as Record<string, unknown>)[property.name];
          if (property.required) planted(place, "required", undefined);
          if (field !== undefined) visit(property.type, field, place);
        }
        return;
      default:
        return;
    }
  };
  visit({ kind: "reference", name: definition }, valid, []);
  return faults;
}

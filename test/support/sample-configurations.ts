import type { Json } from "../../generator/model/types.js";
import { isJsonObject, type JsonObject } from "../../generator/read/source/json-text.js";
import { referredSchema } from "../../launch/schema-parts.js";
import { seeded } from "./sample-values.js";

const texts = [
  "",
  "a",
  "fast",
  "safe",
  "auto",
  "here",
  "/x1",
  "A_B",
  "root",
  "local-host",
  "ünï𝒳",
  "10",
];
const names = ["a", "b", "id", "host", "port", "/x", "/y1", "z9", "A", "B_C", "extra", "kind"];

/** The keywords that samples depend on. */
interface Rules {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly allOf?: readonly JsonObject[];
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly prefixItems?: readonly Json[];
  readonly items?: Json;
  readonly additionalItems?: Json;
  readonly contains?: Json;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: JsonObject;
  readonly required?: readonly string[];
  readonly additionalProperties?: Json;
  readonly propertyNames?: Json;
}

/** Creates values for a schema. Most are valid; some differ from a valid value in one part. */
export class ConfigurationSampler {
  readonly #random: () => number;
  readonly #root: Json;

  constructor(root: Json, seed: number) {
    this.#root = root;
    this.#random = seeded(seed);
  }

  valid(given: Json = this.#root, depth = 0): unknown {
    if (!isJsonObject(given) || depth > 6) return this.any(depth);
    const schema = given as Rules;
    if (schema.$ref !== undefined)
      return this.valid(
        referredSchema(given, (this.#root as JsonObject)["definitions"]),
        depth + 1,
      );
    if (schema.const !== undefined) return structuredClone(schema.const);
    if (schema.enum !== undefined) return structuredClone(this.#pick(schema.enum));
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((each) => this.#object(each as Rules, depth)));
    const members = schema.anyOf ?? schema.oneOf;
    if (members !== undefined && schema.properties === undefined)
      return this.valid(this.#pick(members), depth + 1);
    const type =
      schema.type === undefined
        ? schema.properties === undefined
          ? undefined
          : "object"
        : this.#pick([schema.type].flat());
    switch (type) {
      case "string":
        return this.#text(schema);
      case "integer":
      case "number":
        return this.#number(schema, type === "integer");
      case "boolean":
        return this.#random() < 0.5;
      case "null":
        return null;
      case "array":
        return this.#list(schema, depth);
      case "object":
        return this.#object(schema, depth);
      default:
        return this.any(depth);
    }
  }

  /** Creates any JSON value. */
  any(depth = 0): unknown {
    const kind = Math.floor(this.#random() * (depth > 4 ? 5 : 7));
    if (kind === 0) return this.#pick(texts);
    if (kind === 1) return this.#pick([0, 1, -1, 2, 3, 4, 10, 15, 0.5, 1.5, 9000, 65536, 1e20]);
    if (kind === 2) return this.#random() < 0.5;
    if (kind === 3) return null;
    if (kind === 4) return this.#pick([{ own: true }, { a: [1, 2] }, { id: "x" }, [], {}]);
    if (kind === 5) return this.#times(3).map(() => this.any(depth + 1));
    return Object.fromEntries(this.#times(3).map(() => [this.#pick(names), this.any(depth + 1)]));
  }

  /** Copies a value and changes one part of the copy. */
  mutated(value: unknown, depth = 0): unknown {
    const isContainer = typeof value === "object" && value !== null;
    if (!isContainer || this.#random() < 0.1) return this.any(depth);
    if (Array.isArray(value)) {
      const copy: unknown[] = [...(value as unknown[])];
      const at = Math.floor(this.#random() * (copy.length + 1));
      if (at === copy.length)
        copy.push(copy.length > 0 && this.#random() < 0.5 ? copy[0] : this.any(depth));
      else if (this.#random() < 0.2) copy.splice(at, 1);
      else copy[at] = this.mutated(copy[at], depth + 1);
      return copy;
    }
    const copy: Record<string, unknown> = { ...value };
    const keys = Object.keys(copy);
    const dice = this.#random();
    if (keys.length === 0 || dice < 0.15) copy[this.#pick(names)] = this.any(depth);
    else if (dice < 0.35) delete copy[this.#pick(keys)];
    else {
      const key = this.#pick(keys);
      copy[key] = this.mutated(copy[key], depth + 1);
    }
    return copy;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #times(most: number): readonly undefined[] {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) });
  }

  #text({ pattern, minLength = 0, maxLength = Infinity }: Rules): string {
    const fitting = texts.filter(
      (text) =>
        [...text].length >= minLength &&
        [...text].length <= maxLength &&
        (pattern === undefined || new RegExp(pattern, "u").test(text)),
    );
    return this.#pick(fitting.length === 0 ? texts : fitting);
  }

  #number(schema: Rules, isInteger: boolean): number {
    const least = schema.minimum ?? schema.exclusiveMinimum ?? -5;
    const most = schema.maximum ?? schema.exclusiveMaximum ?? least + 20;
    const value = least + this.#random() * (most - least);
    const step = schema.multipleOf ?? (isInteger ? 1 : undefined);
    return step === undefined ? value : Math.round(value / step) * step;
  }

  #list(schema: Rules, depth: number): unknown[] {
    const { contains, minItems = 0, maxItems = 4 } = schema;
    const [prefixItems = [], items = true] = Array.isArray(schema.items)
      ? [schema.items as readonly Json[], schema.additionalItems]
      : [schema.prefixItems, schema.items];
    const length = minItems + Math.floor(this.#random() * (maxItems - minItems + 1));
    const list = Array.from({ length }, (_, index) =>
      this.valid(prefixItems[index] ?? items, depth + 1),
    );
    if (contains !== undefined) list.push(this.valid(contains, depth + 1));
    return list;
  }

  #object(schema: Rules, depth: number): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
    const value: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(properties))
      if (each !== false && (required.includes(name) || this.#random() < 0.3))
        value[name] = this.valid(each, depth + 1);
    for (const name of required) value[name] ??= this.any(depth + 1);
    if (Object.keys(properties).length === 0)
      for (const _ of this.#times(2))
        value[this.#pick(propertyNames === undefined ? names : ["A", "B_C"])] =
          additionalProperties === false ? "/v" : this.valid(additionalProperties, depth + 1);
    return value;
  }
}

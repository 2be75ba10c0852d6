import { setField } from "../base/own-fields.js";
import { isObject, maxNesting, ownField, type AnyFields } from "../protocol/message-fields.js";
import type { ValueRules, ValueSchema } from "./value-schema.js";

/** How defaults are applied. */
export interface DefaultOptions {
  /**
   * The text of a variable such as `workspaceFolder`, or undefined if it has none. Editors replace
   * variables in what a user has written, and not in defaults: a default with a variable that has
   * no text is left out. Default: no variable has one.
   */
  readonly variable?: (name: string) => string | undefined;
}

const variables = /\$\{([^}]*)\}/g;

/** A copy of a value with the defaults of a schema in place of what is absent. */
export function fillDefaults(
  root: ValueSchema,
  value: unknown,
  { variable = () => undefined }: DefaultOptions,
): unknown {
  return new DefaultFiller(root, variable).fill([root], value, 0);
}

class DefaultFiller {
  readonly #root: ValueSchema;
  readonly #variable: (name: string) => string | undefined;

  constructor(root: ValueSchema, variable: (name: string) => string | undefined) {
    this.#root = root;
    this.#variable = variable;
  }

  /** @param schemas Those that the value has to meet. */
  fill(schemas: readonly ValueSchema[], value: unknown, depth: number): unknown {
    if (depth > maxNesting) return value;
    const rules = this.#all(schemas);
    if (Array.isArray(value))
      return value.map((item: unknown, index) =>
        this.fill(
          rules.flatMap(({ prefixItems = [], items }) => prefixItems[index] ?? items ?? []),
          item,
          depth + 1,
        ),
      );
    return isObject(value) ? this.#object(rules, value, depth) : value;
  }

  #object(rules: readonly ValueRules[], value: AnyFields, depth: number): AnyFields {
    const filled: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value))
      setField(filled, name, this.fill(this.#schemasOf(rules, name), field, depth + 1));
    for (const { properties = {} } of rules)
      for (const name of Object.keys(properties)) {
        if (ownField(filled, name) !== undefined) continue;
        const schemas = this.#schemasOf(rules, name);
        const given = this.#all(schemas).find((each) => each.default !== undefined)?.default;
        const own = given === undefined ? undefined : this.#resolve(given);
        if (own !== undefined) setField(filled, name, this.fill(schemas, own, depth + 1));
      }
    return filled;
  }

  #schemasOf(rules: readonly ValueRules[], name: string): readonly ValueSchema[] {
    return rules.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name]!] : [],
    );
  }

  /** A schema with what it includes. Of alternatives, none is known to hold. */
  #all(schemas: readonly ValueSchema[], seen = new Set<ValueSchema>()): readonly ValueRules[] {
    return schemas.flatMap((schema) => {
      if (typeof schema === "boolean" || seen.has(schema)) return [];
      seen.add(schema);
      const { definitions = {} } = this.#root as ValueRules;
      const target =
        schema.$ref === undefined ? [] : [ownField(definitions, schema.$ref) as ValueSchema];
      return [schema, ...this.#all([...target, ...(schema.allOf ?? [])], seen)];
    });
  }

  /** A copy of a default with texts in place of variables; undefined if one has none. */
  #resolve(value: unknown): unknown {
    if (typeof value === "string") {
      let isComplete = true;
      const text = value.replaceAll(variables, (_, name: string) => {
        const own = this.#variable(name);
        if (own === undefined) isComplete = false;
        return own ?? "";
      });
      return isComplete ? text : undefined;
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#resolve(item));
      return items.includes(undefined) ? undefined : items;
    }
    if (!isObject(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const own = this.#resolve(field);
      if (own === undefined) return undefined;
      setField(copy, name, own);
    }
    return copy;
  }
}

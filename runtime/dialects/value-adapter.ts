import { setField } from "../base/own-fields.js";
import { isObject, ownField, type AnyFields } from "../protocol/message-fields.js";
import type { DialectSwitch } from "../protocol/protocol-description.js";
import { takesNull } from "../validation/link-rule.js";
import type { EnumNode, ObjectNode, RuleNode } from "../validation/rule-node.js";
import { walkValue } from "../validation/walk.js";

/** Maximum nesting depth that a dialect converts. Deeper values are left unchanged. */
const maxDialectDepth = 512;

/**
 * Maximum nesting depth when invalid values are replaced, because each level validates all the
 * levels inside it.
 */
const maxValidatedDepth = 64;

/** The kinds of rules whose values have no parts to convert. */
const leaves: ReadonlySet<RuleNode["kind"]> = /* @__PURE__ */ new Set([
  "any",
  "null",
  "boolean",
  "string",
  "number",
  "integer",
  "value",
  "oneOf",
]);

/** Converts values according to their rules. Copies only the parts that change. */
export class ValueAdapter {
  readonly dropsNull: boolean;
  readonly #ignoresCase: boolean;
  readonly #translatesNumbers: boolean;
  readonly #replacesInvalid: boolean;
  readonly #isWriting: boolean;
  readonly #maxDepth: number;
  /**
   * Results of the alternatives tried so far, by object. Without this cache, recursive alternatives
   * would take exponential time.
   */
  #attempts: Map<RuleNode, Map<object, unknown>> | undefined;

  constructor(switches: readonly DialectSwitch[], writing: boolean) {
    this.dropsNull = switches.includes("null-for-absent");
    this.#ignoresCase = switches.includes("names-in-any-case");
    this.#translatesNumbers = switches.includes("numbers-for-names");
    this.#replacesInvalid = switches.includes("forgiving");
    this.#isWriting = writing;
    this.#maxDepth = this.#replacesInvalid ? maxValidatedDepth : maxDialectDepth;
  }

  adapt(node: RuleNode, value: unknown, depth: number): unknown {
    if (depth > this.#maxDepth) return value;
    switch (node.kind) {
      case "late":
        return this.adapt(node.target(), value, depth);
      case "checked":
        return this.adapt(node.of, value, depth);
      case "oneOf":
        return this.#translatesNumbers ? this.#adaptNamed(node, value) : value;
      case "list":
        return Array.isArray(value) ? this.#adaptList(node.item, value, depth) : value;
      case "map":
        return isObject(value) ? this.#adaptMap(node.item, value, depth) : value;
      case "object":
        return isObject(value) ? this.#adaptObject(node, value, depth) : value;
      case "anyOf": {
        // Convert only if the object's constants leave just one alternative.
        const members = node.members
          .map((member) => (member.kind === "late" ? member.target() : member))
          .filter((member) => !leaves.has(member.kind) && mayMatch(member, value));
        if (members.length === 1) return this.adapt(members[0]!, value, depth);
        if (!this.#replacesInvalid || members.length === 0) return value;
        return typeof value === "object" && value !== null
          ? this.#attemptOnce(node, members, value, depth)
          : value;
      }
      default:
        return value;
    }
  }

  #attemptOnce(
    node: RuleNode,
    members: readonly RuleNode[],
    value: object,
    depth: number,
  ): unknown {
    this.#attempts ??= new Map();
    let results = this.#attempts.get(node);
    if (results === undefined) this.#attempts.set(node, (results = new Map()));
    if (!results.has(value)) results.set(value, this.#attempt(node, members, value, depth));
    return results.get(value);
  }

  /** Returns the first conversion that makes the value valid. */
  #attempt(node: RuleNode, members: readonly RuleNode[], value: object, depth: number): unknown {
    if (isValid(node, value)) return value;
    for (const member of members) {
      const adapted = this.adapt(member, value, depth + 1);
      if (isValid(member, adapted)) return adapted;
    }
    return value;
  }

  #adaptNamed(node: EnumNode, value: unknown): unknown {
    const index = this.#isWriting
      ? node.values.indexOf(value as string)
      : node.numbers.indexOf(value as number);
    return (this.#isWriting ? node.numbers[index] : node.values[index]) ?? value;
  }

  #adaptList(node: RuleNode, values: readonly unknown[], depth: number): unknown {
    let copy: unknown[] | undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      const adapted = this.adapt(node, value, depth + 1);
      if (adapted !== value) (copy ??= [...values])[index] = adapted;
    }
    return copy ?? values;
  }

  #adaptMap(node: RuleNode, value: AnyFields, depth: number): unknown {
    const entries = Object.entries(value);
    const adapted = entries.map(([key, each]): [string, unknown] => [
      key,
      this.adapt(node, each, depth + 1),
    ]);
    return adapted.some(([, each], index) => each !== entries[index]![1])
      ? Object.fromEntries(adapted)
      : value;
  }

  #adaptObject(node: ObjectNode, value: AnyFields, depth: number): unknown {
    let changed = false;
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(value)) {
      const name = this.#nameOf(node, value, key);
      const property = node.byName.get(name);
      const field = value[key];
      if (field === null && this.dropsNull && property !== undefined && !takesNull(property.node)) {
        changed = true;
        continue;
      }
      const adapted = property === undefined ? field : this.adapt(property.node, field, depth + 1);
      changed ||= adapted !== field || name !== key;
      entries.push([name, adapted]);
    }
    const adapted = changed ? Object.fromEntries(entries) : value;
    return this.#replacesInvalid ? replaceInvalidValues(node, adapted) : adapted;
  }

  /**
   * Returns the property that a key refers to. A property with exactly this name takes precedence.
   */
  #nameOf(node: ObjectNode, value: AnyFields, key: string): string {
    if (!this.#ignoresCase || node.byName.has(key)) return key;
    const lower = key.toLowerCase();
    for (const name of node.byName.keys())
      if (name.toLowerCase() === lower) return Object.hasOwn(value, name) ? key : name;
    return key;
  }
}

/**
 * Returns whether an alternative may match a value, that is, whether all its required constants
 * match.
 */
function mayMatch(node: RuleNode, value: unknown): boolean {
  if (!isObject(value) || node.kind !== "object") return true;
  return node.properties.every(
    ({ name, node: each, required }) =>
      !required || each.kind !== "value" || ownField(value, name) === each.value,
  );
}

/**
 * Replaces invalid properties with their defaults, or drops them, where the protocol allows it.
 * Values inside the properties have already been converted.
 */
function replaceInvalidValues(node: ObjectNode, value: AnyFields): AnyFields {
  let copy: Record<string, unknown> | undefined;
  for (const { name, node: property, forgives, otherwise } of node.properties) {
    if (forgives.length === 0) continue;
    const was = Object.hasOwn(value, name) ? value[name] : undefined;
    if (was === undefined) continue;
    let field: unknown = was;
    if (Array.isArray(field) && forgives.includes("items")) {
      const valid = field.filter((item) => itemsOf(property).every((rule) => isValid(rule, item)));
      if (valid.length < field.length) field = valid;
    }
    const isInvalid =
      field === null && !takesNull(property) && forgives.includes("nulls")
        ? true
        : forgives.includes("errors") && !isValid(property, field);
    if (isInvalid) field = otherwise;
    if (field === was) continue;
    copy ??= { ...value };
    if (field === undefined) delete copy[name];
    else setField(copy, name, field);
  }
  return copy ?? value;
}

/** Returns the rules for an array's items. */
function itemsOf(node: RuleNode): readonly RuleNode[] {
  if (node.kind === "list") return [node.item];
  return node.kind === "anyOf" ? node.members.flatMap(itemsOf) : [];
}

/** Returns whether a value is valid in the strict profile. */
function isValid(node: RuleNode, value: unknown): boolean {
  return walkValue(node, value, [], 1).issues.length === 0;
}

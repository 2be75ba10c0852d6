import { pointerStep } from "../base/json-pointer.js";
import {
  hasCharacters,
  isObject,
  maxNesting,
  ownField,
  type AnyFields,
} from "../protocol/message-fields.js";
import type { Tolerance, ValidationIssue, ValidationIssueCode } from "../validation/findings.js";
import { addIssue, emptyList, type Findings } from "../validation/issues.js";
import { areEqual, equalItems } from "./equal-values.js";
import { expectedBy, expectedOneOf, rangeText, sizeText } from "./schema-words.js";
import { issuesOfUnion } from "./union-issues.js";
import type { ValueRules, ValueSchema } from "./value-schema.js";

/** Checks a value against a schema. Exceptions of getters and proxies become issues. */
export function checkValue(
  schema: ValueSchema,
  value: unknown,
  tolerated: readonly Tolerance[],
  maxIssues: number,
): Findings {
  const check = new ValueCheck(schema, tolerated, maxIssues);
  try {
    check.visit(schema, value, "", 0);
  } catch {
    check.report("", value, "unreadable", "a value that can be read");
  }
  return check.findings;
}

/** Walks a value along a schema. */
export class ValueCheck {
  readonly findings: Findings;
  readonly #root: ValueSchema;
  #refs = 0;

  constructor(root: ValueSchema, tolerated: readonly Tolerance[], maxIssues: number) {
    this.#root = root;
    this.findings = { tolerated, maxIssues, issues: emptyList, deviations: emptyList, done: false };
  }

  visit(schema: ValueSchema, value: unknown, path: string, depth: number): void {
    if (this.findings.done || schema === true) return;
    if (schema === false) return this.report(path, value, "wrong-value", "no value");
    if (depth > maxNesting)
      return this.report(path, value, "too-deep", `at most ${maxNesting} levels`);
    if (schema.$ref !== undefined) this.#refer(schema.$ref, value, path, depth);
    if (schema.type !== undefined && !schema.type.some((type) => isOfType(type, value)))
      // What else is wrong follows from that.
      return this.report(path, value, "wrong-type", expectedBy(schema));
    this.#listed(schema, value, path);
    if (typeof value === "string") this.#text(schema, value, path);
    else if (typeof value === "number") this.#number(schema, value, path);
    else if (Array.isArray(value)) this.#list(schema, value, path, depth);
    else if (isObject(value)) this.#object(schema, value, path, depth);
    this.#combined(schema, value, path, depth);
  }

  /** The issues of a value with another schema, without tolerances. Empty if it is valid. */
  issuesOf(
    schema: ValueSchema,
    value: unknown,
    path: string,
    depth: number,
  ): readonly ValidationIssue[] {
    const trial = new ValueCheck(this.#root, emptyList, trialIssues);
    trial.#refs = this.#refs;
    trial.visit(schema, value, path, depth + 1);
    return trial.findings.issues;
  }

  isValid(schema: ValueSchema, value: unknown, depth: number): boolean {
    return this.issuesOf(schema, value, "", depth).length === 0;
  }

  report(path: string, received: unknown, code: ValidationIssueCode, expected: string): void {
    this.#add({ path, code, expected, received });
  }

  #add(issue: ValidationIssue): void {
    if (!this.findings.done) addIssue(this.findings, issue);
  }

  #refer(name: string, value: unknown, path: string, depth: number): void {
    const { definitions = {} } = this.#root as ValueRules;
    // A definition that leads to itself on the same value would not end.
    if (++this.#refs > maxNesting)
      this.report(path, value, "too-deep", `at most ${maxNesting} levels`);
    else this.visit(ownField(definitions, name) as ValueSchema, value, path, depth);
    this.#refs--;
  }

  #listed(schema: ValueRules, value: unknown, path: string): void {
    const { enum: listed } = schema;
    if (listed !== undefined && !listed.some((each) => areEqual(each, value))) {
      const allowed = listed.filter((each) => typeof each !== "object") as string[];
      const code =
        listed.length === 1
          ? "wrong-value"
          : listed.some((each) => typeof each === typeof value)
            ? "not-in-enum"
            : "wrong-type";
      const expected = expectedOneOf(listed);
      this.#add({ path, code, expected, received: value, allowed });
    }
    if (schema.const !== undefined && !areEqual(schema.const, value))
      this.report(path, value, "wrong-value", JSON.stringify(schema.const));
  }

  #text({ minLength, maxLength, pattern }: ValueRules, value: string, path: string): void {
    if (!hasCharacters(value, minLength ?? 0, maxLength ?? Infinity))
      this.report(path, value, "wrong-size", sizeText("character", minLength, maxLength));
    if (pattern !== undefined && !expression(pattern).test(value))
      this.report(path, value, "wrong-value", `text that matches ${pattern}`);
  }

  #number(schema: ValueRules, value: number, path: string): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (
      (minimum !== undefined && !(value >= minimum)) ||
      (maximum !== undefined && !(value <= maximum)) ||
      (exclusiveMinimum !== undefined && !(value > exclusiveMinimum)) ||
      (exclusiveMaximum !== undefined && !(value < exclusiveMaximum))
    )
      this.report(path, value, "out-of-range", `a number${rangeText(schema)}`);
    if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
      this.report(path, value, "out-of-range", `a multiple of ${multipleOf}`);
  }

  #list(schema: ValueRules, value: readonly unknown[], path: string, depth: number): void {
    const { prefixItems = [], items, contains, minItems, maxItems } = schema;
    if (value.length < (minItems ?? 0) || value.length > (maxItems ?? Infinity))
      this.report(path, value, "wrong-size", sizeText("item", minItems, maxItems));
    if (schema.uniqueItems === true) {
      const equal = equalItems(value);
      if (equal !== undefined)
        this.report(
          `${path}/${equal[1]}`,
          value[equal[1]],
          "wrong-value",
          `no second item like item ${equal[0]}`,
        );
    }
    if (prefixItems.length > 0 || items !== undefined)
      for (const [index, item] of value.entries()) {
        const own = prefixItems[index] ?? items ?? true;
        if (own !== true) this.visit(own, item, `${path}/${index}`, depth + 1);
      }
    if (contains === undefined) return;
    const { minContains = 1, maxContains = Infinity } = schema;
    const found = value.filter((item) => this.isValid(contains, item, depth)).length;
    if (found < minContains || found > maxContains)
      this.report(
        path,
        value,
        "wrong-value",
        `${sizeText("item", minContains, schema.maxContains)} that ${found === 1 ? "is" : "are"} ${expectedBy(contains)}`,
      );
  }

  #object(schema: ValueRules, value: AnyFields, path: string, depth: number): void {
    const { required = [], properties = {}, patternProperties = {}, propertyNames } = schema;
    const { additionalProperties: others, minProperties, maxProperties } = schema;
    for (const name of required)
      if (ownField(value, name) === undefined) this.#missing(schema, name, path);
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    if (names.length < (minProperties ?? 0) || names.length > (maxProperties ?? Infinity))
      this.report(
        path,
        value,
        "wrong-size",
        `an object with ${sizeText("property", minProperties, maxProperties).replace(/propertys$/, "properties")}`,
      );
    const patterns = Object.keys(patternProperties);
    for (const name of names) {
      const at = path + pointerStep(name);
      const field = value[name];
      if (propertyNames !== undefined && !this.isValid(propertyNames, name, depth))
        this.report(
          at,
          field,
          "unknown-field",
          `a property whose name is ${expectedBy(propertyNames)}`,
        );
      const isKnown = Object.hasOwn(properties, name);
      if (isKnown) this.visit(properties[name]!, field, at, depth + 1);
      const matching = patterns.filter((pattern) => expression(pattern).test(name));
      for (const pattern of matching) this.visit(patternProperties[pattern]!, field, at, depth + 1);
      if (isKnown || matching.length > 0 || others === undefined) continue;
      if (others === false)
        this.#add({
          path: at,
          code: "unknown-field",
          expected: "no such field",
          received: field,
          allowed: Object.keys(properties),
          rule: "unknown-field",
        });
      else this.visit(others, field, at, depth + 1);
    }
    for (const [name, needed] of Object.entries(schema.dependentRequired ?? {}))
      if (ownField(value, name) !== undefined)
        for (const other of needed)
          if (ownField(value, other) === undefined) this.#missing(schema, other, path);
    for (const [name, own] of Object.entries(schema.dependentSchemas ?? {}))
      if (ownField(value, name) !== undefined) this.visit(own, value, path, depth + 1);
  }

  #missing({ properties = {} }: ValueRules, name: string, path: string): void {
    const own = (ownField(properties, name) ?? true) as ValueSchema;
    this.report(path + pointerStep(name), undefined, "missing", expectedBy(own));
  }

  #combined(schema: ValueRules, value: unknown, path: string, depth: number): void {
    for (const part of schema.allOf ?? []) this.visit(part, value, path, depth + 1);
    for (const [members, isExclusive] of [
      [schema.anyOf, false],
      [schema.oneOf, true],
    ] as const) {
      if (members === undefined) continue;
      const found = members.map((member) => this.issuesOf(member, value, path, depth));
      const valid = found.filter((issues) => issues.length === 0).length;
      if (valid === 0)
        for (const issue of issuesOfUnion(members, found, value, path)) this.#add(issue);
      else if (isExclusive && valid > 1)
        this.report(
          path,
          value,
          "wrong-value",
          `exactly one of ${members.length} alternatives, of which ${valid} apply`,
        );
    }
    if (schema.not !== undefined && this.isValid(schema.not, value, depth))
      this.report(path, value, "wrong-value", `something other than ${expectedBy(schema.not)}`);
    if (schema.if === undefined) return;
    const branch = this.isValid(schema.if, value, depth) ? schema.then : schema.else;
    if (branch !== undefined) this.visit(branch, value, path, depth + 1);
  }
}

/** Issues that a trial of an alternative collects: enough to tell which one was meant. */
const trialIssues = 20;

const expressions = /* @__PURE__ */ new Map<string, RegExp>();

/** A regular expression of a schema. Those that are invalid with the flag `u` are meant without it. */
function expression(pattern: string): RegExp {
  let found = expressions.get(pattern);
  if (found === undefined) {
    try {
      found = new RegExp(pattern, "u");
    } catch {
      found = new RegExp(pattern);
    }
    expressions.set(pattern, found);
  }
  return found;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "number":
      return Number.isFinite(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

import { boundedCheck } from "./bounded-check.js";
import { createConfigurationValidator } from "../runtime/configuration/configuration-validator.js";
import { parsePointer } from "../runtime/base/json-pointer.js";
import type { ValidationIssue } from "../runtime/validation/findings.js";
import type { Validator } from "../runtime/validation/validator.js";
import { nearest } from "../generator/base/input-error.js";
import { configurationTable } from "../generator/model/configurations.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../generator/read/source/json-text.js";
import { wholeSchema } from "./common-attributes.js";
import type { ConfigurationRule } from "./configuration-rules.js";
import { requestNames, type ConfigurationSet } from "./configuration-set.js";
import { modelCommon, modelSet } from "./model-configurations.js";
import { referredSchema, schemasIn } from "./schema-parts.js";

/** A finding in a configuration, located relative to that configuration. */
export interface Judgement {
  readonly rule: ConfigurationRule;
  /** JSON Pointer into the configuration. */
  readonly pointer: string;
  readonly message: string;
  readonly value?: unknown;
  readonly hint?: string;
}

/** Checks a configuration against the attributes of several debuggers. */
export function judgeConfiguration(
  sets: readonly ConfigurationSet[],
  configuration: Json,
): readonly Judgement[] {
  if (!isJsonObject(configuration))
    return [
      { rule: "launch.issue", pointer: "", message: "Expected an object", value: configuration },
    ];
  const { type, request } = configuration;
  const ofType = sets.filter((set) => set.type === type);
  if (ofType.length === 0) return [judgeType(sets, type)];
  const set = ofType.find((each) => each.request === request);
  if (set === undefined) return [judgeRequest(ofType, request)];
  const schema = wholeSchema(set);
  const validate = validatorOf(set);
  const result = boundedCheck(set, () => validate(configuration));
  const issues = result.ok ? [] : result.issues;
  return [
    ...issues.map((issue) => judgementOf(issue, schema)),
    ...deprecatedIn(schema, schema, configuration, ""),
  ];
}

const validators = new WeakMap<ConfigurationSet, Validator<unknown>>();

/** Returns the same validator that a generated package would contain for this set. */
function validatorOf(set: ConfigurationSet): Validator<unknown> {
  let validate = validators.get(set);
  if (validate === undefined) {
    const location = { pointer: set.pointer };
    const model = { common: modelCommon(), sets: [modelSet(set, "", { locate: () => location })] };
    validate = createConfigurationValidator(configurationTable(model, set.request));
    validators.set(set, validate);
  }
  return validate;
}

function judgeType(sets: readonly ConfigurationSet[], type: Json | undefined): Judgement {
  const types = [...new Set(sets.map((set) => set.type))];
  const pointer = type === undefined ? "" : "/type";
  if (typeof type !== "string")
    return {
      rule: type === undefined ? "launch.missing" : "launch.issue",
      pointer,
      message: "Expected a debugger type",
      ...(type === undefined ? {} : { value: type }),
      hint: `Known: ${types.join(", ")}`,
    };
  const meant = nearest(type, types);
  return meant === undefined
    ? { rule: "launch.not-judged", pointer, message: `The attributes of "${type}" are not known` }
    : {
        rule: "launch.type",
        pointer,
        message: `Unknown debugger type "${type}"`,
        value: type,
        hint: `Did you mean "${meant}"?`,
      };
}

function judgeRequest(sets: readonly ConfigurationSet[], request: Json | undefined): Judgement {
  const requests = sets.map((set) => set.request);
  const [{ type }] = sets as [ConfigurationSet];
  const meant = typeof request === "string" ? nearest(request, requestNames) : undefined;
  return {
    rule: request === undefined ? "launch.missing" : "launch.issue",
    pointer: request === undefined ? "" : "/request",
    message: `Expected ${requests.map((each) => `"${each}"`).join(" or ")}, the ${requests.length === 1 ? "only request" : "requests"} for "${type}"`,
    ...(request === undefined ? { hint: 'Add "request"' } : { value: request }),
    ...(meant === undefined || meant === request ? {} : { hint: `Did you mean "${meant}"?` }),
  };
}

/** Converts an issue reported by a schema to a finding addressed to the configuration's author. */
export function judgementOf(issue: ValidationIssue, schema: JsonObject): Judgement {
  const { pointer, code, expected, received, allowed = [] } = issue;
  const name = parsePointer(pointer).at(-1) ?? "";
  if (code === "missing")
    return {
      rule: "launch.missing",
      pointer: pointer.slice(0, pointer.lastIndexOf("/")),
      message: `Expected "${name}": ${expected}`,
      hint: `Add "${name}"`,
    };
  const names = namesAt(schema, pointer.slice(0, pointer.lastIndexOf("/")));
  if (code === "unknown-field" && !names.includes(name)) {
    const meant = nearest(name, names);
    return {
      rule: "launch.unknown",
      pointer,
      message: `There is no attribute "${name}" here`,
      value: received,
      ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
    };
  }
  const rules = rulesAt(schema, schema, pointer);
  const meant =
    typeof received === "string"
      ? nearest(
          received,
          allowed.filter((each) => typeof each === "string"),
        )
      : undefined;
  const isVariable = typeof received === "string" && /\$\{[^}]+\}/.test(received);
  const hint =
    meant === undefined
      ? rules
          .map(
            (each) =>
              (code === "wrong-value" && each["patternErrorMessage"]) || each["errorMessage"],
          )
          .find((each) => typeof each === "string")
      : `Did you mean "${meant}"?`;
  if (isVariable && code !== "wrong-size")
    return {
      rule: "launch.variable",
      pointer,
      message: `Expected ${expected}, but a variable is replaced by a string`,
      value: received,
      hint: hint ?? "Allow strings in the schema, or replace the variable with a value",
    };
  return {
    rule: "launch.issue",
    pointer,
    message: `Expected ${expected}`,
    value: received,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Returns the property names allowed in the object at a JSON Pointer. */
function namesAt(schema: JsonObject, pointer: string): readonly string[] {
  return rulesAt(schema, schema, pointer).flatMap((rules) =>
    Object.keys(schemasIn(rules, "properties")),
  );
}

/**
 * Returns the schemas that apply to the value at a JSON Pointer regardless of the rest of the
 * configuration.
 */
function rulesAt(root: JsonObject, schema: Json, pointer: string): readonly JsonObject[] {
  let schemas = includedIn(root, schema);
  for (const key of parsePointer(pointer))
    schemas = schemas.flatMap((rules) =>
      partsFor(rules, key).flatMap((part) => includedIn(root, part)),
    );
  return schemas;
}

function partsFor(rules: JsonObject, key: string): readonly Json[] {
  const properties = schemasIn(rules, "properties");
  if (Object.hasOwn(properties, key)) return [properties[key]!];
  const { items, additionalItems, prefixItems, additionalProperties } = rules;
  const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
  const item = ((first ?? []) as readonly Json[])[Number(key)] ?? rest;
  return [/^\d+$/.test(key) ? item : undefined, additionalProperties].flatMap((each) => each ?? []);
}

/** Returns a schema along with the schemas that it refers to or includes through `allOf`. */
function includedIn(root: JsonObject, schema: Json, seen = new Set<Json>()): readonly JsonObject[] {
  if (!isJsonObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const included = [
    referredSchema(schema, root["definitions"]),
    ...((schema["allOf"] ?? []) as readonly Json[]),
  ];
  return [schema, ...included.flatMap((each) => includedIn(root, each, seen))];
}

/** Returns findings for a configuration's deprecated attributes. */
function deprecatedIn(
  root: JsonObject,
  schema: Json,
  value: Json,
  pointer: string,
): readonly Judgement[] {
  if (typeof value !== "object" || value === null) return [];
  const rules = includedIn(root, schema);
  return Object.entries(value).flatMap(([name, part]) => {
    const child = joinPointer(pointer, name);
    const schemas = rules.flatMap((each) => partsFor(each, name));
    const marked = schemas
      .flatMap((each) => includedIn(root, each))
      .find(({ deprecationMessage, deprecated }) => deprecationMessage ?? deprecated);
    const finding: Judgement = {
      rule: "launch.deprecated",
      pointer: child,
      message: `"${name}" is deprecated`,
      ...(typeof marked?.["deprecationMessage"] === "string"
        ? { hint: marked["deprecationMessage"] }
        : {}),
    };
    return [
      ...(marked === undefined ? [] : [finding]),
      ...schemas.flatMap((each) => deprecatedIn(root, each, part as Json, child)),
    ];
  });
}

import { isObject } from "../protocol/message-fields.js";
import {
  wireTolerances,
  type Tolerance,
  type Validation,
  type ValidationIssue,
} from "../validation/findings.js";
import type { Validator } from "../validation/validator.js";
import { checkValue } from "./check-value.js";
import {
  argumentsSchema,
  configurationSchema,
  type ConfigurationTable,
} from "./configuration-schema.js";
import { fillDefaults, type DefaultOptions } from "./fill-defaults.js";
import { expectedOneOf } from "./schema-words.js";
import type { ValueRules } from "./value-schema.js";

const defaultMaxIssues = 100;

/** Creates the validator of whole configurations, which the editor knows by `type` and `name`. */
export function createConfigurationValidator<Type>(table: ConfigurationTable): Validator<Type> {
  return createTypedValidator(table, configurationSchema);
}

/** Creates the validator of what an adapter receives. */
export function createArgumentsValidator<Type>(table: ConfigurationTable): Validator<Type> {
  return createTypedValidator(table, argumentsSchema);
}

/** Creates the function that copies a configuration with defaults in place of what is absent. */
export function createDefaults(
  table: ConfigurationTable,
): (configuration: object, options?: DefaultOptions) => object {
  return (configuration, options = {}) => {
    const type = typeOf(table, configuration);
    const own = type === undefined ? {} : table.types[type]!;
    return fillDefaults(own, configuration, options) as object;
  };
}

function createTypedValidator<Type>(
  table: ConfigurationTable,
  schemaOf: (table: ConfigurationTable, type: string) => ValueRules,
): Validator<Type> {
  const schemas = new Map<string, ValueRules>();
  return (value, { profile, tolerate, maxIssues = defaultMaxIssues } = {}): Validation<Type> => {
    const tolerated: readonly Tolerance[] = tolerate ?? (profile === "wire" ? wireTolerances : []);
    let issue: ValidationIssue | undefined;
    try {
      const type = typeOf(table, value);
      if (type !== undefined) {
        let schema = schemas.get(type);
        if (schema === undefined) schemas.set(type, (schema = schemaOf(table, type)));
        const { issues, deviations } = checkValue(schema, value, tolerated, maxIssues);
        return issues.length === 0
          ? { ok: true, message: value as Type, deviations }
          : { ok: false, issues };
      }
      issue = typeIssue(table, value);
    } catch {
      issue = {
        path: "",
        code: "unreadable",
        expected: "a value that can be read",
        received: value,
      };
    }
    return { ok: false, issues: [issue] };
  };
}

/** The type of debugger that a configuration is for. If it names none, the only one there is. */
function typeOf({ types }: ConfigurationTable, value: unknown): string | undefined {
  const names = Object.keys(types);
  if (!isObject(value)) return names[0];
  const { type } = value;
  if (typeof type === "string" && Object.hasOwn(types, type)) return type;
  return names.length === 1 ? names[0] : undefined;
}

function typeIssue({ types }: ConfigurationTable, value: unknown): ValidationIssue {
  const { type: received } = value as { readonly type?: unknown };
  const allowed = Object.keys(types);
  const expected = expectedOneOf(allowed);
  const code =
    received === undefined
      ? "missing"
      : typeof received === "string"
        ? "not-in-enum"
        : "wrong-type";
  return { path: "/type", code, expected, received, allowed };
}

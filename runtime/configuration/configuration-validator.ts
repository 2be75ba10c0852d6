import { isObject } from "../protocol/message-fields.js";
import type { ValidateOptions, Validation, ValidationIssue } from "../validation/findings.js";
import { choiceIssue } from "../validation/issues.js";
import type { Rule } from "../validation/rule.js";
import { createValidator, type Validator } from "../validation/validator.js";
import {
  argumentsRule,
  configurationRule,
  type AttributeRules,
  type ConfigurationTable,
} from "./configuration-rules.js";
import { fillDefaults, type DefaultOptions } from "./fill-defaults.js";

/** Creates the validator for whole configurations, which editors identify by `type` and `name`. */
export function createConfigurationValidator<Type>(table: ConfigurationTable): Validator<Type> {
  return createTypedValidator(table, configurationRule);
}

/** Creates the validator for the arguments that an adapter receives. */
export function createArgumentsValidator<Type>(table: ConfigurationTable): Validator<Type> {
  return createTypedValidator(table, argumentsRule);
}

/**
 * Creates the function that copies a configuration and fills in defaults for missing properties.
 */
export function createDefaults(
  table: ConfigurationTable,
): (configuration: object, options?: DefaultOptions) => object {
  return (configuration, options = {}) => {
    const type = typeOf(table, configuration);
    const {
      required = {},
      optional = {},
      rest = "any",
    }: AttributeRules = type === undefined ? {} : table.types[type]!;
    return fillDefaults([{ required, optional }, rest], configuration, options) as object;
  };
}

function createTypedValidator<Type>(
  table: ConfigurationTable,
  ruleOf: (table: ConfigurationTable, type: string) => Rule,
): Validator<Type> {
  const validators = new Map<string, Validator<Type>>();
  const validateTyped = (value: unknown, options?: ValidateOptions): Validation<Type> => {
    let issue: ValidationIssue;
    try {
      const type = typeOf(table, value);
      if (type !== undefined) {
        let validate = validators.get(type);
        if (validate === undefined)
          validators.set(type, (validate = createValidator(ruleOf(table, type))));
        return validate(value, options);
      }
      const { type: received } = value as { readonly type?: unknown };
      issue = choiceIssue("/type", received, Object.keys(table.types));
    } catch {
      issue = {
        pointer: "",
        code: "unreadable",
        expected: "a value that can be read",
        received: value,
      };
    }
    return { ok: false, issues: [issue] };
  };
  const rule = (): Rule => ({ anyOf: Object.keys(table.types).map((type) => ruleOf(table, type)) });
  return Object.assign(validateTyped, { rule });
}

/**
 * Returns a configuration's debugger type. If the configuration does not specify one, returns the
 * package's only type, provided that there is just one.
 */
function typeOf({ types }: ConfigurationTable, value: unknown): string | undefined {
  const names = Object.keys(types);
  if (!isObject(value)) return names[0];
  const { type } = value;
  if (typeof type === "string" && Object.hasOwn(types, type)) return type;
  return names.length === 1 ? names[0] : undefined;
}

import type {
  AttributeRules,
  ConfigurationTable,
} from "../../runtime/configuration/configuration-rules.js";
import { statedFields } from "../base/stated-fields.js";
import type { ObjectRule } from "../../runtime/validation/rule.js";
import { TypeRules } from "./type-rules.js";
import type { Definition, ObjectType, Type } from "./types.js";

/** The launch configurations included in a package. */
export interface Configurations {
  /** Attributes that an editor accepts for every debug type, except `type` and `request`. */
  readonly common: ObjectType;
  readonly sets: readonly ConfigurationAttributes[];
}

/** The attributes for one request in configurations of one debug type. */
export interface ConfigurationAttributes {
  /** The debug type, as it appears in the `type` of a configuration. */
  readonly type: string;
  /** The request, such as `launch`. */
  readonly request: string;
  /** Display name of the debugger. */
  readonly label?: string;
  /** Name prefix for its TypeScript types, such as `GoLaunch`. */
  readonly name: string;
  /** The attributes, not including `type` and `request`. */
  readonly attributes: ObjectType;
  /** Regular expressions for names of attributes that are not listed. */
  readonly patterns: readonly string[];
  /**
   * A type that the configuration as a whole must have, in addition to the types of its attributes.
   */
  readonly rest?: Type;
  /** Types that the attributes reference. */
  readonly definitions: readonly Definition[];
}

/** Returns the rules for a request's configurations, in the form used in packages. */
export function configurationTable(
  { common, sets }: Configurations,
  request: string,
): ConfigurationTable {
  return {
    request,
    common: commonRules(common),
    types: Object.fromEntries(
      sets
        .filter((set) => set.request === request)
        .map((set) => [set.type, attributeRules(set).rules]),
    ),
  };
}

/** Returns the rules for the attributes that an editor accepts for every debug type. */
export function commonRules(common: ObjectType): ConfigurationTable["common"] {
  const { required, optional } = new TypeRules([]).ruleOf(common) as ObjectRule;
  return { ...required, ...optional };
}

/**
 * Returns the rules for attributes and for the definitions that they reference, in the form used in
 * packages.
 */
export function attributeRules({
  attributes,
  patterns,
  rest,
  definitions,
}: ConfigurationAttributes): {
  readonly rules: AttributeRules;
  readonly definitions: TypeRules["definitions"];
} {
  const types = new TypeRules(definitions);
  const { required, optional } = types.ruleOf(attributes) as ObjectRule;
  return {
    rules: statedFields({
      required,
      optional,
      patterns: patterns.length === 0 ? undefined : patterns,
      rest: rest && types.ruleOf(rest),
    }),
    definitions: types.definitions,
  };
}

import { findUnmetChecks } from "../validation/unmet-checks.js";
import type { CheckRule, ObjectRule, Rule } from "../validation/rule.js";

/** The attributes of configurations for one request, by debugger type. */
export interface ConfigurationTable {
  /** The value of `request` in these configurations, such as `launch`. */
  readonly request: string;
  /** Attributes that the editor accepts for every debugger. */
  readonly common: RulesByName;
  readonly types: { readonly [type: string]: AttributeRules };
}

/** The attributes for one debugger type. */
export interface AttributeRules {
  readonly required?: RulesByName;
  readonly optional?: RulesByName;
  /** Regular expressions for the names of other attributes. They may match any part of a name. */
  readonly patterns?: readonly string[];
  /** An additional rule that applies to the whole configuration. */
  readonly rest?: Rule;
}

export interface RulesByName {
  readonly [name: string]: Rule;
}

/** Parts of a configuration that override its other attributes on one platform. */
export const platforms = ["windows", "osx", "linux"] as const;

/** Creates the rule for a whole configuration, as found in `launch.json`. */
export function configurationRule(table: ConfigurationTable, type: string): Rule {
  const { common, required, optional, patterns, rest } = attributesOf(table, type);
  const { name, type: _type, request: _request, ...others } = common;
  const platform: ObjectRule = {
    optional: { ...required, ...optional, ...others },
    extras: "closed",
  };
  const rule: ObjectRule = {
    required: { name: name ?? "string", ...headRules(table, type), ...required },
    optional: {
      ...optional,
      ...others,
      ...Object.fromEntries(platforms.map((each) => [each, platform])),
    },
  };
  return closedRule(rule, patterns, rest);
}

/**
 * Creates the rule for the arguments that an adapter receives. By then, the editor has merged the
 * platform's attributes, and may have added properties of its own.
 */
export function argumentsRule(table: ConfigurationTable, type: string): Rule {
  const { common, required, optional, patterns, rest } = attributesOf(table, type);
  const rule: ObjectRule = {
    ...(required === undefined ? {} : { required }),
    optional: { ...optional, ...common, ...headRules(table, type), noDebug: "boolean" },
  };
  return closedRule(rule, ["^__", ...patterns], rest);
}

/** Returns a type's attributes, except those that the editor replaces. */
function attributesOf(
  { common, types }: ConfigurationTable,
  type: string,
): AttributeRules & { readonly common: RulesByName; readonly patterns: readonly string[] } {
  const { required = {}, optional = {}, patterns = [], rest } = types[type]!;
  const replaced = new Set<string>([...Object.keys(common), "type", "request", ...platforms]);
  const withoutReplaced = (rules: RulesByName): RulesByName =>
    Object.fromEntries(Object.entries(rules).filter(([name]) => !replaced.has(name)));
  return {
    common,
    required: withoutReplaced(required),
    optional: withoutReplaced(optional),
    patterns,
    ...(rest === undefined ? {} : { rest }),
  };
}

function headRules({ request }: ConfigurationTable, type: string): RulesByName {
  return { type: { value: type }, request: { value: request } };
}

/**
 * Creates an object rule that rejects any property that is neither named nor matched by a pattern.
 */
function closedRule(rule: ObjectRule, patterns: readonly string[], rest: Rule | undefined): Rule {
  const names = Object.keys({ ...rule.required, ...rule.optional });
  const checks: readonly CheckRule[] = [
    ...(patterns.length === 0 ? [] : [{ others: { anyOf: [] }, names, patterns }]),
    ...(rest === undefined ? [] : [{ also: rest }]),
  ];
  const of: ObjectRule = { ...rule, extras: patterns.length === 0 ? "closed" : "free" };
  return checks.length === 0 ? of : { of, checks, by: findUnmetChecks };
}

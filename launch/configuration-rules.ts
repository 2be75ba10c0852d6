import type { InputPlace } from "../generator/base/input-error.js";
import type { Severity } from "../generator/base/severity.js";

/** The rules for configurations. */
export const configurationRules = {
  "launch.issue": { severity: "error", docs: "The schema does not allow the value." },
  "launch.missing": { severity: "error", docs: "A required attribute is missing." },
  "launch.unknown": { severity: "warning", docs: "The attribute does not exist." },
  "launch.variable": {
    severity: "warning",
    docs: "A variable, which is replaced by a string, is used where a string is not allowed.",
  },
  "launch.deprecated": {
    severity: "warning",
    docs: "The attribute is deprecated.",
  },
  "launch.type": {
    severity: "warning",
    docs: "The debugger type is unknown but similar to a known type.",
  },
  "launch.not-judged": {
    severity: "info",
    docs: "The debugger's attributes are unknown.",
  },
  "launch.name": { severity: "warning", docs: "Two configurations have the same name." },
  "launch.compound": {
    severity: "error",
    docs: "A compound refers to a configuration that does not exist.",
  },
  "launch.input": { severity: "error", docs: "A variable refers to an input that does not exist." },
  "launch.default": {
    severity: "warning",
    docs: "An attribute's default is not allowed by its schema.",
  },
  "launch.schema": {
    severity: "warning",
    docs: "Part of a schema, or the key of a localized string, has no effect.",
  },
} as const satisfies { [rule: string]: { severity: Severity; docs: string } };

/** The ids of the configuration rules. */
export type ConfigurationRule = keyof typeof configurationRules;

/** A problem in a configuration. */
export interface ConfigurationFinding {
  readonly rule: ConfigurationRule;
  readonly severity: Severity;
  readonly place: InputPlace;
  readonly message: string;
  /** The value received, if any. */
  readonly value?: unknown;
  /** How to correct the problem. */
  readonly hint?: string;
}

/** Creates a finding about a location. */
export function findingAt(
  place: InputPlace,
  { rule, message, ...more }: Omit<ConfigurationFinding, "severity" | "place">,
): ConfigurationFinding {
  return { rule, severity: configurationRules[rule].severity, place, message, ...more };
}

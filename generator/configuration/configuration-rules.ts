import type { InputPlace } from "../base/input-error.js";

export type FindingSeverity = "error" | "warning" | "info";

/** What is looked for in configurations. */
export const configurationRules = {
  "configuration.issue": { severity: "error", docs: "a value that the schema does not allow" },
  "configuration.missing": { severity: "error", docs: "an attribute that is required and absent" },
  "configuration.unknown": { severity: "warning", docs: "an attribute that there is not" },
  "configuration.variable": {
    severity: "warning",
    docs: "a variable, which becomes text, where no text is allowed",
  },
  "configuration.deprecated": { severity: "warning", docs: "an attribute that is deprecated" },
  "configuration.type": {
    severity: "warning",
    docs: "a type of debugger that is almost one that is known",
  },
  "configuration.not-judged": {
    severity: "info",
    docs: "a configuration for a debugger whose attributes are not known",
  },
  "configuration.name": { severity: "warning", docs: "two configurations of the same name" },
  "configuration.compound": {
    severity: "error",
    docs: "a group with a configuration that there is not",
  },
  "configuration.input": { severity: "error", docs: "a variable of an input that there is not" },
  "configuration.snippet": {
    severity: "warning",
    docs: "a snippet that does not insert what it shows",
  },
  "configuration.default": {
    severity: "warning",
    docs: "a default that the schema of its attribute does not allow",
  },
  "configuration.schema": {
    severity: "warning",
    docs: "a part of a schema, or a text, that means nothing",
  },
} as const satisfies { [rule: string]: { severity: FindingSeverity; docs: string } };

export type ConfigurationRule = keyof typeof configurationRules;

/** What is wrong with a configuration. */
export interface ConfigurationFinding {
  readonly rule: ConfigurationRule;
  readonly severity: FindingSeverity;
  readonly place: InputPlace;
  readonly text: string;
  /** The value that was found, if there is one. */
  readonly value?: unknown;
  /** What to do about it. */
  readonly hint?: string;
}

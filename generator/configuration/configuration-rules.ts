import type { InputPlace } from "../base/input-error.js";
import type { Severity } from "../base/severity.js";

/** The rules for configurations. */
export const configurationRules = {
  "launch.issue": { severity: "error", docs: "A value that the schema does not allow." },
  "launch.missing": { severity: "error", docs: "An attribute that is required and absent." },
  "launch.unknown": { severity: "warning", docs: "An attribute that there is not." },
  "launch.variable": {
    severity: "warning",
    docs: "A variable, which becomes text, where no text is allowed.",
  },
  "launch.deprecated": {
    severity: "warning",
    docs: "A deprecated attribute.",
  },
  "launch.type": {
    severity: "warning",
    docs: "A type of debugger with nearly the name of one that is known.",
  },
  "launch.not-judged": {
    severity: "info",
    docs: "A configuration for a debugger whose attributes are not known.",
  },
  "launch.name": { severity: "warning", docs: "A second configuration of the same name." },
  "launch.compound": { severity: "error", docs: "A group with a configuration that there is not." },
  "launch.input": { severity: "error", docs: "A variable for an input that there is not." },
  "launch.snippet": {
    severity: "warning",
    docs: "A snippet that inserts another configuration than it shows.",
  },
  "launch.default": {
    severity: "warning",
    docs: "A default that the schema of its attribute does not allow.",
  },
  "launch.schema": {
    severity: "warning",
    docs: "A part of a schema, or a key of a text, that means nothing.",
  },
} as const satisfies { [rule: string]: { severity: Severity; docs: string } };

/** The ids of the rules for configurations. */
export type ConfigurationRule = keyof typeof configurationRules;

/** One problem of a configuration. */
export interface ConfigurationFinding {
  readonly rule: ConfigurationRule;
  readonly severity: Severity;
  readonly place: InputPlace;
  readonly message: string;
  /** The received value, if any. */
  readonly value?: unknown;
  /** How to correct it. */
  readonly hint?: string;
}

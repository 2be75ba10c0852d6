import { bundledProtocols, defaultProtocol } from "../generator/base/bundled.js";
import { InputError, nearest, type InputPlace } from "../generator/base/input-error.js";
import { countText } from "../generator/base/plural.js";
import { severities, type Severity } from "../generator/base/severity.js";
import type { Terminal } from "../generator/base/terminal.js";
import { argumentError } from "./argument-error.js";
import { oneOf } from "./command-line.js";

/** The protocol that a command is about. */
export const protocolOperand = [
  "PROTOCOL",
  () =>
    `${bundledProtocols().join(", ")}, or the path of a protocol.json or its folder; NAME@VERSION for another bundled version`,
] as const;

/** The options for reading that protocol. */
export const readingOptions = {
  schema: {
    multiple: true,
    value: "FILE|URL|-",
    help: "schema to read instead of the bundled schema, or one of its files",
  },
  version: { value: "VERSION", help: "bundled version to use" },
  overlay: { multiple: true, value: "FILE", help: "file with messages and properties to add" },
} as const;

/** The `--protocol` option for commands that do not read recordings. */
export const protocolOption = {
  value: "NAME",
  help: () => `${bundledProtocols().join(", ")}, or the path of a protocol.json`,
  default: defaultProtocol,
} as const;

/** The `--protocol` option for commands that read recordings. A recording may name its protocol. */
export const recordedProtocolOption = {
  value: "NAME",
  help: protocolOption.help,
  otherwise: () => `the recording's protocol, or ${defaultProtocol()}`,
} as const;

/** Options for commands that show a session along with its lint findings. */
export const judgingOptions = {
  version: { value: "VERSION", help: "bundled version of the protocol to check against" },
  profile: {
    value: "PROFILE",
    help: "{choices}, as in wirewright lint",
    choices: ["wire", "strict"],
    default: "wire",
  },
  host: {
    value: "NAME",
    help: "also check against a host's known behaviour, as in wirewright lint",
  },
} as const;

/** The `--dialect` option for commands that read recordings. */
export const dialectOption = {
  value: "NAME",
  help: "dialect of the messages, such as seq for the older sqltools envelope",
} as const;

/** The `--sender` option for commands that read logs. */
export const senderOption = {
  multiple: true,
  value: "WORDS=ROLE",
  help: "role that sent the messages in a log with these words in front of them, as in --sender='->=client'",
  otherwise: "learned from the messages",
} as const;

/**
 * Parses `--sender WORDS=ROLE`. The words may contain equals signs.
 *
 * @throws InputError `ERR_ARGUMENT` if the role is missing.
 */
export function readSenders(given: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const end = text.lastIndexOf("=");
      if (end < 1)
        throw argumentError(
          `Cannot use "${text}" as --sender`,
          "Write WORDS=ROLE, as in --sender='->=client'",
        );
      return [text.slice(0, end), text.slice(end + 1)];
    }),
  );
}

/** The `--schema` option for commands that have a `--protocol` option. */
export const schemaOption = {
  multiple: true,
  value: "FILE|URL|-",
  help: "the protocol's schema, if it is not bundled",
} as const;

/** The options for commands that read recordings and logs. */
export const recordingOptions = {
  protocol: recordedProtocolOption,
  dialect: dialectOption,
  sender: senderOption,
  schema: schemaOption,
} as const;

/**
 * Reads a recording's file names: one file, or one for each direction.
 *
 * @param verb What the command does with the recording, such as `judge`.
 * @throws InputError `ERR_ARGUMENT` for any other number of files, or if both are standard input.
 */
export function readRecordingNames(
  command: string,
  verb: string,
  files: readonly string[],
): readonly string[] {
  const noun = command === "convert" ? "log" : "recording";
  if (files.length < 1 || files.length > 2)
    throw argumentError(
      `Cannot ${verb}: give one ${noun}, or one for each direction`,
      `See wirewright ${command} --help`,
    );
  if (files.length === 2 && files.every((file) => file === "-"))
    throw argumentError(
      "Cannot read both directions from standard input",
      "Give a file for one direction",
    );
  return files;
}

/**
 * Parses `--severity RULE=SEVERITY`.
 *
 * @param known Returns the rules that may be named.
 * @throws InputError `ERR_ARGUMENT` for an unknown rule or severity.
 */
export function readSeverities(
  given: readonly string[] = [],
  known: () => ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Severity | "off"> {
  return new Map(
    given.map((text) => {
      const [rule = "", severity] = text.split("=");
      if (severity === undefined)
        throw argumentError(
          `Cannot use "${text}" as --severity`,
          "Write RULE=SEVERITY, as in --severity schema.issue=warning",
        );
      if (!known().has(rule)) throw unknownRule(rule, known().keys(), "lint");
      return [rule, oneOf("--severity", severity, [...severities, "off"])];
    }),
  );
}

/** Returns whether any finding has at least the given severity. */
export function isFailure(
  counts: Readonly<Record<Severity, number>>,
  failOn: Severity | "never",
): boolean {
  if (failOn === "never") return false;
  return severities
    .slice(0, severities.indexOf(failOn) + 1)
    .some((severity) => counts[severity] > 0);
}

/** Creates the error for an unknown rule. @param place Location of the rule's name in a file. */
export function unknownRule(
  id: string,
  rules: Iterable<string>,
  command: "diff" | "lint",
  place?: InputPlace,
): InputError {
  const guess = nearest(id, rules);
  return new InputError(
    place === undefined ? "ERR_ARGUMENT" : "ERR_CONFIG",
    `Cannot find the rule "${id}"`,
    place,
    guess === undefined ? `See wirewright ${command} rules` : `Did you mean "${guess}"?`,
  );
}

/** Shows progress while a long recording is read. */
export function progressOf(terminal: Terminal): (messages: number, bytes: number) => void {
  let shown = 0;
  return (messages, bytes) => {
    const megabytes = Math.floor(bytes / 16e6) * 16;
    if (megabytes === shown) return;
    shown = megabytes;
    terminal.progress(`${megabytes} MB, ${countText(messages, "message")}`);
  };
}

import { severities, type Severity } from "../generator/base/severity.js";
import type { Terminal } from "../generator/base/terminal.js";
import { InputError, nearest, type InputPlace } from "../generator/base/input-error.js";

/**
 * Parses the value of an option that has a fixed set of choices. @throws InputError `ERR_ARGUMENT`
 * for any other value.
 */
export function oneOf<Value extends string>(
  option: string,
  value: string,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use ${option} "${value}"`,
    {},
    `Allowed: ${allowed.join(", ")}`,
  );
}

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
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot ${verb}: give one ${noun}, or one for each direction`,
      {},
      `See wirewright ${command} --help`,
    );
  if (files.length === 2 && files.every((file) => file === "-"))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot read both directions from standard input",
      {},
      "Give a file for one direction",
    );
  return files;
}

/**
 * Parses `--severity RULE=SEVERITY`. @throws InputError `ERR_ARGUMENT` for an unknown rule or
 * severity.
 */
export function readSeverities(
  given: readonly string[] = [],
  known: { has(rule: string): boolean; keys(): Iterable<string> },
): ReadonlyMap<string, Severity | "off"> {
  return new Map(
    given.map((text) => {
      const [rule = "", severity = ""] = text.split("=");
      if (!known.has(rule)) throw unknownRule(rule, known.keys(), "lint");
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
  return severities.slice(0, severities.indexOf(failOn) + 1).some((each) => counts[each] > 0);
}

/** Creates the error for an unknown rule. @param place Location of the rule's name in a file. */
export function unknownRule(
  id: string,
  known: Iterable<string>,
  command: "diff" | "lint",
  place?: InputPlace,
): InputError {
  const guess = nearest(id, known);
  return new InputError(
    place === undefined ? "ERR_ARGUMENT" : "ERR_CONFIG",
    `Cannot find the rule "${id}"`,
    place,
    guess === undefined ? `See wirewright ${command} rules` : `Did you mean "${guess}"?`,
  );
}

/** Converts `--version` and `--schema` to library options, for commands that read a protocol. */
export function readingOptions({
  version,
  schema,
}: {
  readonly version?: string | undefined;
  readonly schema?: readonly string[] | undefined;
}): { readonly version?: string; readonly schema?: readonly string[] } {
  return {
    ...(version === undefined ? {} : { version }),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** Shows progress while a long recording is read. */
export function progressOf(terminal: Terminal): (bytes: number, messages: number) => void {
  let shown = 0;
  return (bytes, messages) => {
    const megabytes = Math.floor(bytes / 16e6) * 16;
    if (megabytes === shown) return;
    shown = megabytes;
    terminal.progress(`${megabytes} MB, ${messages} messages`);
  };
}

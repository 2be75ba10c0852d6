import { statSync } from "node:fs";
import { defaultProtocol } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import { findRecordings, isPattern } from "../sessions/judge/batch/find-recordings.js";
import { recordedProtocol } from "../sessions/read/recording-files.js";
import { openProtocol } from "../sessions/judge/open-protocol.js";
import { findHostOf, readHost } from "../sessions/judge/host-table.js";
import { readSessionRules } from "../sessions/judge/session-rules.js";
import { readVersionName } from "../generator/read/read-protocol.js";
import { readCommandLine } from "./command-line.js";
import { explainRule, knownRules, printRules } from "./lint-rules.js";
import { readRecordingNames, readSeverities, readingOptions } from "./option-values.js";
import { lintCommand, type Values } from "./lint-call.js";
import { lintRecording } from "./lint-recording.js";

/** Runs `wirewright lint`. Returns the exit status. */
export async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(lintCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const { configuration, against } = values;
  if (configuration !== undefined) {
    if (positionals.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot check "${positionals[0]}" and configurations in one call`,
        {},
        "Call wirewright lint once for each",
      );
    const { lintConfiguration } = await import("./lint-configuration.js");
    return lintConfiguration({ ...values, configuration }, terminal);
  }
  if (against !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot use --against without --configuration",
      {},
      "Recordings are checked against a --protocol",
    );
  const asksForRules = positionals.length === 1 && positionals[0] === "rules";
  if (values.explain === undefined && !asksForRules && isBatch(values, positionals))
    return lintMany(positionals, values, terminal);
  if (values.explain === undefined && !asksForRules)
    return lintRecording(readRecordingNames("lint", "judge", positionals), values, terminal);
  const { protocol } = readVersionName(values.protocol ?? defaultProtocol(), values.version);
  const host =
    values.host === undefined
      ? await findHostOf(values.explain ?? "", protocol)
      : await readHost(values.host, protocol);
  const known = knownRules(await readSessionRules(protocol), host);
  const text =
    values.explain === undefined ? printRules(known) : explainRule(values.explain, known, protocol);
  terminal.out(text);
  return 0;
}

/** Returns whether the call checks many separate recordings. */
function isBatch(values: Values, names: readonly string[]): boolean {
  const { each = false, baseline, "write-baseline": written, threads } = values;
  if (each || (baseline ?? written ?? threads) !== undefined || names.length > 2) return true;
  return names.some((name) => {
    const kind = statSync(name, { throwIfNoEntry: false });
    return kind === undefined ? name !== "-" && isPattern(name) : kind.isDirectory();
  });
}

async function lintMany(
  names: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const { session, all = false, version, schema } = values;
  const only = session !== undefined ? "--session" : all ? "--all" : undefined;
  if (only !== undefined || names.includes("-"))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use ${only ?? "standard input"} with several recordings`,
      {},
      "Give one recording",
    );
  if (names.length === 0) readRecordingNames("lint", "judge", names);
  const files = await findRecordings(names);
  const asked = values.protocol ?? (await recordedProtocol(files[0]?.file));
  const protocol = await openProtocol(asked, readingOptions(values));
  const host = values.host === undefined ? undefined : await readHost(values.host, protocol.source);
  const severities = readSeverities(values.severity, knownRules(protocol.sessionRules, host));
  const { lintBatch } = await import("./lint-batch.js");
  return lintBatch(
    {
      files,
      severities,
      version,
      schema,
      host: values.host,
      dialect: values.dialect,
      protocol: asked,
      profile: values.profile,
      format: values.format,
      failOn: values["fail-on"],
      baseline: values.baseline,
      threads: values.threads,
      writeBaseline: values["write-baseline"],
    },
    protocol,
    terminal,
  );
}

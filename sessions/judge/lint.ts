import * as option from "../../runtime/base/check-options.js";
import { readHost, type HostTable } from "./host-table.js";
import { RecordingJudge } from "./judge-recording.js";
import { type LintFinding, listRules } from "./rules.js";
import type { Severity } from "../../generator/base/severity.js";
import type { LintProfile } from "./session-state.js";
import { openProtocol, type OpenProtocol } from "./open-protocol.js";
import { openRecordingFiles, type RecordingInputFile } from "../read/recording-files.js";

/** Options for checking a recording. */
export interface LintFileOptions {
  /**
   * Name of a bundled protocol, such as `dap` or `dap@1.68.0`, path to a description, or the result
   * of `openProtocol`.
   */
  readonly protocol: string | OpenProtocol;
  /** How strict validation is. Default: `wire`. */
  readonly profile?: LintProfile;
  /**
   * The host to check for: a name such as `visual-studio`, the path to a file, or the result of
   * `readHost`.
   */
  readonly host?: string | HostTable;
  /** Severities by rule. They override the rules' own severities. `off` drops a rule's findings. */
  readonly severity?: Readonly<Record<string, Severity | "off">>;
  /** Name of the dialect used by the messages, such as `seq` for sqltools. */
  readonly dialect?: string;
  readonly signal?: AbortSignal;
}

const severities = option.oneOf("error", "warning", "info", "off");

const checks: option.OptionChecks<LintFileOptions> = {
  protocol: option.either(option.text, option.object),
  profile: option.oneOf("wire", "strict"),
  host: option.either(option.text, option.object),
  severity: option.recordOf(severities),
  dialect: option.text,
  signal: option.signal,
};

/**
 * Checks the sessions in a recording against all rules of its protocol as the recording is read.
 * Memory use is bounded.
 *
 * ```ts
 * for await (const { severity, rule, label, message } of lint("session.jsonl", { protocol: "dap" }))
 *   console.log(severity, rule, label, message);
 * ```
 *
 * @param files One file, one for each direction, or two recordings whose sessions follow each
 * other.
 * @throws TypeError immediately for unknown options. During iteration, TypeError for an unknown
 * rule, InputError if a file cannot be read, or the abort reason of `signal`.
 */
export function lint(
  files: RecordingInputFile | readonly RecordingInputFile[],
  options: LintFileOptions,
): AsyncGenerator<LintFinding, void> {
  option.checkOptions("lint", options, checks);
  if (options?.protocol === undefined)
    throw new TypeError('lint: the option "protocol" is missing (for example "dap")');
  const list = isList(files) ? files : [files];
  if (list.length < 1 || list.length > 2)
    throw new TypeError(`lint: pass one recording, or one for each direction, not ${list.length}`);
  return findingsOf(list, options);
}

async function* findingsOf(
  files: readonly RecordingInputFile[],
  { protocol: given, profile = "wire", host, severity = {}, dialect, signal }: LintFileOptions,
): AsyncGenerator<LintFinding, void> {
  signal?.throwIfAborted();
  const protocol = typeof given === "string" ? await openProtocol(given) : given;
  const table = typeof host === "string" ? await readHost(host, protocol.source) : host;
  const rules = listRules(protocol.sessionRules, table);
  option.checkOptions("lint", { severity }, { severity: option.recordOf(severities, rules) });
  const findings: LintFinding[] = [];
  const recording = await openRecordingFiles(files, protocol, { dialect, signal });
  const judge = new RecordingJudge(protocol, recording, {
    name: "",
    profile,
    rules: protocol.sessionRules,
    host: table,
    severities: new Map(Object.entries(severity)),
    viewer: { onEntry: () => undefined, onFinding: (finding) => findings.push(finding) },
  });
  for await (const { entries } of recording.batches()) {
    for (const entry of entries) {
      judge.push(entry);
      yield* findings.splice(0);
    }
    signal?.throwIfAborted();
  }
  judge.end();
  yield* findings.splice(0);
}

function isList(
  files: RecordingInputFile | readonly RecordingInputFile[],
): files is readonly RecordingInputFile[] {
  return Array.isArray(files);
}

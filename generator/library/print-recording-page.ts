import { checkArguments, list, protocolModel } from "../base/check-arguments.js";
import { basename } from "node:path";
import * as option from "../../runtime/base/check-options.js";
import { RecordingPage, type JudgedPage } from "../inspector/inspect-recording.js";
import type { HostTable } from "../lint/host-table.js";
import { judgeRecording } from "../lint/judge-recording.js";
import type { LintProfile } from "../lint/state/session-state.js";
import { listRules } from "../lint/rule-list.js";
import { openProtocol, type OpenProtocol } from "./open-protocol.js";
import { namesOf, openRecordingFiles } from "./recording-files.js";

/** Options of `printRecordingPage`. */
export interface RecordingPageOptions {
  /** Default: `wire`. */
  readonly profile?: LintProfile;
  /** Name of the dialect of the protocol that the messages are in. */
  readonly dialect?: string | undefined;
  /**
   * The program on the other side. The session is also checked against the rules of this program.
   */
  readonly host?: HostTable | undefined;
  /** Called regularly with the amount read so far. */
  readonly onProgress?: (messages: number, bytes: number) => void;
}

const checks: option.OptionChecks<RecordingPageOptions> = {
  profile: option.oneOf("wire", "strict"),
  dialect: option.text,
  host: option.object,
  onProgress: option.callback,
};

/**
 * The page of a recorded session, like that of `wirewright view`: one HTML file, which loads
 * nothing.
 *
 * @param files A recording, or the two directions of one.
 * @param protocol A bundled protocol, such as `dap`, or the result of `openProtocol`.
 * @throws TypeError for an unknown option; InputError if a file cannot be read.
 */
export async function printRecordingPage(
  files: readonly string[],
  protocol: string | OpenProtocol,
  options: RecordingPageOptions = {},
): Promise<string> {
  option.checkOptions("printRecordingPage", options, checks);
  checkArguments("printRecordingPage", {
    files: [files, list],
    protocol: [protocol, option.either(option.text, protocolModel)],
  });
  const opened = typeof protocol === "string" ? await openProtocol(protocol) : protocol;
  const { page, report, rules, recording } = await judgePage(files, opened, options);
  return page.print(report, rules, recording);
}

/**
 * Judges a recorded session for its page. @param isCompared Whether the page shows another session
 * next to it.
 */
export async function judgePage(
  files: readonly string[],
  protocol: OpenProtocol,
  { profile = "wire", dialect, host, onProgress = () => undefined }: RecordingPageOptions,
  isCompared = false,
): Promise<JudgedPage> {
  const { sessionRules: rules } = protocol;
  const recording = await openRecordingFiles(files, protocol, { dialect });
  const page = new RecordingPage(protocol, undefined, isCompared);
  const report = await judgeRecording(recording, protocol, {
    name: namesOf(files)
      .map((file) => basename(file))
      .join(" "),
    profile,
    rules,
    host,
    severities: new Map(),
    viewer: page,
    onProgress,
  });
  return { page, report, rules: listRules(rules, host), recording };
}

import { basename } from "node:path";
import * as option from "../../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../../../generator/base/check-arguments.js";
import { RecordingPage, type JudgedPage } from "./inspect-recording.js";
import type { HostTable } from "../../judge/host-table.js";
import { judgeRecording } from "../../judge/judge-recording.js";
import type { LintProfile } from "../../judge/session-state.js";
import { listRules } from "../../judge/rules.js";
import { openProtocol, type OpenProtocol } from "../../judge/open-protocol.js";
import { namesOf, openRecordingFiles } from "../../read/recording-files.js";

/** Options for `printRecordingPage`. */
export interface RecordingPageOptions {
  /** How strict validation is. Default: `wire`. */
  readonly profile?: LintProfile;
  /** Name of the dialect used by the messages. */
  readonly dialect?: string | undefined;
  /** The host to check for. The session is then also checked against this host's rules. */
  readonly host?: HostTable | undefined;
  /** Called regularly with the number of bytes and messages read so far. */
  readonly onProgress?: (messages: number, bytes: number) => void;
}

const checks: option.OptionChecks<RecordingPageOptions> = {
  profile: option.oneOf("wire", "strict"),
  dialect: option.text,
  host: option.object,
  onProgress: option.callback,
};

/**
 * Prints the page for a recorded session, as `wirewright view` does. The page is a single
 * self-contained HTML file.
 *
 * @param files A recording, or its two directions.
 * @param protocol A bundled protocol, such as `dap`, or the result of `openProtocol`.
 * @throws TypeError for an unknown option. InputError if a file cannot be read.
 */
export async function printRecordingPage(
  files: readonly string[],
  protocol: string | OpenProtocol,
  options: RecordingPageOptions = {},
): Promise<string> {
  option.checkOptions("printRecordingPage", options, checks);
  checkArguments("printRecordingPage", {
    files: [files, option.listOf(option.anything)],
    protocol: [protocol, option.either(option.text, protocolModel)],
  });
  const opened = typeof protocol === "string" ? await openProtocol(protocol) : protocol;
  const { page, report, rules, recording } = await judgePage(files, opened, options);
  return page.print(report, rules, recording);
}

/**
 * Checks a recorded session and builds its page.
 *
 * @param isCompared Whether the page will show another session next to this one.
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

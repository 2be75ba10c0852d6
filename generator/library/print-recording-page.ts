import { basename } from "node:path";
import { RecordingPage } from "../inspector/inspect-recording.js";
import type { HostTable } from "../lint/host-table.js";
import { judgeRecording } from "../lint/judge-recording.js";
import type { LintProfile } from "../lint/state/session-state.js";
import { listRules } from "../lint/rule-list.js";
import { openProtocol, type OpenProtocol } from "./open-protocol.js";
import { namesOf, openRecordingFiles } from "./recording-files.js";

export interface RecordingPageOptions {
  /** Default: `wire`. */
  readonly profile?: LintProfile;
  readonly dialect?: string | undefined;
  readonly host?: HostTable | undefined;
  readonly onProgress?: (messages: number, bytes: number) => void;
}

/**
 * The page of a recorded session, as `wirewright view` makes it: one file of HTML, which loads nothing.
 *
 * @param files A recording, or the two directions of one.
 * @param protocol A bundled protocol, such as `dap`, or what `openProtocol` returns.
 */
export async function printRecordingPage(
  files: readonly string[],
  protocol: string | OpenProtocol,
  { profile = "wire", dialect, host, onProgress = () => undefined }: RecordingPageOptions = {},
): Promise<string> {
  const opened = typeof protocol === "string" ? await openProtocol(protocol) : protocol;
  const { sessionRules: rules } = opened;
  const recording = await openRecordingFiles(files, opened, { dialect });
  const page = new RecordingPage(opened);
  const report = await judgeRecording(recording, opened, {
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
  return page.print(report, listRules(rules, host), recording);
}

import * as option from "../../../runtime/base/check-options.js";
import { collectStats, type RecordingStats } from "./session-stats.js";
import { openProtocol, type OpenProtocol } from "../../judge/open-protocol.js";
import { openRecordingFiles, type RecordingInputFile } from "../../read/recording-files.js";

/** Options for `stats`. */
export interface StatsOptions {
  /**
   * Name of a bundled protocol, such as `dap` or `dap@1.68.0`, path to a description, or the result
   * of `openProtocol`.
   */
  readonly protocol: string | OpenProtocol;
  readonly signal?: AbortSignal;
}

const checks: option.OptionChecks<StatsOptions> = {
  protocol: option.either(option.text, option.object),
  signal: option.signal,
};

/**
 * Counts the messages in a recording by request and event, with failures, response times and bytes.
 * Memory use is bounded.
 *
 * @throws TypeError for unknown options. InputError if the recording cannot be read. The reason of
 * `signal` if it is aborted.
 */
export async function sessionStats(
  file: RecordingInputFile,
  options: StatsOptions,
): Promise<RecordingStats> {
  option.checkOptions("sessionStats", options, checks);
  if (options?.protocol === undefined)
    throw new TypeError('sessionStats: the option "protocol" is missing (for example "dap")');
  const { protocol: given, signal } = options;
  const protocol = typeof given === "string" ? await openProtocol(given) : given;
  const recording = await openRecordingFiles([file], protocol, { signal });
  return collectStats(recording, protocol, typeof file === "string" ? file : "", () =>
    signal?.throwIfAborted(),
  );
}

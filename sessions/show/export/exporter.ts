import type { StreamedFile } from "../../../generator/output/streamed-file.js";
import { judgeRecording, type JudgeOptions } from "../../judge/judge-recording.js";
import type { LintedProtocol } from "../../judge/lint-options.js";
import type { LintReport } from "../../judge/report.js";
import type { LintFinding } from "../../judge/rules.js";
import type { OpenRecording } from "../../read/recording.js";
import { EntryReader, type ReadEntry } from "../exchanges/entry-reader.js";
import type { TreeSession } from "../exchanges/session-tree.js";

/** Writes the entries of a recording as they are read. */
export interface Exporter {
  /** Adds an entry. Sessions are numbered from 1. */
  push(entry: ReadEntry): void;
  /** Adds a finding about the latest entry or an earlier message. */
  find(finding: LintFinding, session: number): void;
  /** Writes the items that are complete so far. */
  flush(): Promise<void>;
  /**
   * Writes all remaining items and completes the output.
   *
   * @param sessions All sessions, with their parents.
   */
  end(sessions: readonly TreeSession[]): Promise<void>;
  /** Removes the output written so far, after the export has failed. */
  drop(): Promise<void>;
}

/**
 * Reads and checks a recording, and passes its entries and findings to an exporter. Memory use is
 * bounded.
 *
 * @param onProgress Called with the number of messages and bytes read so far.
 */
export async function exportRecording(
  recording: OpenRecording,
  protocol: LintedProtocol,
  exporter: Exporter,
  options: Omit<JudgeOptions, "viewer" | "onProgress">,
  onProgress?: (messages: number, bytes: number) => void,
): Promise<LintReport> {
  const reader = new EntryReader(protocol);
  try {
    const report = await judgeRecording(recording, protocol, {
      ...options,
      viewer: {
        onEntry: ({ session = 1, ...entry }) => exporter.push(reader.read({ ...entry, session })),
        onFinding: (finding) => exporter.find(finding, finding.session ?? 1),
      },
      async onProgress(messages, bytes) {
        await exporter.flush();
        onProgress?.(messages, bytes);
      },
    });
    await exporter.end(reader.tree.list);
    return report;
  } catch (error) {
    await exporter.drop();
    throw error;
  }
}

/** JSON text that is written piece by piece. */
export class TextOutput {
  readonly #file: StreamedFile;
  #waiting: string[] = [];

  constructor(file: StreamedFile) {
    this.#file = file;
  }

  add(text: string): void {
    this.#waiting.push(text);
  }

  async flush(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    if (text !== "") await this.#file.write(text);
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#file.finish();
  }

  drop(): Promise<void> {
    return this.#file.drop();
  }
}

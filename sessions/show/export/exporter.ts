import type { StreamedFile } from "../../../generator/output/streamed-file.js";
import { judgeRecording, type JudgeOptions } from "../../judge/judge-recording.js";
import type { LintedProtocol } from "../../judge/lint-options.js";
import type { LintReport } from "../../judge/report.js";
import type { LintFinding } from "../../judge/rules.js";
import { gistOf, MessageSummaries } from "../../read/message-summary.js";
import type { OpenRecording, RecordedEntry } from "../../read/recording.js";
import { MessageTracker, type TrackedMessage } from "../exchanges/message-tracker.js";
import { ProgramMoves, type ProgramMove } from "../exchanges/program-moves.js";
import { SessionTree, type TreeSession } from "../exchanges/session-tree.js";

/** An entry of a recording, along with the information about it that exports need. */
export interface ExportedEntry {
  readonly entry: RecordedEntry;
  /** Number of the session to which the entry belongs, starting at 1. */
  readonly session: number;
  /** The entry's message. Absent if the entry is not a message. */
  readonly message?: TrackedMessage;
  /** A short summary of the most important values. */
  readonly summary: string;
  /** Set if the message stopped or resumed the program or one of its threads. */
  readonly move?: ProgramMove;
}

/** Writes the entries of a recording as they are read. */
export interface Exporter {
  push(entry: ExportedEntry): void;
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
  const feed = new ExportFeed(protocol, exporter);
  try {
    const report = await judgeRecording(recording, protocol, {
      ...options,
      viewer: {
        onEntry: (entry) => feed.push(entry),
        onFinding: (finding) => exporter.find(finding, finding.session ?? 1),
      },
      async onProgress(messages, bytes) {
        await exporter.flush();
        onProgress?.(messages, bytes);
      },
    });
    await exporter.end(feed.tree.list);
    return report;
  } catch (error) {
    await exporter.drop();
    throw error;
  }
}

/** Converts the entries of a recording to the form that exports use. */
class ExportFeed {
  readonly #protocol: LintedProtocol;
  readonly #exporter: Exporter;
  readonly #tracker: MessageTracker;
  readonly #summaries: MessageSummaries;
  readonly #moves: ProgramMoves;
  readonly tree = new SessionTree();

  constructor(protocol: LintedProtocol, exporter: Exporter) {
    this.#protocol = protocol;
    this.#exporter = exporter;
    this.#tracker = new MessageTracker(protocol);
    this.#summaries = new MessageSummaries(protocol);
    this.#moves = new ProgramMoves(protocol, protocol.sessionRules ?? {});
  }

  push(entry: RecordedEntry): void {
    const { session = 1, message: value } = entry;
    if (value === undefined) {
      const summary = entry.printed ?? entry.ended ?? entry.fault?.message ?? "";
      return this.#exporter.push({ entry, session, summary });
    }
    const message = this.#tracker.read(entry);
    const summary =
      this.#summaries.textOf(value, message.name) || gistOf(value, message.kind, this.#protocol);
    if (message.kind === "request") {
      const isOpener = message.from === this.#protocol.roles[0];
      const { payload } = this.#protocol.envelope.request;
      const content = (value as Readonly<Record<string, unknown>>)[payload ?? ""];
      this.tree.follow(session, isOpener, content, summary, message.index);
    }
    const move = this.#moves.read(message, session, value);
    this.#exporter.push({
      entry,
      session,
      message,
      summary,
      move,
    });
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

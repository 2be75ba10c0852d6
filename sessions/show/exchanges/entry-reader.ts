import type { LintedMessage, LintedProtocol } from "../../judge/lint-options.js";
import { gistOf, MessageSummaries } from "../../read/message-summary.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { MessageTracker, type TrackedMessage } from "./message-tracker.js";
import { ProgramMoves, type ProgramMove } from "./program-moves.js";
import { SessionTree } from "./session-tree.js";

/** An entry of a recording, along with the information about it that pages and exports show. */
export interface ReadEntry {
  readonly entry: RecordedEntry;
  /** Number of the session to which the entry belongs, or 0 if there is only one session. */
  readonly session: number;
  /** The entry's message. Absent if the entry is not a message. */
  readonly message?: TrackedMessage;
  /** A short summary of the most important values. */
  readonly summary: string;
  /** Set if the message stopped or resumed the program or one of its threads. */
  readonly move?: ProgramMove;
}

/** Reads the entries of a recording in order. */
export class EntryReader {
  /** The sessions so far, with their parents. */
  readonly tree = new SessionTree();
  readonly #protocol: LintedProtocol;
  readonly #tracker: MessageTracker;
  readonly #summaries: MessageSummaries;
  readonly #moves: ProgramMoves;

  constructor(protocol: LintedProtocol) {
    this.#protocol = protocol;
    this.#tracker = new MessageTracker(protocol);
    this.#summaries = new MessageSummaries(protocol);
    this.#moves = new ProgramMoves(protocol, protocol.sessionRules ?? {});
  }

  /** @param judged What lint knows about the message, if the recording is also checked. */
  read(entry: RecordedEntry, judged?: LintedMessage): ReadEntry {
    const { session = 0, message: value } = entry;
    if (value === undefined)
      return {
        entry,
        session,
        summary: entry.printed ?? entry.ended ?? entry.fault?.message ?? "",
      };
    const message: TrackedMessage = { ...this.#tracker.read(entry), ...judged };
    const summary =
      this.#summaries.textOf(value, message.name) || gistOf(value, message.kind, this.#protocol);
    if (message.kind === "request") {
      const isOpener = message.from === this.#protocol.roles[0];
      const { payload = "" } = this.#protocol.envelope.request;
      const content = (value as Readonly<Record<string, unknown>>)[payload];
      this.tree.follow(session, isOpener, content, summary, message.index);
    }
    return { entry, session, message, summary, move: this.#moves.read(message, session, value) };
  }
}

import type { Protocol } from "../../../generator/model/protocol.js";
import type { LintedMessage } from "../../judge/lint-options.js";
import type { LintFinding } from "../../judge/rules.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { gistOf, MessageSummaries } from "../../read/message-summary.js";
import { shortText } from "../../read/remembered.js";
import { ProgramMoves, type MoveTable } from "../exchanges/program-moves.js";
import { SessionTree } from "../exchanges/session-tree.js";
import {
  rowKinds,
  type PageFinding,
  type RowBlock,
  type RowColumns,
  type RowKind,
  type RowMove,
} from "./page-data.js";

/** Maximum number of rows in a block, and maximum number of characters in its messages. */
const blockRows = 4_096;
const blockLength = 512 * 1024;

/**
 * Maximum length of a message. Longer messages are truncated, because a browser could not open the
 * page otherwise.
 */
const maxMessageLength = 8 * 1024 * 1024;

/** Maximum length of a name or an id. */
const maxNameLength = 200;

/** Maximum number of pending requests that have the same name. */
const maxUnnumbered = 1_000;

/** Maximum number of distinct names. */
const maxNames = 10_000;

type Columns = {
  -readonly [Key in keyof RowColumns]: RowColumns[Key] extends readonly (infer Value)[]
    ? Value[]
    : Key extends "unknown"
      ? Record<number, readonly string[]>
      : Key extends "moves"
        ? Record<number, RowMove>
        : RowColumns[Key];
};

/** Rows and their messages, as one line of JSON per row. */
export interface CollectedBlock extends RowBlock {
  readonly messages: readonly string[];
}

/** Converts the messages in a recording to the rows of a page. */
export class RowCollector {
  readonly #protocol: Protocol;
  readonly #onBlock: (block: CollectedBlock) => void;
  readonly #summaries: MessageSummaries;
  readonly tree = new SessionTree();
  readonly #moves: ProgramMoves;
  /** Rows of messages, by session and message number. */
  readonly #rows = new Map<number, RowNumbers>();
  readonly #names = new Map<string, number>();
  /** Pending requests whose ids are omitted from the log, by session, sender and name. */
  readonly #unnumbered = new Map<string, { readonly row: number; readonly time?: number }[]>();
  #next = 0;
  #columns = emptyColumns(0);
  #newNames: string[] = [];
  #messages: string[] = [];
  #length = 0;

  /**
   * @param rules The protocol's session rules.
   * @param onBlock Called with a block of rows once it is full.
   */
  constructor(
    protocol: Protocol,
    rules: MoveTable | undefined,
    onBlock: (block: CollectedBlock) => void,
  ) {
    this.#protocol = protocol;
    this.#moves = new ProgramMoves(protocol, rules ?? {});
    this.#summaries = new MessageSummaries(protocol);
    this.#onBlock = onBlock;
  }

  /** Number of rows so far. */
  get count(): number {
    return this.#next;
  }

  /** Creates empty columns that will begin with the next row. */
  noRows(): RowColumns {
    return emptyColumns(this.#next);
  }

  /** Forgets the rows of messages that precede the given row. */
  forgetBefore(row: number): void {
    for (const rows of this.#rows.values()) rows.forgetBefore(row);
  }

  /**
   * Adds a row for an entry.
   *
   * @param message The entry's message. Absent if the entry is not a message.
   */
  push(entry: RecordedEntry, message?: LintedMessage): void {
    const { session = 0, line = 0 } = entry;
    const { kind, value, text: entryText } = readEntry(entry, message);
    const from = this.#protocol.roles.indexOf(message?.from ?? entry.from ?? "");
    const summary =
      message === undefined
        ? entryText
        : this.#summaries.textOf(value, message.name) || gistOf(value, kind, this.#protocol);
    const rows = this.#rowsOf(session);
    if (message !== undefined) rows.set(message.index, this.#next);
    if (message?.kind === "request")
      this.tree.follow(session, from === 0, this.#payloadOf(value), summary);
    const text = jsonLine(value);
    const columns = this.#columns;
    columns.kind.push(rowKinds.indexOf(kind));
    columns.from.push(from);
    columns.name.push(message?.name === undefined ? -1 : this.#nameOf(message.name));
    columns.session.push(session);
    columns.index.push(message?.index ?? rows.last);
    columns.id.push(this.#idOf(value, kind));
    columns.failed.push(message?.hasFailed === true ? 1 : 0);
    columns.time.push(entry.time === undefined ? null : rounded(entry.time));
    const request = kind === "response" ? this.#requestOf(message!, entry) : undefined;
    const latency = message?.latency ?? request?.latency;
    columns.latency.push(latency === undefined ? null : rounded(latency));
    columns.answers.push(request?.row ?? -1);
    if (kind === "request") this.#rememberUnnumbered(message!, entry);
    columns.size.push(Buffer.byteLength(text));
    columns.line.push(line);
    columns.summary.push(shortText(summary, maxNameLength));
    const move = message && this.#moves.read(message, session, value);
    if (move !== undefined)
      columns.moves[this.#messages.length] = [
        move.isStop ? 1 : 0,
        move.thread ?? null,
        Math.max(0, rows.rowOf(move.since)),
      ];
    if (entry.unknown !== undefined) columns.unknown[this.#messages.length] = entry.unknown;
    this.#messages.push(text);
    this.#length += text.length;
    this.#next++;
    if (this.#messages.length >= blockRows || this.#length >= blockLength) this.flush();
  }

  /**
   * Converts a finding about the latest entry or an earlier message to the form that the page uses.
   */
  place({
    session = 0,
    index,
    rule,
    severity,
    outcome,
    from,
    label,
    pointer,
    message,
  }: LintFinding): PageFinding {
    const row = label === "bytes" ? this.#next - 1 : (this.#rows.get(session)?.rowOf(index) ?? -1);
    return {
      row,
      rule,
      severity,
      outcome,
      from,
      label,
      pointer,
      message,
    };
  }

  /** Passes the rows collected so far to `onBlock`. */
  flush(): void {
    if (this.#messages.length === 0) return;
    const block = { rows: this.#columns, names: this.#newNames, messages: this.#messages };
    this.#columns = emptyColumns(this.#next);
    this.#newNames = [];
    this.#messages = [];
    this.#length = 0;
    this.#onBlock(block);
  }

  /**
   * Returns the row of the request that a response answers. If the log omits request ids, this is
   * the oldest unanswered request with the same name.
   */
  #requestOf(
    { from, name, answers }: LintedMessage,
    { session = 0, time }: RecordedEntry,
  ): { readonly row: number; readonly latency?: number } | undefined {
    if (answers !== undefined) return { row: this.#rows.get(session)?.rowOf(answers) ?? -1 };
    const requester = this.#protocol.roles.find((role) => role !== from)!;
    const request = this.#unnumbered.get(`${session} ${requester} ${name}`)?.shift();
    if (request === undefined) return undefined;
    if (time === undefined || request.time === undefined) return { row: request.row };
    return { row: request.row, latency: time - request.time };
  }

  #rememberUnnumbered({ from, name }: LintedMessage, entry: RecordedEntry): void {
    const { id } = this.#protocol.envelope;
    if (id === undefined || entry.unknown?.includes(`/${id}`) !== true) return;
    const key = `${entry.session ?? 0} ${from} ${name}`;
    const waiting = this.#unnumbered.get(key) ?? [];
    if (waiting.length === maxUnnumbered || this.#unnumbered.size === maxNames) return;
    this.#unnumbered.set(key, waiting);
    waiting.push({ row: this.#next, time: entry.time });
  }

  #rowsOf(session: number): RowNumbers {
    let rows = this.#rows.get(session);
    if (rows === undefined) this.#rows.set(session, (rows = new RowNumbers()));
    return rows;
  }

  #nameOf(name: string): number {
    const short = shortText(name, maxNameLength);
    const index = this.#names.get(short);
    if (index !== undefined) return index;
    if (this.#names.size === maxNames) return -1;
    this.#names.set(short, this.#names.size);
    this.#newNames.push(short);
    return this.#names.size - 1;
  }

  #idOf(value: object, kind: string): number | string {
    const { id, replyTo } = this.#protocol.envelope;
    const field = kind === "response" ? replyTo : kind === "request" ? id : undefined;
    const number = field === undefined ? "" : (value as Record<string, unknown>)[field];
    if (typeof number === "number" && Number.isFinite(number)) return number;
    return typeof number === "string" ? shortText(number, maxNameLength) : "";
  }

  #payloadOf(value: object): unknown {
    const { payload } = this.#protocol.envelope.request;
    return (value as Record<string, unknown>)[payload ?? ""];
  }
}

/**
 * Returns the kind of row that an entry becomes, and its JSON. For an entry that is not a message,
 * also returns its text.
 */
function readEntry(
  { message: value, fault, printed, ended }: RecordedEntry,
  message: LintedMessage | undefined,
): { readonly kind: RowKind; readonly value: object; readonly text: string } {
  if (message !== undefined)
    return { kind: message.kind === "none" ? "other" : message.kind, value: value!, text: "" };
  if (printed !== undefined) return { kind: "text", value: { printed }, text: printed };
  if (ended !== undefined) return { kind: "end", value: { ended }, text: ended };
  const { code = "ERR_NOISE", message: text = "" } = fault ?? {};
  return { kind: code === "ERR_NOISE" ? "noise" : "fault", value: { [code]: text }, text };
}

function emptyColumns(first: number): Columns {
  return {
    first,
    kind: [],
    from: [],
    name: [],
    session: [],
    index: [],
    id: [],
    failed: [],
    time: [],
    latency: [],
    answers: [],
    size: [],
    line: [],
    summary: [],
    unknown: {},
    moves: {},
  };
}

/** Returns a message as one line of JSON. Strings that contain invalid Unicode are escaped. */
function jsonLine(value: object): string {
  const text = JSON.stringify(value) ?? "null";
  if (text.length <= maxMessageLength) return text;
  return JSON.stringify({
    "…": `The message has ${text.length} characters. The page shows only the beginning.`,
    begins: text.slice(0, 10_000),
  });
}

/** Rounds a time to microseconds, to save digits. */
function rounded(time: number): number {
  return Math.round(time * 1_000) / 1_000;
}

/** The rows of a session's messages, by message number. Message numbers only increase. */
class RowNumbers {
  /** Number of the message to which the first remembered row belongs. */
  #first = 1;
  #rows: number[] = [];

  /** Number of the latest message. */
  get last(): number {
    return this.#first + this.#rows.length - 1;
  }

  set(index: number, row: number): void {
    if (this.#rows.length === 0) this.#first = index;
    this.#rows[index - this.#first] = row;
  }

  /** Returns the row of a message, or -1 if it is unknown or has been forgotten. */
  rowOf(index: number): number {
    return this.#rows[index - this.#first] ?? -1;
  }

  /** Forgets all rows before the given row. */
  forgetBefore(row: number): void {
    const first = this.#rows.findIndex((other) => other >= row);
    const count = first < 0 ? this.#rows.length : first;
    if (count === 0) return;
    this.#first += count;
    this.#rows = this.#rows.slice(count);
  }
}

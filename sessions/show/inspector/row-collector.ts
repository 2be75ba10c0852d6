import { shortText } from "../../read/remembered.js";
import type { LintedMessage, LintedProtocol } from "../../judge/lint-options.js";
import type { LintFinding } from "../../judge/rules.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { EntryReader, type ReadEntry } from "../exchanges/entry-reader.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { PageFinding, PageRow, RowKind } from "./page-data.js";

/** Maximum number of rows in a block, and maximum number of characters in its messages. */
const blockRows = 4_096;
const blockLength = 512 * 1024;

/**
 * Maximum length of a message. Longer messages are truncated, because a browser could not open the
 * page otherwise.
 */
const maxMessageLength = 8 * 1024 * 1024;

/** Maximum length of a name, an id or a summary. */
const maxTextLength = 200;

/** Consecutive rows, their messages as JSON, and the findings since the block before. */
export interface RowBlock {
  readonly rows: readonly PageRow[];
  readonly messages: readonly string[];
  readonly findings: readonly PageFinding[];
}

/** Converts the entries of a recording, and the findings about them, to the rows of a page. */
export class RowCollector {
  readonly #protocol: LintedProtocol;
  readonly #onBlock: (block: RowBlock) => void;
  readonly #reader: EntryReader;
  /** Rows of messages, by session and message number. */
  readonly #rows = new Map<number, number[]>();
  #count = 0;
  #block = emptyBlock();
  #length = 0;

  /** @param onBlock Called with a block once it is full. */
  constructor(protocol: LintedProtocol, onBlock: (block: RowBlock) => void) {
    this.#protocol = protocol;
    this.#reader = new EntryReader(protocol);
    this.#onBlock = onBlock;
  }

  /** The sessions so far. */
  get sessions(): readonly TreeSession[] {
    return this.#reader.tree.list;
  }

  /**
   * Adds a row for an entry, and returns it.
   *
   * @param judged What lint knows about the entry's message, if the recording is also checked.
   */
  push(entry: RecordedEntry, judged?: LintedMessage): PageRow {
    const read = this.#reader.read(entry, judged);
    const { kind, value } = contentOf(read);
    const text = jsonLine(value);
    const row = this.#rowOf(read, kind, value, Buffer.byteLength(text));
    this.#count++;
    this.#block.rows.push(row);
    this.#block.messages.push(text);
    this.#length += text.length;
    if (this.#block.rows.length >= blockRows || this.#length >= blockLength) this.flush();
    return row;
  }

  /** Adds a finding about the latest entry or an earlier message. */
  find({ session = 0, index, ...finding }: LintFinding): void {
    const { rule, severity, outcome, from, label, pointer, message } = finding;
    const row = label === "bytes" ? this.#count - 1 : (this.#rows.get(session)?.[index] ?? -1);
    this.#block.findings.push({ row, rule, severity, outcome, from, label, pointer, message });
  }

  /** Passes the rows and findings collected so far to `onBlock`, if there are any. */
  flush(): void {
    const block = this.#block;
    if (block.rows.length + block.findings.length === 0) return;
    this.#block = emptyBlock();
    this.#length = 0;
    this.#onBlock(block);
  }

  #rowOf(
    { entry, session, message, summary, move }: ReadEntry,
    kind: RowKind,
    value: object,
    size: number,
  ): PageRow {
    const rows = this.#rows.get(session) ?? [-1];
    this.#rows.set(session, rows);
    if (message !== undefined) rows[message.index] = this.#count;
    const { from = entry.from, name = "", hasFailed = false, answers, latency } = message ?? {};
    const role = this.#protocol.roles.indexOf(from ?? "");
    return {
      number: this.#count,
      kind,
      from: role < 0 ? undefined : (role as 0 | 1),
      name: shortText(name, maxTextLength),
      session,
      index: message?.index ?? rows.length - 1,
      id: this.#idOf(value, kind),
      hasFailed,
      time: rounded(entry.time),
      latency: rounded(latency),
      answers: answers === undefined ? undefined : rows[answers],
      size,
      line: entry.line,
      summary: shortText(summary, maxTextLength),
      unknown: entry.unknown,
      move: move && { ...move, since: rows[move.since] ?? 0 },
    };
  }

  #idOf(value: object, kind: RowKind): number | string {
    const { id, replyTo } = this.#protocol.envelope;
    const field = kind === "response" ? replyTo : kind === "request" ? id : undefined;
    const number = field === undefined ? "" : (value as Record<string, unknown>)[field];
    if (typeof number === "number" && Number.isFinite(number)) return number;
    return typeof number === "string" ? shortText(number, maxTextLength) : "";
  }
}

function emptyBlock(): { rows: PageRow[]; messages: string[]; findings: PageFinding[] } {
  return { rows: [], messages: [], findings: [] };
}

/** Returns the kind of row that an entry becomes, and what is shown as its message. */
function contentOf({ entry, message }: ReadEntry): {
  readonly kind: RowKind;
  readonly value: object;
} {
  const { message: value, fault, printed, ended } = entry;
  if (message !== undefined)
    return { kind: message.kind === "none" ? "other" : message.kind, value: value! };
  if (printed !== undefined) return { kind: "text", value: { printed } };
  if (ended !== undefined) return { kind: "end", value: { ended } };
  const { code = "ERR_NOISE", message: text = "" } = fault ?? {};
  return { kind: code === "ERR_NOISE" ? "noise" : "fault", value: { [code]: text } };
}

/** Returns a message as one line of JSON. Strings that contain invalid Unicode are escaped. */
function jsonLine(value: object): string {
  const text = JSON.stringify(value);
  if (text.length <= maxMessageLength) return text;
  return JSON.stringify({
    "…": `The message has ${text.length} characters. The page shows only the beginning.`,
    begins: text.slice(0, 10_000),
  });
}

/** Rounds a time to microseconds, to save digits. */
function rounded(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.round(time * 1_000) / 1_000;
}

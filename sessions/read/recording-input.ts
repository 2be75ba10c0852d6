import { InputError } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { visible } from "../../generator/base/visible-text.js";
import { ByteBuffer } from "../../runtime/base/byte-buffer.js";
import { isLimit, parsedText } from "./json-lines.js";
import { dialectOf, readerOfDialect } from "./message-dialect.js";
import { MessageReader } from "./message-reader.js";
import type { EntryBatch, EntryReader, RecordedEntry } from "./recorded-entry.js";
import { shortText } from "./remembered.js";
import { openReader, type RecordingFormat, windowBytes } from "./recording-format.js";
import { answersItself, InferredSenders } from "./senders.js";

/** Approximate limits on how many entries, and how many bytes, are read ahead. */
export interface ReadAhead {
  readonly bytes: number;
  readonly entries: number;
}

export const defaultReadAhead: ReadAhead = { bytes: 4 * 1024 * 1024, entries: 20_000 };

export interface RecordingInputOptions {
  /** Whether this is one of two files that each contain one direction of the session. */
  readonly isDirection: boolean;
  /** Limits on the entries that are held back until their senders have been determined. */
  readonly readAhead: ReadAhead;
  /** The senders of messages in a log, by a part of the words in front of them. */
  readonly senders?: ReadonlyMap<string, string> | undefined;
  /** Name of the dialect in which the messages are written. */
  readonly dialect?: string | undefined;
}

/**
 * Reads one file of a recording as entries that name their senders.
 *
 * Some messages may come from either role. If only one role is certain to have sent messages, and
 * the file does not contain the responses to its requests, these messages are attributed to that
 * role. To find out, entries are held back until both roles have sent a message, or until enough
 * entries have been read. In a file that contains both directions, the senders are inferred.
 */
export class RecordingInput {
  readonly name: string;
  readonly #protocol: Protocol;
  readonly #options: RecordingInputOptions;
  /** The first bytes of the file. */
  readonly #start = new ByteBuffer();
  /** The format of the file, and its reader. Undefined until the format has been detected. */
  format: RecordingFormat | undefined;
  reader: EntryReader | undefined;
  /** Converts a message from its dialect. */
  readonly #convert: ((message: object) => object) | undefined;
  readonly #reader: MessageReader;
  /** Entries that have not been taken yet, and their size in the file. */
  #entries: RecordedEntry[] = [];
  #bytes = 0;
  /** Whether the senders of all entries read so far have been determined. */
  isDecided = false;
  /** Whether the file has been read to its end. */
  isOver = false;
  /** Number of entries read before the senders were determined. */
  #count = 0;
  /** Number of these entries that a role is certain to have sent, by role. */
  readonly #sentBy = new Map<string, number>();
  /** The roles that these entries name. */
  readonly #named = new Set<string>();
  /** Whether the first part of the file certainly contains both directions. */
  isWhole = false;
  /** The sender of every message that does not name another. */
  #onlyRole: string | undefined;
  /** Infers unknown senders. Undefined if the file contains only one direction. */
  #inferred: InferredSenders | undefined;
  #hasMessage = false;
  #hasFault = false;
  /** The first entry to exceed the maximum length or depth of a message. */
  #refused: RecordedEntry | undefined;

  constructor(name: string, protocol: Protocol, options: RecordingInputOptions) {
    const { dialect } = options;
    this.name = name;
    this.#protocol = protocol;
    this.#options = options;
    this.#reader = new MessageReader(protocol);
    this.#convert = dialect === undefined ? undefined : readerOfDialect(protocol, dialect);
  }

  /**
   * @throws InputError `ERR_MESSAGE` if a line names a sender that the protocol does not define.
   */
  push(bytes: Uint8Array): void {
    const { isDirection, readAhead } = this.#options;
    const missing = this.reader === undefined ? windowBytes - this.#start.length : 0;
    this.#start.append(bytes, 0, Math.min(missing, bytes.length));
    if (bytes.length >= missing) (this.reader ?? this.#open()).push(bytes.subarray(missing));
    const isClear = this.#sentBy.size > 1 && !isDirection;
    const isFull = this.#bytes >= readAhead.bytes || this.#count >= readAhead.entries;
    if (!this.isDecided && (isClear || isFull)) this.#decide();
  }

  /** @throws InputError `ERR_JSON` if the file contains neither a message nor a recorded fault. */
  end(): void {
    this.isOver = true;
    const reader = this.reader ?? this.#open();
    reader.end();
    // A recording made with `wirewright tap` may contain only other bytes and no messages.
    const hasEntry = this.#hasMessage || (this.#hasFault && reader.isRecording === true);
    if (!hasEntry) throw this.#noMessage();
    if (!this.isDecided) this.#decide();
  }

  #open(): EntryReader {
    const start = this.#start.bytes.subarray(0, this.#start.length);
    const add = (entry: RecordedEntry, bytes: number): void => this.#add(entry, bytes);
    const opened = openReader(this.name, this.#protocol, start, add, this.#options.senders);
    [this.format, this.reader] = opened;
    this.reader.push(start);
    return this.reader;
  }

  /**
   * Returns the next entries, or undefined at the end. Yields the file while more of it must be read.
   */
  *next(): Generator<RecordingInput, EntryBatch | undefined> {
    while (!this.isOver && (!this.isDecided || this.#entries.length === 0)) yield this;
    if (this.#entries.length === 0) return undefined;
    const entries = this.#entries.map((entry) => {
      // Text in a log has no sender.
      if (entry.printed !== undefined) return entry;
      const from = this.#inferred?.senderOf(entry) ?? entry.from ?? this.#onlyRole;
      return from === entry.from ? entry : { ...entry, from };
    });
    const bytes = this.#bytes;
    this.#entries = [];
    this.#bytes = 0;
    return { entries, bytes };
  }

  /** Whether the first part of the file contains messages from only one side. */
  get isOneSided(): boolean {
    return this.#sentBy.size <= 1 && this.#inferred === undefined;
  }

  /**
   * The only role known to have sent messages in the first part of the file. Undefined if both
   * roles, or neither, are known to have done so.
   */
  get onlySender(): string | undefined {
    return this.#sentBy.size === 1 ? [...this.#sentBy.keys()][0] : undefined;
  }

  /** Returns the share of the first entries that the given role sent, from 0 to 1. */
  shareOf(role: string): number {
    const certain = [...this.#sentBy.values()].reduce((sum, count) => sum + count, 0);
    const inferred = this.#onlyRole === role ? this.#count - certain : 0;
    return ((this.#sentBy.get(role) ?? 0) + inferred) / Math.max(1, this.#count);
  }

  #add(recorded: RecordedEntry, bytes: number): void {
    const { message } = recorded;
    const given =
      message === undefined || this.#convert === undefined
        ? recorded
        : {
            ...recorded,
            message: this.#convert(message),
            written: { message, dialect: this.#options.dialect! },
          };
    const envelope = this.#reader.envelopeOf(given.message);
    this.#note(given, envelope !== undefined);
    const from = given.from ?? (envelope && this.#reader.senderOf(envelope.kind, envelope.name));
    this.#entries.push(from === given.from ? given : { ...given, from });
    this.#bytes += bytes;
    if (this.isDecided || given.printed !== undefined) return;
    this.#count++;
    if (message === undefined || from === undefined) return;
    this.#sentBy.set(from, (this.#sentBy.get(from) ?? 0) + 1);
    if (given.from !== undefined) this.#named.add(from);
  }

  #decide(): void {
    this.isDecided = true;
    const isSelfContained = answersItself(this.#entries, this.#protocol);
    // A message that the wrong role has sent does not make a direction a whole recording.
    this.isWhole = this.#named.size > 1 || (this.#sentBy.size > 1 && isSelfContained);
    // A log may begin with a lot of text, which says nothing about the messages.
    const isOneDirection = this.#options.isDirection
      ? !this.isWhole
      : this.#count > 0 && this.#sentBy.size < 2 && !isSelfContained;
    if (isOneDirection) this.#onlyRole = this.onlySender;
    else this.#inferred = new InferredSenders(this.#protocol);
  }

  /**
   * Checks an entry to find out whether the file contains any messages. Lines of JSON count as a
   * recording only if one of them is a message or names its sender.
   */
  #note({ from, message, line, fault }: RecordedEntry, isMessage: boolean): void {
    if (fault !== undefined && isLimit(fault)) this.#refused ??= { line: line!, fault };
    else if (fault !== undefined && fault.code !== "ERR_LOST") this.#hasFault = true;
    if (message === undefined || this.#hasMessage) return;
    this.#hasMessage =
      from !== undefined ||
      this.format !== "lines" ||
      isMessage ||
      dialectOf(message, this.#protocol) !== undefined;
  }

  #noMessage(): InputError {
    const { line, fault } = this.#refused ?? {};
    const place = { file: this.name, ...(line === undefined ? {} : { line }) };
    const start = this.#start.bytes.subarray(0, this.#start.length);
    return fault === undefined
      ? new InputError(
          "ERR_JSON",
          "Cannot find any message in the recording",
          place,
          hintOf(start, this.reader!, this.#protocol),
        )
      : new InputError("ERR_JSON", `${fault.message}, and there are no other messages`, place);
  }
}

/** Maximum length of the first line in a hint. */
const maxShown = 60;

/** Matches what precedes the name of a message: a key, a kind, or an arrow and a connection. */
const beforeName =
  /(?:\b(?:method|command|request|response|result|notif(?:ication)?|event)\b(?:[^\w\n]|#?\d){1,9}|(?:[>→<←]|[<>]-{1,2}) ?(?:\S{1,40} )?)/i
    .source;
const nameSign = (names: RegExp): RegExp => new RegExp(`${beforeName}(?:${names.source})`, "i");
const keySign = (keys: string): RegExp => new RegExp(`\\b(?:${keys})\\b\\\\?["']?\\s*[:=]`);

/** How messages of other protocols look, in any notation. */
const signs: readonly (readonly [protocols: string, sign: RegExp])[] = [
  ["lsp", nameSign(/(?:textDocument|workspace|window)\/[a-z]\w+/)],
  ["lsp", keySign("rootUri")],
  ["acp", nameSign(/session\/(?:new|prompt|update)\b/)],
  ["mcp", nameSign(/(?:tools|resources|prompts|roots)\/[a-z]\w+|notifications\/\w+/)],
  ["mcp", keySign("clientInfo")],
  ["cdp", nameSign(/[A-Z]\w{2,30}\.[a-z]\w{2,60}\b/)],
  ["dap", keySign("request_seq")],
  ["lsp, mcp or acp", keySign("jsonrpc")],
];

/** Describes a file that contains no messages, and what is missing. */
function hintOf(start: Uint8Array, { log, isRecording }: EntryReader, { name }: Protocol): string {
  if (start[0] === 0x1f && start[1] === 0x8b)
    return "It is compressed with gzip: decompress it first";
  const text = new TextDecoder().decode(start);
  const [line = ""] = text.trimStart().split(/\r?\n/, 1);
  if (line === "")
    return "It is empty. Pass a recording made with wirewright tap, framed bytes, lines of JSON, or the log of a program";
  const [other] = signs.find(([names, sign]) => !names.includes(name) && sign.test(text)) ?? [];
  const texts = [
    `It begins with ${visible(JSON.stringify(shortText(line, maxShown)))}`,
    /^(\{"|\[\{)/.test(line) && parsedText(line) === undefined
      ? "Its first line is not valid JSON"
      : "",
    log?.doubt ?? "",
    ...(log?.remarks ?? []).map((text) => text.replace(/^./, (first) => first.toUpperCase())),
    isRecording === true
      ? "It is a recording in which no message can be read"
      : other === undefined
        ? "If it is a recording of another protocol, name that protocol with --protocol"
        : `It looks like a recording of another protocol: pass --protocol ${other}`,
  ];
  return texts.filter((each) => each !== "").join(". ");
}

import type { Protocol } from "../../generator/model/protocol.js";
import type { ByteMark, EntryHandler, EntryReader, RecordedEntry } from "./recorded-entry.js";
import { InputError, nearest } from "../../generator/base/input-error.js";
import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import { type EntryFault, LineCutter, parseJsonLine, tooDeep, tooLongLine } from "./json-lines.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { bodyMarks } from "./byte-marks.js";
import { type Fields, kindReaderOf } from "./message-reader.js";
import { shortText, valueText } from "./remembered.js";

/** The first line of a recording. */
export interface RecordingHead {
  readonly recording: "wirewright";
  /** Version of the recording format. Captures have version 2. */
  readonly form: 1;
  readonly protocol: string;
  readonly version: string;
  readonly roles: readonly [string, string];
  /** Start time in ISO 8601 format. Absent if the source omits it. */
  readonly began?: string;
  /** `guessed` if the two directions were recorded separately, so that their order is a guess. */
  readonly order?: "guessed";
}

/**
 * Prints entries as a recording in the format that `wirewright tap` writes. `readRecording` can
 * read the result, and `wirewright view` can show it.
 *
 * @param entries Entries from `readRecording`, or your own.
 */
export function printRecording(
  entries: Iterable<RecordedEntry>,
  protocol: Pick<Protocol, "name" | "version" | "roles">,
): string {
  return recordingHead(protocol, {}) + [...entries].map(recordingLine).join("");
}

/** Returns the first line of a recording, including its line ending. */
export function recordingHead(
  { name, version, roles }: Pick<Protocol, "name" | "version" | "roles">,
  more: Pick<RecordingHead, "began" | "order">,
): string {
  const head: RecordingHead = {
    recording: "wirewright",
    form: 1,
    protocol: name,
    version,
    roles,
    ...more,
  };
  return `${JSON.stringify(head)}\n`;
}

/** Returns an entry's line in a recording, including its line ending. */
export function recordingLine(entry: RecordedEntry): string {
  const { session, time, from, offset, message, unknown, missing, bytes, fault } = entry;
  const [kind, contents] =
    entry.ended !== undefined
      ? ["end", { how: entry.ended }]
      : entry.printed !== undefined
        ? ["stderr", { text: entry.printed }]
        : message !== undefined
          ? ["message", { offset, unknown, missing, bytes, message }]
          : fault?.code === "ERR_NOISE"
            ? ["noise", { offset, text: fault.sample ?? fault.message }]
            : ["fault", { offset, code: fault?.code, text: fault?.message, sample: fault?.sample }];
  return `${JSON.stringify({ session, kind, time, from, ...contents })}\n`;
}

/** Number of bytes that a line may contain in addition to its message. */
const wrapperBytes = 64 * 1024;

/**
 * Reads lines of JSON: recordings made with `wirewright tap`, plain messages, or objects that
 * contain a message and its sender.
 */
export class RecordedLines implements EntryReader {
  readonly #name: string;
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  readonly #lines: LineCutter;
  /** Whether the head of a recording is among the lines read so far. */
  isRecording = false;
  /** The protocol named in the first line of a recording. */
  #recorded: unknown;
  isOrderGuessed = false;
  began: string | undefined;
  /**
   * Whether both roles send each message as a line of JSON, in which case a line of the file may
   * contain exactly the bytes that were sent.
   */
  readonly #areLinesSent: boolean;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;

  constructor(name: string, protocol: Protocol, handle: EntryHandler) {
    this.#name = name;
    this.#protocol = protocol;
    this.#handle = handle;
    this.#areLinesSent = protocol.roles.every((role) => protocol.framing[role] === "lines");
    this.#kindOf = kindReaderOf(protocol);
    this.#lines = new LineCutter(maxMessageBytes + wrapperBytes, {
      line: (bytes, number, offset) => this.#read(bytes, number, offset),
      tooLong: (line, length, beginning) =>
        handle(this.#damaged(line, tooLongLine(length), beginning), length),
    });
  }

  /**
   * @throws InputError `ERR_MESSAGE` if a line names a sender that the protocol does not define.
   */
  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
  }

  #read(bytes: Uint8Array, line: number, offset: number): void {
    const text = utf8.decode(bytes);
    if (!/\S/.test(text)) return;
    const value = parseJsonLine(text, bytes);
    let entry: RecordedEntry | undefined;
    if (value === tooDeep) entry = this.#damaged(line, tooDeep, bytes);
    else if (isObject(value)) {
      entry = this.#entryOf(value, line);
      const isSent = this.#areLinesSent && entry?.message === value;
      const marks = isSent ? bodyMarks(bytes, value, offset) : undefined;
      if (marks !== undefined) entry = { ...entry, offset, bytes: marks };
    } else if (!/^\s*\[/.test(text)) {
      // In a recording, the line was written by the recorder, so it was not sent by any role.
      const code = this.#areLinesSent && !this.isRecording ? "ERR_JSON" : "ERR_LOST";
      entry = this.#damaged(line, { code, message: "Cannot read a line as JSON" }, bytes);
    }
    if (entry !== undefined) this.#handle(entry, bytes.length + 1);
  }

  #entryOf(value: Fields, line: number): RecordedEntry | undefined {
    const { recording, kind, message } = value;
    if (recording === "wirewright") {
      const { protocol, order, began } = value;
      this.isRecording = true;
      this.#recorded = protocol;
      this.isOrderGuessed = order === "guessed";
      if (typeof began === "string" && !Number.isNaN(Date.parse(began))) this.began = began;
      return undefined;
    }
    const contents = contentsOf(value);
    if (contents !== undefined) return Object.assign(this.#placeOf(value, line), contents);
    if (kind === "end") return undefined;
    const inner = [value, message, value["msg"], value["body"]].find(
      (each): each is Fields => isObject(each) && this.#kindOf(each) !== undefined,
    );
    return { line, message: inner ?? value };
  }

  /**
   * Creates the entry for a line that cannot be read. The beginning of the line may still contain
   * its sender and time.
   */
  #damaged(line: number, fault: EntryFault, bytes: Uint8Array): RecordedEntry {
    const { from, ...read } = readBeginning(bytes);
    const isRole = this.#protocol.roles.some((role) => role === from);
    return { ...this.#placeOf(isRole ? { from, ...read } : read, line), fault };
  }

  /**
   * Reads the sender, time, offset and session of an entry. Without spreads for speed, because this
   * object is created for every message.
   */
  #placeOf({ from, time, offset, session }: Fields, line: number): RecordedEntry {
    const entry: Entry = { line };
    if (from !== undefined) entry.from = this.#roleOf(from, line);
    if (typeof time === "number") entry.time = time;
    if (typeof offset === "number") entry.offset = offset;
    if (typeof session === "number") entry.session = session;
    return entry;
  }

  #roleOf(from: unknown, line: number): string {
    const { name, roles } = this.#protocol;
    const role = roles.find((each) => each === from);
    if (role !== undefined) return role;
    const given = isText(from) ? shortText(from, 100) : undefined;
    const guess = given === undefined ? undefined : nearest(given, roles);
    const isOther = typeof this.#recorded === "string" && this.#recorded !== name;
    throw new InputError(
      "ERR_MESSAGE",
      `Cannot determine the sender of a message: ${given === undefined ? valueText(from) : JSON.stringify(given)} is not a role of ${name}`,
      { file: this.#name, line },
      isOther
        ? `It is a recording of ${shortText(this.#recorded as string, 100)}: pass that protocol with --protocol`
        : guess === undefined
          ? `"from" is one of ${roles.join(", ")}`
          : `Did you mean "${guess}"?`,
    );
  }
}

type Entry = { -readonly [Key in keyof RecordedEntry]: RecordedEntry[Key] };

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isMark(value: unknown): value is ByteMark {
  if (!isObject(value)) return false;
  const { quirk, offset, pointer = "", value: text = "" } = value;
  return typeof offset === "number" && [quirk, pointer, text].every(isText);
}

/** Number of bytes at the start of a damaged line that are searched for its sender and time. */
const placeBytes = 512;

/**
 * Reads the fields that precede the contents of a recorded line. The result is empty if the line
 * does not begin like one from a recording.
 */
function readBeginning(bytes: Uint8Array): Fields {
  const text = utf8.decode(bytes.subarray(0, placeBytes));
  const contents = text.search(/,\s*"(?:unknown|bytes|message|text|code|how)"/);
  const start = text.slice(0, contents < 0 ? text.lastIndexOf(",") : contents);
  try {
    const fields: unknown = JSON.parse(`${start}}`);
    return isObject(fields) && typeof fields["kind"] === "string" ? fields : {};
  } catch {
    return {};
  }
}

/**
 * Returns the contents of a recorded line. Returns undefined if it is not one of a recording, or if
 * its contents are missing.
 */
export function contentsOf(line: Fields): RecordedEntry | undefined {
  const { kind, offset, message, unknown, missing, bytes, how, code, sample } = line;
  const entry: Entry = {};
  if (typeof offset === "number") entry.offset = offset;
  const text =
    typeof line["text"] === "string"
      ? line["text"]
      : "The recording does not include the content of this message";
  if (kind === "message" && isObject(message)) {
    entry.message = message;
    if (Array.isArray(unknown) && unknown.length > 0 && unknown.every(isText))
      entry.unknown = unknown;
    if (typeof missing === "string") entry.missing = missing;
    const marks = Array.isArray(bytes) ? (bytes as readonly unknown[]).filter(isMark) : [];
    if (marks.length > 0) entry.bytes = marks;
  } else if (kind === "stderr") entry.printed = text;
  else if (kind === "end" && typeof how === "string") entry.ended = how;
  else if (kind === "noise") entry.fault = { code: "ERR_NOISE", message: text };
  else if (kind === "fault")
    entry.fault = { code: typeof code === "string" ? code : "ERR_JSON", message: text };
  else return undefined;
  if (entry.fault !== undefined && typeof sample === "string")
    entry.fault = { ...entry.fault, sample };
  return entry;
}

/** Its `decode` removes any byte order mark. */
const utf8 = new TextDecoder();

import { isDeepStrictEqual } from "node:util";
import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type EntryFault, tooLongLine } from "../json-lines.js";
import type { Fields, MessageKind } from "../message-reader.js";
import type { EntryHandler, EntryReader, RecordedEntry } from "../recorded-entry.js";
import { shortText } from "../remembered.js";
import { LogClock } from "./log-clock.js";
import { LogEvidence } from "./log-evidence.js";
import { type LogHead, LogHeads, type LoggedTime, timeIn } from "./log-head.js";
import type { LogSummary } from "./log-summary.js";
import { LogText } from "./log-text.js";
import { type LoggedValue, needsMore, readValue } from "./logged-value.js";
import {
  type LoggingProgram,
  loggingPrograms,
  type MessageWords,
  type Restorer,
} from "./logging-programs.js";
import { type NestedMessage, type MessageForm, MessageForms } from "./message-form.js";

/** Number of bytes from which the meaning of the words is learned. */
const windowBytes = 64 * 1024;

/** Maximum length of the beginning of a damaged message. */
const maxSample = 200;

/** Maximum length of the text of an entry that is not a message. */
const maxText = 4_096;

/** Maximum number of sessions that are distinguished. */
const maxSessions = 1_000;

/** Maximum gap in the sequence numbers of a log that another program writes to as well. */
const maxSkipped = 20;

/** Number of messages among which a repetition is sought, and the size of the largest. */
const maxRecent = 100;
const maxRepeated = 16 * 1024;

/** A value or a line of text, whose meaning may not be known yet. */
interface LogItem {
  readonly line: number;
  readonly bytes: number;
  /** The source text. For a message, what to show if it turns out to be none. */
  readonly text: () => string;
  /** The line of text above a value that is part of its head. */
  readonly label?: LogItem | undefined;
  /** Absent for a line of text. */
  readonly worded?: WordedValue;
}

interface WordedValue {
  readonly value: unknown;
  readonly head: LogHead;
  readonly form: MessageForm;
  readonly unknown: readonly string[];
  readonly fault?: EntryFault | undefined;
  /** The source text, if it cannot be read. */
  readonly source?: string;
  readonly time: LoggedTime | number | undefined;
  readonly session: string;
  /** The sender, if the log's program is known to name it. */
  readonly side: string | undefined;
  /** The sender according to the log's program, if neither the name nor other messages tell. */
  readonly likelySide?: string | undefined;
  /** Whether the words in front of it are those of the log's program, or certainly are not. */
  readonly isSigned: boolean;
  readonly isForeign: boolean;
}

/** A head, and the label to which it owes its meaning. */
interface WordedHead {
  readonly head: LogHead;
  readonly label?: string;
}

/** A message that a line describes in words, and whose payload may follow. */
interface DescribedMessage {
  readonly line: number;
  readonly head: LogHead;
  readonly words: MessageWords;
  readonly side: string | undefined;
  readonly kind: MessageKind;
  readonly message: Fields;
  readonly field: string;
  readonly unknown: readonly string[];
}

const framesRead =
  "It looks like frames whose line breaks were changed when they were copied, so it is read as text";
const headerLine = /^\s*Content-(?:Length|Type)\s*:/i;
const fence = /^\s*(?:```.*|~~~.*|<\/?(?:pre|details|code|summary)\b.*)$/i;
/** What may stand between the messages in a list. */
const listPunctuation = /^[\s,[\]]*$/;
const punctuation = /^[\s,;.)\]}>'"`]*$/;
const cutMark =
  /^\W*(?:\.{3,}|…|\[?\W{0,3}(?:snip(?:ped)?|cut|truncated|omitted|skipp(?:ed|ing))\b.{0,40}|-{2,} ?8<.*)\W*$/i;
const objectStart = /\{\s*(?:["'{}[\]:$<A-Za-z_]|$)/g;
const mayTellDirection = /[<>→←⇒⇐►▶◄◀]|send|sent|rec|read|wr[io]t|client|server|adapter/i;
/** Marks that tell a direction. A side alone tells one only in a short label. */
const direction = /left|right|send|receive|from|to/;
const shortLabel = /^\W*(?:\w+\W*){1,2}$/;
const fieldName = /["']?([\w$-]+)["']?\s*[:=]/g;
const timeField = /^(?:@?timestamp|time|ts|date|when)$/i;

/**
 * Reads the log of any program: finds the values in its text, learns from them what the words in
 * front of them mean, and passes everything else on as text.
 */
export class LogReader implements EntryReader {
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  readonly #text: LogText;
  readonly #heads = new LogHeads();
  readonly #forms: MessageForms;
  readonly #evidence: LogEvidence;
  readonly #clock = new LogClock();
  #program: LoggingProgram | undefined;
  #isExclusive = false;
  #restore: Restorer | undefined;
  /** The line that is being read, and the columns up to which it has been read and searched. */
  #line = 0;
  #column = 0;
  #searched = 0;
  /** Number of lines that must have been read before an incomplete value is tried again. */
  #retryCount = 0;
  /** A value on the current line that cannot be read. */
  #broken: LoggedValue | undefined;
  /** Bytes of the lines that have been read but not been passed on. */
  #bytes = 0;
  /** The last line of text, if no value follows it. */
  #label: LogItem | undefined;
  /** The label of the last message, which also applies to messages that directly follow. */
  #lastLabel = "";
  #hasHeader = false;
  #described: DescribedMessage | undefined;
  /** Items whose meaning is not known yet, and their size. */
  #held: LogItem[] = [];
  #heldBytes = 0;
  #isLearned = false;
  #hasClient = false;
  #firstDate: number | undefined;
  readonly #sessions = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  /** The latest messages, by kind and id. */
  readonly #recent = {
    request: new Map<unknown, WordedValue>(),
    response: new Map<unknown, WordedValue>(),
    event: new Map<unknown, WordedValue>(),
  };
  #missing: string | undefined;
  /** Fields of the first object that is not a message. */
  #firstFields: readonly string[] = [];
  /** Whether there are frames, rather than words above a header. */
  #hasFrames = false;
  readonly #counts = { messages: 0, damaged: 0, otherLines: 0, otherValues: 0 };

  /**
   * @param beginning The first bytes of the log, which must also be pushed.
   * @param senders The senders given by the user, by a part of the words in front of a message.
   */
  constructor(
    protocol: Protocol,
    handle: EntryHandler,
    beginning: Uint8Array,
    senders: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#protocol = protocol;
    this.#handle = handle;
    this.#text = new LogText(beginning);
    this.#forms = new MessageForms(protocol);
    this.#evidence = new LogEvidence(protocol, senders);
  }

  get isOrderLoose(): boolean {
    return this.#program?.isOrderLoose === true;
  }

  get summary(): LogSummary {
    const { name, omits } = this.#program ?? {};
    return {
      ...(name === undefined ? {} : { program: name }),
      ...(omits === undefined ? {} : { omits }),
      ...this.#counts,
      ...(this.#counts.messages > 0 ? {} : { doubt: this.#doubt }),
      sources: this.#evidence.sources,
      remarks: [...this.#text.remarks, ...(this.#hasFrames ? [framesRead] : [])],
    };
  }

  get #doubt(): string {
    const { otherValues } = this.#counts;
    const fields = this.#firstFields
      .slice(0, 5)
      .map((field) => JSON.stringify(shortText(field, 40)));
    if (otherValues === 0) return "It contains no object";
    return `It contains ${otherValues} ${otherValues === 1 ? "object" : "objects"}, but ${this.#evidence.doubt}. The first has ${fields.length === 0 ? "no fields" : `the fields ${fields.join(", ")}`}`;
  }

  push(bytes: Uint8Array): void {
    this.#text.push(bytes);
    this.#scan();
  }

  end(): void {
    this.#text.end();
    this.#retryCount = 0;
    this.#scan();
    this.#finishDescribed();
    this.#finishLabel();
    this.#learn();
  }

  #scan(): void {
    if (this.#text.count < this.#retryCount) return;
    try {
      while (this.#line < this.#text.count) this.#readNext();
    } catch (error) {
      if (error !== needsMore) throw error;
      // Wait for twice as many lines, so that a long value is not tried too often.
      this.#retryCount = this.#text.count * 2 - this.#line;
    }
  }

  /** Reads the next part of the current line: a value, or the text after the last one. */
  #readNext(): void {
    const tooLong = this.#text.tooLongAt(this.#line);
    if (tooLong !== undefined) return this.#skipTooLong(tooLong);
    const text = this.#text.lineAt(this.#line)!;
    if (this.#column === 0 && this.#searched === 0 && this.#readWords(text)) return;
    objectStart.lastIndex = this.#searched;
    const start = objectStart.exec(text)?.index;
    if (start === undefined) return this.#finishLine(text);
    const words = text.slice(this.#column, start);
    if (this.#isOtherText(words, text, start)) {
      this.#searched = text.length;
      return;
    }
    const value = readValue(this.#text, this.#line, start, words);
    const messages = this.#forms.messagesIn(value.value, value.open);
    if (value.fault !== undefined && messages.length === 0) {
      const isEmpty = !isObject(value.value) || Object.keys(value.value).length === 0;
      if (value.line === this.#line || (isEmpty && value.fault.code === "ERR_LOST")) {
        // Look for another value on this line.
        this.#broken ??= value;
        this.#searched =
          value.line === this.#line ? Math.max(start + 1, value.column) : text.length;
        return;
      }
    }
    this.#broken = undefined;
    if (value.fault === undefined) {
      this.#addValue(words, value, messages, value.line);
      this.#passTo(value.line, value.column);
      return;
    }
    // Continue with the line at which the value breaks off, unless the log ends there.
    const isOver =
      value.column >= (this.#text.lineAt(value.line)?.length ?? 0) &&
      this.#text.lineAt(value.line + 1) === undefined;
    const next = value.line === this.#line || isOver || isLimit(value.fault);
    this.#addValue(words, value, messages, next ? value.line : value.line - 1);
    this.#passTo(next ? value.line + 1 : value.line, 0);
  }

  /**
   * Returns whether the rest of a line contains no message: the log's program did not write it, or
   * nothing in front of it tells a direction, its brackets are balanced, and no field in it is one
   * of a message.
   */
  #isOtherText(words: string, text: string, start: number): boolean {
    if (this.#isExclusive && !this.#program!.sign.test(this.#heads.read(words, undefined).words))
      return true;
    if (mayTellDirection.test(words) || this.#forms.mayBeMessage(text.slice(start))) return false;
    if (countOf(text, "{", start) !== countOf(text, "}", start)) return false;
    if (this.#counts.otherValues++ === 0)
      this.#firstFields = Array.from(text.slice(start).matchAll(fieldName), ([, name]) => name!);
    return true;
  }

  #passTo(line: number, column: number): void {
    if (line > this.#line) this.#bytes += this.#text.bytesOf(this.#line, line - 1);
    this.#line = line;
    this.#column = this.#searched = column;
    this.#text.pass(line);
  }

  #skipTooLong(length: number): void {
    this.#finishLabel();
    this.#bytes += this.#text.bytesOf(this.#line, this.#line);
    this.#emit({ line: this.#line + 1, fault: tooLongLine(length) });
    this.#counts.damaged++;
    this.#line++;
    this.#text.pass(this.#line);
  }

  /** Adds the text after the last value on a line. */
  #finishLine(text: string): void {
    const rest = text.slice(this.#column);
    const [broken, isTail] = [this.#broken, this.#column > 0];
    this.#broken = undefined;
    if (broken !== undefined) {
      const words = rest.slice(0, Math.max(0, rest.search(objectStart)));
      this.#addValue(words, broken, [], this.#line);
    } else if (!(isTail ? punctuation : listPunctuation).test(rest)) {
      if (headerLine.test(rest)) this.#hasHeader = true;
      else this.#addText(rest, isTail);
    }
    this.#passTo(this.#line + 1, 0);
  }

  #addText(text: string, isTail: boolean): void {
    this.#finishLabel();
    const item = { line: this.#line + 1, bytes: 0, text: () => text };
    if (isTail || text.includes("{") || fence.test(text)) return this.#hold(item);
    this.#lastLabel = "";
    this.#label = item;
  }

  /** Passes on a line of text that does not belong to a value. */
  #finishLabel(): void {
    const label = this.#label;
    this.#label = undefined;
    this.#hasHeader = false;
    if (label !== undefined) this.#hold(label);
  }

  /**
   * Reads the words in front of a value: those on its line or, if they tell nothing, the line
   * above.
   */
  #headOf(words: string, name: string | undefined): WordedHead {
    const header = this.#hasHeader ? "Content-Length\n" : "";
    const head = this.#heads.read(header === "" ? words : `\n${header}${words}`, name);
    const isBlank = words.trim() === "";
    const label = this.#label?.text() ?? (isBlank ? this.#lastLabel : "");
    if (head.mark !== "" || label === "") return { head };
    const labelled = this.#heads.read(`${label}\n${header}${words}`, name);
    const isLabel =
      direction.test(labelled.mark) || (labelled.mark !== "" && shortLabel.test(label));
    return isLabel ? { head: labelled, label } : { head };
  }

  /** @param last The last line of the value. */
  #addValue(words: string, value: LoggedValue, messages: readonly NestedMessage[], last: number): void {
    const [from, column] = [this.#line, this.#column];
    const label = this.#label;
    const time = label === undefined ? undefined : timeIn(label.text());
    const source = (): string => {
      const lines = [];
      for (let line = from; line <= last; line++) lines.push(this.#text.lineAt(line) ?? "");
      return lines.join("\n").slice(column);
    };
    const { label: usedLabel } = this.#headOf(words, messages[0]?.form.name);
    const items = (messages.length > 0 ? messages : [undefined]).map((each): WordedValue => {
      const wrappers = each?.wrappers ?? [];
      const form = each?.form ?? this.#forms.formOf(value.value);
      const head = withWrappers(this.#headOf(words, form.name).head, wrappers, this.#heads);
      const sign = this.#signOf(head);
      const isOpen = each === undefined || value.open?.has(each.message) === true;
      return {
        value: each?.message ?? value.value,
        head,
        form,
        unknown: wrappers.length === 0 ? value.unknown : [],
        fault: isOpen ? value.fault : undefined,
        ...(isOpen && value.fault !== undefined ? { source: source() } : {}),
        time: timeOfWrappers(wrappers) ?? head.time ?? time,
        session: sign?.groups?.["session"] ?? sessionOfWrappers(wrappers),
        side: sideOfWrappers(wrappers, this.#protocol),
        likelySide: sideOf(sign?.groups, this.#protocol),
        isForeign: sign === null,
        isSigned: sign !== null && sign !== undefined,
      };
    });
    const above = usedLabel === undefined ? undefined : label;
    this.#hasFrames ||= this.#hasHeader && usedLabel === undefined && words.trim() === "";
    // A header belongs to the words above it.
    const line = this.#hasHeader && above !== undefined ? above.line : from + 1;
    if (above !== undefined) this.#label = undefined;
    this.#finishLabel();
    this.#lastLabel = usedLabel ?? "";
    const [first] = items;
    const isMessage = first!.form.fit === "message" && first!.fault === undefined;
    const shown = shortText(isMessage ? words : source(), maxText);
    for (const each of items) {
      const text = (): string => (isMessage ? shown + JSON.stringify(each.value) : shown);
      this.#hold({
        line,
        bytes: 0,
        text,
        worded: each,
        ...(each === first ? { label: above } : {}),
      });
    }
  }

  /** Returns the match of the program's sign, or null if its messages have other words. */
  #signOf({ words }: LogHead): RegExpExecArray | null | undefined {
    if (this.#program === undefined)
      this.#setProgram(loggingPrograms.find(({ sign }) => sign.test(words)));
    const sign = this.#program?.sign.exec(words);
    return sign === null && !this.#isExclusive ? undefined : sign;
  }

  #setProgram(program: LoggingProgram | undefined): void {
    this.#program = program;
    this.#isExclusive = program?.isExclusive === true || program?.isShared === true;
    this.#restore = program?.restorer?.(this.#protocol);
  }

  /** Reads a line that describes a message, or one that contains its payload. */
  #readWords(text: string): boolean {
    const described = this.#described;
    if (described !== undefined && text.trim() !== "") {
      const { payload, nothing } = described.words;
      const start = payload?.exec(text)?.[0].length;
      if (start !== undefined) {
        this.#readPayload(described, start);
        return true;
      }
      this.#finishDescribed(this.#line);
      if (nothing?.test(text) === true) {
        this.#passTo(this.#line + 1, 0);
        return true;
      }
    }
    for (const program of this.#program === undefined ? loggingPrograms : [this.#program]) {
      const match = program.words?.line.exec(text);
      if (match == null) continue;
      this.#finishLabel();
      if (this.#program !== program) this.#setProgram(program);
      const next = this.#describe(text, program.words!, match);
      const end = match[0].length;
      if (program.words!.payload === undefined) {
        if (/[{[]/.test(text[end] ?? "")) this.#readPayload(next, end);
        else {
          const rest = text.slice(end);
          const unknown = rest.startsWith("undefined)") ? [] : [`/${next.field}`];
          this.#addDescribed({ ...next, unknown: [...next.unknown, ...unknown] }, this.#line);
          this.#passTo(this.#line + 1, 0);
        }
      } else {
        this.#described = "error" in next.message ? undefined : next;
        if (this.#described === undefined) this.#addDescribed(next, this.#line);
        this.#passTo(this.#line + 1, 0);
      }
      return true;
    }
    return false;
  }

  #describe(
    text: string,
    words: MessageWords,
    { 0: matched, groups = {} }: RegExpExecArray,
  ): DescribedMessage {
    const { envelope } = this.#protocol;
    const { kind: noun = "request", name = "", id, failure, code } = groups;
    const kind: MessageKind = noun === "notification" ? "event" : (noun as MessageKind);
    const arm = envelope[kind];
    const number = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : id;
    const idField = kind === "response" ? envelope.replyTo : envelope.id;
    const { response } = envelope;
    const isFailure = failure !== undefined;
    const fixed = Object.entries(arm?.when ?? {}).filter(([, test]) => typeof test === "string");
    const outcome =
      kind !== "response" || response === undefined
        ? {}
        : {
            ...(response.success === undefined ? {} : { [response.success]: !isFailure }),
            ...(isFailure
              ? response.errorText === undefined
                ? { [response.error]: { code: Number(code), message: failure } }
                : { [response.errorText]: failure }
              : {}),
          };
    const message = {
      ...envelope.constants,
      ...Object.fromEntries(fixed),
      ...(idField === undefined || number === undefined || kind === "event"
        ? {}
        : { [idField]: number }),
      ...(arm?.name === undefined ? {} : { [arm.name]: name }),
      ...outcome,
    };
    const isCounted = envelope.id !== undefined && envelope.id !== envelope.replyTo;
    return {
      line: this.#line,
      head: this.#heads.read(matched, name),
      words,
      side: sideOf(groups, this.#protocol),
      kind,
      message,
      field: kind === "response" ? (response?.result ?? "") : envelope[kind].payload,
      unknown: [
        ...(isCounted && !(envelope.id! in message) ? [`/${envelope.id}`] : []),
        ...(isFailure
          ? [`/${response?.error}${response?.errorText === undefined ? "/data" : ""}`]
          : []),
      ],
    };
  }

  #readPayload(described: DescribedMessage, start: number): void {
    const { field, message, unknown } = described;
    const value = readValue(this.#text, this.#line, start, "");
    this.#described = undefined;
    const hidden = value.unknown.map((pointer) => `/${field}${pointer}`);
    const complete = {
      ...described,
      message: { ...message, [field]: value.value },
      unknown: [...unknown, ...hidden],
    };
    const text = this.#text.lineAt(this.#line);
    this.#addDescribed(complete, this.#line, value.fault, text);
    if (value.fault !== undefined && value.line > this.#line) this.#passTo(value.line, 0);
    else this.#passTo(value.line + 1, 0);
  }

  /** Ends a described message whose payload is not in the log. */
  #finishDescribed(line?: number): void {
    const described = this.#described;
    if (described === undefined) return;
    this.#described = undefined;
    const { field, kind, message, unknown } = described;
    const isNull = kind === "response" && this.#protocol.envelope.response?.success === undefined;
    this.#addDescribed(
      {
        ...described,
        message: isNull ? { ...message, [field]: null } : message,
        unknown: [...unknown, `/${field}`],
      },
      line ?? described.line,
    );
  }

  #addDescribed(
    { head, message, unknown, side }: DescribedMessage,
    line: number,
    fault?: EntryFault,
    source?: string,
  ): void {
    const form = this.#forms.formOf(message);
    this.#hold({
      line: line + 1,
      bytes: 0,
      text: () => `${head.words} ${JSON.stringify(message)}`,
      worded: {
        value: message,
        head,
        form: { ...form, fit: "message" },
        unknown,
        fault,
        ...(source === undefined ? {} : { source }),
        time: head.time,
        session: "",
        side,
        isForeign: false,
        isSigned: true,
      },
    });
  }

  /** Adds an item. Holds it back until enough has been read to know what it means. */
  #hold(item: LogItem): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    const { worded } = item;
    if (worded !== undefined && !worded.isForeign)
      this.#evidence.add(worded.head, worded.form, worded.side);
    if (this.#isLearned || (worded === undefined && this.#held.length === 0))
      return this.#resolve({ ...item, bytes });
    this.#held.push({ ...item, bytes });
    this.#heldBytes += bytes;
    if (this.#heldBytes >= windowBytes) this.#learn();
  }

  #learn(): void {
    this.#isLearned = this.#evidence.isSession;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const item of held) this.#resolve(item);
  }

  #resolve(item: LogItem): void {
    const { worded, bytes, line } = item;
    const entry = worded === undefined ? undefined : this.#entryOf(worded, line, bytes);
    if (entry === undefined) this.#addOther(item);
    else {
      this.#counts[entry.message === undefined ? "damaged" : "messages"]++;
      this.#handle(entry, bytes);
    }
  }

  #addOther({ line, bytes, text, worded, label }: LogItem): void {
    if (label !== undefined) this.#addOther(label);
    const printed = text();
    if (worded === undefined) {
      if (printed.length < 80 && cutMark.test(printed))
        this.#missing = `the log says ${JSON.stringify(printed.trim())}`;
    } else {
      if (this.#counts.otherValues++ === 0 && isObject(worded.value))
        this.#firstFields = Object.keys(worded.value);
    }
    this.#counts.otherLines += printed.split("\n").length;
    this.#handle({ line, printed }, bytes);
  }

  #emit(entry: RecordedEntry): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#handle(entry, bytes);
  }

  /** Returns the entry for a value, or undefined if it is not a message of the session. */
  #entryOf(worded: WordedValue, line: number, bytes: number): RecordedEntry | undefined {
    const { value, head, form, fault, session, side, isSigned } = worded;
    const program = this.#program;
    const isMessage =
      (isSigned && form.fit === "message" && fault === undefined) ||
      this.#evidence.isMessage(head, form, fault !== undefined);
    if (worded.isForeign || !isMessage) return undefined;
    const from = side ?? this.#evidence.senderOf(head, form) ?? worded.likelySide;
    if (program?.logsUnsent === true && !this.#hasClient && from !== this.#protocol.roles[0])
      return undefined;
    const time = this.#timeOf(worded);
    if (time === null) return undefined;
    // Without spreads, because this object is created for every message.
    const entry: { -readonly [Key in keyof RecordedEntry]: RecordedEntry[Key] } = { line };
    if (from !== undefined) entry.from = from;
    if (time !== undefined) entry.time = time;
    const number = this.#sessionNumber(session);
    if (number !== undefined) entry.session = number;
    if (fault !== undefined) {
      const text = shortText(worded.source ?? "", maxSample);
      entry.fault = text === "" ? fault : { ...fault, text };
      return entry;
    }
    if (!isObject(value)) return undefined;
    if (this.#isRepeated(worded, bytes) || !this.#followNumber(form, value, from, session))
      return undefined;
    this.#hasClient ||= from === this.#protocol.roles[0];
    const restored = this.#restore?.(value, from);
    entry.message = restored?.message ?? value;
    const unknown = [...new Set([...worded.unknown, ...(restored?.unknown ?? [])])];
    if (unknown.length > 0) entry.unknown = unknown;
    if (this.#missing !== undefined) entry.missing = this.#missing;
    this.#missing = undefined;
    return entry;
  }

  /** Returns the time since the first message, or null for a time before the log began. */
  #timeOf({ time }: WordedValue): number | undefined | null {
    if (time === undefined) return undefined;
    if (typeof time === "number") return this.#clock.since(time);
    if (time.kind === "day") return this.#clock.ofDay(time.text);
    if (time.kind === "seconds") return this.#clock.ofSeconds(time.text);
    const date = Date.parse(time.text);
    if (this.#program?.isShared === true && !(date >= (this.#firstDate ?? date))) return null;
    this.#firstDate ??= date;
    return this.#clock.ofDate(time.text);
  }

  #sessionNumber(name: string): number | undefined {
    let number = this.#sessions.get(name);
    if (number === undefined) {
      number = this.#sessions.size + 1;
      // A forged log could contain any number of names.
      if (number <= maxSessions) this.#sessions.set(name, number);
    }
    return number === 1 ? undefined : number;
  }

  /** Returns whether the same message was logged before with other words in front of it. */
  #isRepeated(worded: WordedValue, bytes: number): boolean {
    const { value, head, form } = worded;
    if (form.kind === undefined || form.id === undefined || bytes > maxRepeated) return false;
    const recent = this.#recent[form.kind];
    const before = recent.get(form.id);
    if (
      before !== undefined &&
      before.head.shape !== head.shape &&
      isDeepStrictEqual(before.value, value)
    )
      return true;
    if (recent.size >= maxRecent) recent.clear();
    recent.set(form.id, worded);
    return false;
  }

  /**
   * Follows the numbers of a side. Returns whether a message continues them, which the output of
   * another program does not.
   */
  #followNumber(
    { kind, id }: MessageForm,
    value: Fields,
    from: string | undefined,
    session: string,
  ): boolean {
    const { envelope } = this.#protocol;
    const isCounted = envelope.id !== envelope.replyTo;
    const number = isCounted ? value[envelope.id ?? ""] : kind === "request" ? id : undefined;
    if (typeof number !== "number" || from === undefined) return true;
    const key = `${session} ${from}`;
    const last = this.#numbers.get(key);
    const isJump = last !== undefined && last > 0 && number > last + 1;
    // Each connection starts counting from 1 again.
    if (last !== undefined && number > 1 && this.#program?.isShared === true)
      if (number <= last || number > last + maxSkipped) return false;
    if (isJump) this.#missing = `the ${from}'s numbers jump from ${last} to ${number}`;
    this.#numbers.set(key, number);
    return true;
  }
}

function countOf(text: string, character: string, start: number): number {
  let count = 0;
  for (let at = text.indexOf(character, start); at >= 0; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

function isLimit({ code }: EntryFault): boolean {
  return code === "ERR_DEPTH" || code === "ERR_BODY_TOO_LONG";
}

/** Returns the role that the groups of a match name. */
function sideOf(
  { client, server }: RegExpExecArray["groups"] = {},
  { roles }: Protocol,
): string | undefined {
  return client !== undefined ? roles[0] : server !== undefined ? roles[1] : undefined;
}

/** Adds what the objects around a message say about it. */
function withWrappers(head: LogHead, wrappers: readonly Fields[], heads: LogHeads): LogHead {
  if (wrappers.length === 0) return head;
  const words = wrappers.flatMap((wrapper) =>
    Object.entries(wrapper).flatMap(([key, value]) =>
      typeof value === "string" && value.length < 40 && timeIn(value) === undefined
        ? `${key}=${value}`
        : [],
    ),
  );
  const wrapped = heads.read(`{${words.join(" ")}}`, undefined);
  return {
    words: head.words,
    shape: `${head.shape} ${wrapped.shape}`.trim(),
    mark: `${head.mark} ${wrapped.mark}`.trim(),
    time: head.time,
  };
}

function timeOfWrappers(wrappers: readonly Fields[]): LoggedTime | number | undefined {
  for (const wrapper of wrappers.toReversed())
    for (const [key, value] of Object.entries(wrapper))
      if (timeField.test(key)) {
        if (typeof value === "number" && value > 1e9) return value > 1e11 ? value : value * 1_000;
        if (typeof value === "string") return timeIn(value);
      }
  return undefined;
}

/** Returns the role that the objects around a message name as its sender. */
function sideOfWrappers(wrappers: readonly Fields[], { roles }: Protocol): string | undefined {
  return roles.find((role) => wrappers.some((wrapper) => wrapper["from"] === role));
}

function sessionOfWrappers(wrappers: readonly Fields[]): string {
  const connection = wrappers
    .map((wrapper) => wrapper["connectionId"])
    .find((id) => id !== undefined);
  return connection === undefined ? "" : String(connection);
}

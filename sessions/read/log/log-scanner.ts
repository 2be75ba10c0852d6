import { once } from "../../../generator/model/once.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type EntryFault, isLimit, tooLongLine } from "../json-lines.js";
import { type Fields, otherRole } from "../message-reader.js";
import { shortText } from "../remembered.js";
import { describedMessage, type FailureText, readDescription } from "./described-message.js";
import { type LogHead, readHead, type LoggedTime, timeIn } from "./log-head.js";
import { LogText } from "./log-text.js";
import {
  type LoggedValue,
  needsMore,
  objectStart,
  readValue,
  repeatedLength,
} from "./logged-value.js";
import { type LoggingProgram, loggingPrograms } from "./logging-programs.js";
import {
  type MessageForm,
  MessageForms,
  type NestedMessage,
  notNested,
  punctuation,
} from "./message-form.js";

/** Maximum length of the text of an item that is not a message. */
const maxText = 4_096;

/** A value or a line of text, whose meaning may not be known yet. */
export interface LogItem {
  readonly line: number;
  readonly bytes: number;
  /** The source text. For a message, what to show if it turns out to be none. */
  readonly text: () => string;
  /** The line of text above a value that is part of its head. */
  readonly label?: LogItem | undefined;
  /** Absent for a line of text. */
  readonly worded?: WordedValue;
  /** Names of the fields of an object that was not read, because it cannot be a message. */
  readonly fields?: readonly string[] | undefined;
  /** Why the line cannot be read. */
  readonly fault?: EntryFault;
}

export interface WordedValue {
  readonly value: unknown;
  /** The words in front of it, and what they say. */
  readonly head: LogHead;
  readonly form: MessageForm;
  readonly unknown: readonly string[];
  readonly fault?: EntryFault | undefined;
  /** The source text, if it cannot be read. */
  readonly source?: string | undefined;
  readonly time: LoggedTime | undefined;
  /** Milliseconds since the request, if the words tell. */
  readonly took?: number | undefined;
  readonly session: string;
  /** The sender according to the log's program, if neither the name nor other messages tell. */
  readonly likelySide?: string | undefined;
  /** Whether it is a copy of the request that the response before it in the same value answers. */
  readonly isQuoted?: boolean;
  /** Whether the words in front of it are those of the log's program, or certainly are not. */
  readonly isSigned: boolean;
  readonly isForeign?: boolean;
  /** Whether it is an example: certainly, because a test compares it, or likely, in a sentence. */
  readonly example?: "certain" | "likely" | undefined;
  /** Whether a line describes it in words, although its program is not known to do so. */
  readonly isDescribed?: boolean;
}

/** A place in the log and, for a payload, what the words in front of it say about it. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly label?: "payload" | "error" | "nothing";
}

const framesRead =
  "It looks like frames whose line breaks were changed when they were copied, so it is read as text";
const headerLine = /^\s*Content-(?:Length|Type)\s*:/i;
/** Matches what precedes the payload of a described message, on its line or the next one. */
const payloadLabel = /^[\s.]*(?:Params|Arguments|Body|Result|(?<error>Error)(?=: (?:\{|null))): ?/;
/** Matches what logs print instead of a payload. */
const noPayload = /^[\s.]*(?<nothing>No )(?:parameters provided|result returned)/;
/** Matches what may precede an object below a label: nothing, or the name of its class. */
const className = /^\s*(?:[A-Z]\w*\s*)?$/;
/** Matches the text of a failure that ends with a code. */
const failureEnd = /^(.*?) \((-?\d{1,10})\)\.?(?=\s*(?:$|\[))/s;
/** Maximum number of lines of such a text, and of blank ones in front of a payload. */
const maxFailureLines = 20;
const maxBlankLines = 5;
/** Maximum length of a value in which the lines of its messages are found. */
const maxLocated = 1024 * 1024;
/** Maximum number of described requests whose responses may follow. */
const maxAsked = 1_000;
/** Punctuation between the messages in a list. */
const listPunctuation = /^[\s,[\]]*$/;
/** Number of messages that are read before a log may be one without descriptions. */
const fewMessages = 8;
/** Matches an arrow, and what may be next to a name or a number. */
const mayDescribe = /[<>→←⇒⇐►▶◄◀#(['‘]|\w[/.]\w/;
const mayTellDirection = /[<>→←⇒⇐►▶◄◀]|send|sent|rec|read|wr[io]t|client|server|adapter/i;
/** Matches words of a test that compares a message with an expected one. */
const assertion = /\b(?:expect(?:ed|s)?|assert\w*|to (?:deeply )?equal)\b/i;
/** Matches the label of the actual message, on the line below the expected one. */
const compared = /^\W*(?:received|actual|got|but got|found)\W*$/i;
/** Match words of a sentence in front of an example, and beside one on its line. */
const exampleWord =
  /\b(?:example|e\.g|i\.e|such as|like|instead|should|would|must|could|you|if)\b/i;
const sentence =
  /^[\s.,;:)'"`]*(?:[a-z']+[\s,]+){0,8}?(?:the|an?|is|are|was|were|you|we|it|and|or|but|then|when|with)\b/i;
/** Number of characters of a sentence to read. */
const maxSentence = 200;
/** Marks that tell a direction. A side alone tells one only in a label that is short or ends so. */
const direction = /left|right|send|receive|from|to/;
const labelEnd = /^\W*(?:\w+\W*){1,2}$|:\s*$/;
/** Matches a field's name and, so that names in it do not count, a text. */
const fieldName =
  /"(?:[^"\\]|\\.)*"(?!\s*[:=])|'(?:[^'\\]|\\.)*'(?!\s*[:=])|["']?([\w$-]+)["']?\s*[:=]/g;
/** Matches the key of an object with facts about a message beside it. */
const attributes = /^(?:attributes|attrs|fields|labels|meta(?:data)?|tags)$/i;
const timeField = /^(?:@?timestamp|time|ts|date|when|startedDateTime)$/i;

/**
 * Finds the values in the text of a log, together with the words in front of them. Everything else
 * is text.
 */
export class LogScanner {
  readonly #protocol: Protocol;
  readonly #handle: (item: LogItem) => void;
  readonly #text: LogText;
  readonly #forms: MessageForms;
  readonly #programs: readonly LoggingProgram[];
  /** The program that wrote the log, if its logs need special treatment. */
  program: LoggingProgram | undefined;
  /** The line that is being read, and the columns up to which it has been read and searched. */
  #line = 0;
  #column = 0;
  #searched = 0;
  /** The words in front of the last value. They also apply to the next one in the same list. */
  #lastWords = "";
  /** Number of lines that must have been read before an incomplete value is tried again. */
  #retryCount = 0;
  /** A value on the current line that cannot be read. */
  #broken: LoggedValue | undefined;
  #otherFields: readonly string[] | undefined;
  /** Bytes of the lines that have been read but not been passed on. */
  #bytes = 0;
  /** The last line of text, if no value follows it. */
  #label: LogItem | undefined;
  /** The label of the last message, which also applies to messages that directly follow. */
  #lastLabel = "";
  #hasHeader = false;
  #hasFrames = false;
  /** Numbers of messages that the log contains, and of those that it describes. */
  #wholes = 0;
  #descriptions = 0;
  /** The arrows in front of the latest described requests, by id and name. */
  readonly #asked = new LatestEntries<string, string>(maxAsked);
  /** Whether a message has the constants of the envelope. */
  #hasConstants = false;
  /** The line of the last value that a test compares with another. */
  #assertedLine = -2;

  /** @param beginning The first bytes of the log, which must also be pushed. */
  constructor(protocol: Protocol, beginning: Uint8Array, handle: (item: LogItem) => void) {
    this.#protocol = protocol;
    this.#handle = handle;
    this.#forms = new MessageForms(protocol);
    this.#text = new LogText(beginning, (text) => this.#forms.mayBeMessage(text));
    const { id, replyTo } = protocol.envelope;
    // Most of the programs log debug adapters, whose responses have ids of their own.
    this.#programs = loggingPrograms.filter(({ describes }) => id !== replyTo || describes);
  }

  /** Changes that were made to the text before it was read, in words. */
  get remarks(): readonly string[] {
    return [...this.#text.remarks, ...(this.#hasFrames ? [framesRead] : [])];
  }

  push(bytes: Uint8Array): void {
    this.#text.push(bytes);
    this.#scan();
  }

  end(): void {
    this.#text.end();
    this.#retryCount = 0;
    this.#scan();
    this.#finishLabel();
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
    if (this.#column === this.#searched && this.#readWords(text)) return;
    objectStart.lastIndex = this.#searched;
    const start = objectStart.exec(text)?.index;
    if (start === undefined) return this.#finishLine(text);
    const words = text.slice(this.#column, start);
    if (this.#isOtherText(words, text, start)) {
      this.#searched = text.length;
      return;
    }
    const value = this.#withConstants(readValue(this.#text, this.#line, start, words));
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
    const { fault, line, column } = value;
    // After a fault, continue with the line at which the value breaks off, unless the log ends there.
    const skipsLine =
      fault !== undefined &&
      (line === this.#line ||
        isLimit(fault) ||
        (column >= (this.#text.lineAt(line)?.length ?? 0) &&
          this.#text.lineAt(line + 1) === undefined));
    const isWhole = fault === undefined || skipsLine;
    const isListed = this.#column > 0 && messages.length > 0 && /^\s*,\s*$/.test(words);
    if (!isListed) this.#lastWords = words;
    this.#addValue(this.#lastWords, value, messages, isWhole ? line : line - 1);
    this.#passTo(skipsLine ? line + 1 : line, fault === undefined ? column : 0);
  }

  /**
   * Adds the constants of the envelope if a program has printed only their names, as in
   * `jsonrpc: Some(V2)`, or omits them from all messages.
   */
  #withConstants(logged: LoggedValue): LoggedValue {
    const { value, unknown } = logged;
    const { constants } = this.#protocol.envelope;
    const fields = Object.keys(constants);
    if (!isObject(value) || fields.length === 0) return logged;
    const message = { ...constants, ...value };
    if (fields.every((field) => unknown.includes(`/${field}`)))
      return { ...logged, value: { ...message, ...constants } };
    const isBare = !fields.some((field) => field in value);
    this.#hasConstants ||= !isBare;
    if (this.#hasConstants || !this.#forms.isProper(message)) return logged;
    return {
      ...logged,
      value: message,
      unknown: [...unknown, ...fields.map((field) => `/${field}`)],
    };
  }

  /**
   * Returns whether the rest of a line contains no message: the log's program did not write it, or
   * nothing in front of it tells a direction, its brackets are balanced, and no field in it is one
   * of a message.
   */
  #isOtherText(words: string, text: string, start: number): boolean {
    const rest = text.slice(start);
    const { program } = this;
    // A line of the program may be in an object of a logger, which has no words in front of it.
    if (program?.isExclusive === true && words.trim() !== "")
      if (!program.sign.test(readHead(words).words)) return true;
    if (mayTellDirection.test(words) || this.#forms.mayBeMessage(rest)) return false;
    const [open, close] = rest.startsWith("{") ? (["{", "}"] as const) : (["(", ")"] as const);
    if (rest.split(open).length !== rest.split(close).length) return false;
    this.#otherFields = Array.from(rest.matchAll(fieldName), ([, name]) => name ?? []).flat();
    return true;
  }

  #passTo(line: number, column: number): void {
    this.#bytes += this.#text.passTo(line);
    this.#line = line;
    this.#column = this.#searched = column;
  }

  #skipTooLong(length: number): void {
    this.#finishLabel();
    const line = this.#line + 1;
    this.#passTo(line, 0);
    this.#add({ line, bytes: 0, text: () => "", fault: tooLongLine(length) });
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
    const fields = this.#otherFields;
    this.#otherFields = undefined;
    const item = { line: this.#line + 1, bytes: 0, text: () => text, fields };
    if (isTail || text.includes("{")) return this.#add(item);
    this.#lastLabel = "";
    this.#label = item;
  }

  /** Passes on a line of text that does not belong to a value. */
  #finishLabel(): void {
    const label = this.#label;
    this.#label = undefined;
    this.#hasHeader = false;
    if (label !== undefined) this.#add(label);
  }

  /**
   * Reads the words in front of a value: those on its line or, if they tell nothing, the line above.
   * Returns the line above as the label if it tells something.
   */
  #headOf(words: string, name?: string): { readonly head: LogHead; readonly label?: string } {
    const header = this.#hasHeader ? "Content-Length\n" : "";
    const head = readHead(header === "" ? words : `\n${header}${words}`, name);
    const isBlank = className.test(words);
    const label = isBlank ? (this.#label?.text() ?? this.#lastLabel) : "";
    if (head.mark !== "" || label === "") return { head };
    const labelled = readHead(`${label}\n${header}${words}`, name);
    const isLabel = direction.test(labelled.mark) || (labelled.mark !== "" && labelEnd.test(label));
    return isLabel ? { head: labelled, label } : { head };
  }

  /** @param last The last line of the value. */
  #addValue(
    words: string,
    value: LoggedValue,
    parts: readonly (NestedMessage | string)[],
    last: number,
  ): void {
    const [from, column, label] = [this.#line, this.#column, this.#label];
    const source = once(() => {
      const lines = [];
      for (let line = from; line <= last; line++) lines.push(this.#text.lineAt(line) ?? "");
      return lines.join("\n").slice(column);
    });
    const messages = parts.filter((part) => typeof part === "object");
    const first = messages[0] ?? notNested(value.value);
    this.#wholes += messages.length;
    const { label: usedLabel } = this.#headOf(words, first.form.name);
    const quoted = quotedRequests(messages);
    const tail = this.#text.lineAt(value.line)?.slice(value.column) ?? "";
    const example = this.#exampleIn(words.slice(-maxSentence), tail.slice(0, maxSentence));
    const items = (parts.length > 0 ? parts : [first]).map((part) => {
      if (typeof part === "string") return part;
      const request = part.form.kind === "response" ? quoted.get(part.form.id) : undefined;
      const isOpen = messages.length === 0 || value.open?.has(part.message) === true;
      const facts = factsOf(part.wrappers, this.#protocol);
      const sender = facts.side ?? otherRole(this.#protocol, request?.sender);
      const form = sender === undefined ? part.form : { ...part.form, sender };
      const heads = [
        this.#headOf(words, form.name).head,
        ...(part.wrappers.length === 0
          ? []
          : [{ ...readHead(`{${facts.words.join(" ")}}`), words: "" }]),
        ...(part.words === "" ? [] : [readHead(part.words, form.name)]),
      ];
      const head = heads.reduce(joinedHead);
      const sign = this.#signOf(head);
      return {
        value: part.message,
        head,
        form,
        unknown: unknownIn(value, part),
        fault: isOpen ? value.fault : undefined,
        source: isOpen && value.fault !== undefined ? source() : undefined,
        time: facts.time ?? head.time ?? (label && timeIn(label.text())),
        session: sign?.groups?.["session"] ?? facts.session,
        likelySide: sideOf(sign?.groups, this.#protocol),
        isForeign: sign === null,
        example,
        isQuoted: part.form === quoted.get(form.id),
        isSigned: sign !== null && sign !== undefined,
      } satisfies WordedValue;
    });
    let above = usedLabel === undefined ? undefined : label;
    this.#hasFrames ||= this.#hasHeader && usedLabel === undefined && words.trim() === "";
    // A header belongs to the words above it.
    const line = this.#hasHeader && above !== undefined ? above.line : from + 1;
    if (above !== undefined) this.#label = undefined;
    this.#finishLabel();
    this.#lastLabel = usedLabel ?? "";
    const isMessage =
      first.form.fit === "message" &&
      (value.fault === undefined || value.open?.has(first.message) !== true) &&
      unknownIn(value, first).length === 0;
    const shown = shortText(isMessage ? words : source(), maxText);
    const lineOf =
      last > from && messages.length > 1 ? linesIn(source().slice(words.length)) : undefined;
    items.forEach((worded, index) => {
      const part = parts[index];
      const pointer = typeof part === "object" ? part.pointer : undefined;
      const place = line + (lineOf?.(pointer ?? "") ?? 0);
      if (typeof worded === "string")
        return this.#add({ line: place, bytes: 0, text: () => worded });
      const text = (): string => (isMessage ? shown + JSON.stringify(worded.value) : shown);
      this.#add({ line: place, bytes: 0, text, worded, label: above });
      above = undefined;
    });
  }

  /** Returns whether the words around a value show that it is an example. */
  #exampleIn(words: string, tail: string): WordedValue["example"] {
    const isInLine = this.#column > 0;
    const isNext = this.#line - this.#assertedLine === (isInLine ? 0 : 1);
    const isAsserted = assertion.test(words);
    if (isAsserted) this.#assertedLine = this.#line;
    if (isAsserted || (isNext && (isInLine || compared.test(words)))) return "certain";
    const isSentence = exampleWord.test(words) || sentence.test(tail);
    if (!isSentence && !(isInLine && sentence.test(words))) return undefined;
    return timeIn(words) === undefined ? "likely" : undefined;
  }

  /** Returns the match of the program's sign, or null if its messages have other words. */
  #signOf({ words }: LogHead): RegExpExecArray | null | undefined {
    this.program ??= this.#programs.find(({ sign }) => sign.test(words));
    const sign = this.program?.sign.exec(words);
    return sign === null && this.program?.isExclusive !== true ? undefined : sign;
  }

  /** Reads a message that is described in words, and its payload, which may be on the lines below. */
  #readWords(whole: string): boolean {
    const start = this.#column === 0 ? 0 : this.#column + whole.slice(this.#column).search(/\S|$/);
    const text = whole.slice(start);
    if (punctuation.test(text) || !this.#mayDescribe(text)) return false;
    const isCertain = this.program?.describes === true;
    const kindOf = (name: string): "request" | "event" | undefined => this.#forms.kindOf(name);
    const description = readDescription(text, kindOf, this.#asked, isCertain);
    if (description === undefined) return false;
    const { name, next, length } = description;
    const words = text.slice(0, length);
    const head = readHead(words, name);
    const sign = this.#signOf(head);
    if (sign === null) return false;
    let [end, line, printed]: [Place, number, string] = [
      { line: this.#line, column: start + length },
      this.#line,
      words,
    ];
    let { kind } = description;
    let payload: LoggedValue | undefined;
    const failure = next === "failure" ? this.#failureAt(end) : undefined;
    if (failure !== undefined) end = failure;
    let at = next === "payload" ? end : this.#payloadAfter(end, words, next === undefined);
    while (at !== undefined) {
      const { label } = at;
      const source = this.#text.lineAt(at.line)!.slice(0, at.column);
      const read =
        label === "nothing" ? undefined : readValue(this.#text, at.line, at.column, source);
      if (label === undefined && this.#isMessage(read)) return false;
      if (label === undefined && next === undefined) break;
      end = read === undefined ? at : endOf(read, at.line);
      // Some logs follow a result with "Error: null".
      if (label !== "error" || read?.value !== null) line = at.line;
      if (read !== undefined && line === at.line) {
        payload = read;
        if (label === "error" || isFailure(read.value, kind, this.#protocol)) kind = "failure";
        printed += `${label === undefined ? "" : `\n${source}`}${JSON.stringify(read.value)}`;
      }
      // Only the error of a response may still follow.
      at =
        kind === "response" && label === "payload"
          ? this.#payloadAfter(end, source, true)
          : undefined;
    }
    this.#finishLabel();
    const { message, unknown } = describedMessage(
      { description, kind, failure, payload },
      this.#protocol,
    );
    const form = this.#forms.formOf(message);
    const fault = payload?.fault;
    const source = fault === undefined ? undefined : this.#text.lineAt(line);
    this.#descriptions++;
    this.#passTo(end.line, end.column);
    this.#add({
      line: line + 1,
      bytes: 0,
      text: () => printed,
      worded: {
        value: message,
        head,
        form: { ...form, fit: form.kind === undefined ? "none" : "message" },
        unknown,
        fault,
        source,
        time: head.time,
        took: description.took,
        session: sign?.groups?.["session"] ?? "",
        likelySide: sideOf(sign?.groups, this.#protocol),
        isSigned: this.program?.describes === true && form.isDefined === true,
        isDescribed: this.program?.describes !== true,
      },
    });
    return true;
  }

  /**
   * Finds the payload after words that describe a message, after a label or at the beginning of the
   * next line. Returns undefined if there is none.
   *
   * @param words The words, which the lines below may repeat.
   */
  #payloadAfter({ line, column }: Place, words: string, mayFollow: boolean): Place | undefined {
    for (let index = line; mayFollow && index < line + maxBlankLines; index++) {
      const whole = this.#text.lineAt(index) ?? "";
      const start = index === line ? column : repeatedLength(words, whole);
      const text = whole.slice(start);
      const label = payloadLabel.exec(text) ?? noPayload.exec(text);
      if (label !== null) {
        const { error, nothing } = label.groups ?? {};
        const kind = error !== undefined ? "error" : nothing === undefined ? "payload" : "nothing";
        return { line: index, column: start + label[0].length, label: kind };
      }
      const first = text.search(/\S/);
      if (index > line && text[first] === "{") return { line: index, column: start + first };
      if (!punctuation.test(text)) break;
    }
    return undefined;
  }

  /** Whether a line may describe a message. It does not in a log that contains the messages. */
  #mayDescribe(text: string): boolean {
    const { program } = this;
    if (program?.describes === true) return true;
    const isSparse = this.#wholes < fewMessages || this.#descriptions * 2 > this.#wholes;
    if (!isSparse || program?.isExclusive === true) return false;
    const [words = ""] = text.slice(0, maxSentence).split("{", 1);
    const opening = this.#protocol.conversation?.opening;
    // Until there is a description, do not search the lines of other programs for one.
    if (this.#descriptions > 0 || mayDescribe.test(words)) return true;
    return opening !== undefined && words.includes(opening);
  }

  #isMessage(value: LoggedValue | undefined): boolean {
    return value !== undefined && this.#forms.messagesIn(value.value, value.open).length > 0;
  }

  /** Reads the text of a failure up to its code, which may be on one of the lines that follow. */
  #failureAt({ line, column }: Place): FailureText & Place {
    const first = this.#text.lineAt(line)!;
    let text = first.slice(column);
    for (let index = line; index < line + maxFailureLines; index++) {
      const [whole, words = "", code] = failureEnd.exec(text) ?? [];
      const rest = text.length - (whole?.length ?? 0);
      if (whole !== undefined)
        return { text: words, code, line: index, column: this.#text.lineAt(index)!.length - rest };
      const next = this.#text.lineAt(index + 1) ?? "";
      if (next.trim() === "" || /\] (?:Sending|Received) /.test(next) || payloadLabel.test(next))
        break;
      text += `\n${next}`;
    }
    return { text: first.slice(column), code: undefined, line, column: first.length };
  }

  #add(item: LogItem): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#handle({ ...item, bytes });
  }
}

/** Returns where to continue after a payload, which begins on the given line. */
function endOf({ line, column, fault }: LoggedValue, start: number): Place {
  if (fault === undefined) return { line, column };
  return { line: line > start ? line : line + 1, column: 0 };
}

/** Returns whether a payload is the error of a failure, although no words tell. */
function isFailure(payload: unknown, kind: string, { envelope }: Protocol): boolean {
  if (kind !== "response" || envelope.response?.success !== undefined) return false;
  return isObject(payload) && Number(payload["code"]) < 0 && typeof payload["message"] === "string";
}

/** Returns the requests that are quoted beside their responses, by id. */
function quotedRequests(messages: readonly NestedMessage[]): ReadonlyMap<unknown, MessageForm> {
  const answers = new Map<unknown, Fields | undefined>();
  const quoted = new Map<unknown, MessageForm>();
  for (const { form, wrappers, pointer } of messages) {
    const wrapper = pointer === undefined ? undefined : wrappers.at(-1);
    if (form.kind === "response") answers.set(form.id, wrapper);
    else if (form.kind === "request" && wrapper !== undefined)
      if (answers.get(form.id) === wrapper) quoted.set(form.id, form);
  }
  return quoted;
}

/**
 * Returns a function that finds the line of a part of a value by its pointer, counted from the
 * value's first line. Returns undefined if the value is not JSON.
 */
function linesIn(text: string): ((pointer: string) => number) | undefined {
  if (text.length > maxLocated) return undefined;
  try {
    const file = readJsonText(text.slice(0, text.lastIndexOf("}") + 1), "");
    return (pointer) => (file.locate(pointer).line ?? 1) - 1;
  } catch {
    return undefined;
  }
}

/** Returns the role that the groups of a match name. */
function sideOf(
  { client, server }: Readonly<Record<string, string | undefined>> = {},
  { roles }: Protocol,
): string | undefined {
  return client !== undefined ? roles[0] : server !== undefined ? roles[1] : undefined;
}

function joinedHead(head: LogHead, inner: LogHead): LogHead {
  return {
    words: `${head.words}${inner.words}`,
    shape: `${head.shape} ${inner.shape}`.trim(),
    mark: `${head.mark} ${inner.mark}`.trim(),
    time: head.time ?? inner.time,
  };
}

/** Returns the unknown parts of a message in a value, as JSON Pointers into the message. */
function unknownIn({ unknown }: LoggedValue, { pointer }: NestedMessage): readonly string[] {
  if (pointer === "") return unknown;
  return unknown.flatMap((each) =>
    pointer !== undefined && each.startsWith(`${pointer}/`) ? each.slice(pointer.length) : [],
  );
}

/** Returns what the objects around a message say about it. */
function factsOf(
  wrappers: readonly Fields[],
  { roles }: Protocol,
): {
  readonly words: readonly string[];
  readonly time?: LoggedTime | undefined;
  readonly side: string | undefined;
  readonly session: string;
} {
  const fields = wrappers
    .flatMap((wrapper) => Object.entries(wrapper))
    .flatMap(([key, value]) =>
      isObject(value) && attributes.test(key) ? Object.entries(value) : [[key, value] as const],
    );
  const words = fields.flatMap(([key, value]) => {
    const isWord = typeof value === "string" && value.length < 40 && timeIn(value) === undefined;
    // A short message in a text is not one of the words about it.
    return isWord && value.search(objectStart) < 0 ? [`${key}=${value}`] : [];
  });
  const times = wrappers
    .toReversed()
    .flatMap((wrapper) => Object.entries(wrapper))
    .flatMap(([key, value]) => (timeField.test(key) ? loggedTime(value) : []));
  const [, connection = ""] = fields.find(([key]) => key === "connectionId") ?? [];
  const side = roles.find((role) => wrappers.some((wrapper) => wrapper["from"] === role));
  return { words, time: times[0], side, session: String(connection) };
}

function loggedTime(value: unknown): readonly LoggedTime[] {
  if (typeof value === "number" && value > 1e9)
    return [{ kind: "milliseconds", milliseconds: value > 1e11 ? value : value * 1_000 }];
  const time = typeof value === "string" ? timeIn(value) : undefined;
  return time === undefined ? [] : [time];
}

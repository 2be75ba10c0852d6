import { isDeepStrictEqual } from "node:util";
import { countText } from "../../../generator/base/plural.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Fields } from "../message-reader.js";
import type { EntryHandler, EntryReader, RecordedEntry } from "../recorded-entry.js";
import { shortText } from "../remembered.js";
import { LogClock } from "./log-clock.js";
import { isOpeningOf, LogConnections } from "./log-connections.js";
import { LogEvidence } from "./log-evidence.js";
import { areOpposite } from "./log-head.js";
import { type LogItem, LogScanner, type WordedValue } from "./log-scanner.js";
import type { LogSummary } from "./log-summary.js";
import type { Restorer } from "./logging-programs.js";
import type { MessageForm } from "./message-form.js";

/** Number of bytes from which the meaning of the words is learned. */
const windowBytes = 64 * 1024;

/** Maximum length of the beginning of a damaged message. */
const maxSample = 200;

/** Maximum number of sessions that are distinguished. */
const maxSessions = 1_000;

/** Number of messages among which a repetition is sought, and the size of the largest. */
const maxRecent = 100;
const maxRepeated = 16 * 1024;

/** Matches a line that says that something was cut. */
const cutMark =
  /^\W*(?:\.{3,}|…|\[?\W{0,3}(?:snip(?:ped)?|cut|truncated|omitted|skipp(?:ed|ing))\b.{0,40}|-{2,} ?8<.*)\W*$/i;

/** Matches the end of a value that was cut, with what was said about the rest. */
const valueCut =
  /(?:\.{3}|…)\s*[([<]?\s*(?:\+?\d[\d,]* (?:more )?(?:bytes|chars|characters)\b.{0,20}|(?:truncated|snip(?:ped)?|cut|more)?\W{0,3})$/i;

const exampleNote = "in a sentence or a test: not counted";

/** Match messages as some languages print their objects, so that parts of them are unknown. */
const unreadable: readonly (readonly [language: string, reason: string, sign: RegExp])[] = [
  [
    "Java, {a=b},",
    "has no quotation marks",
    /[{[](?:type|seq|command|event|jsonrpc|id|method)=[\w$./-]{1,80}[,}\]]/,
  ],
  [
    "Go, map[a:b] or {A:b},",
    "has no quotation marks",
    /\bmap\[[a-z]\w*:|\{(?:Request|Response|Event|ProtocolMessage|Seq|JSONRPC|Method):[^\s"]/,
  ],
  [
    "Rust, method: AMethod,",
    "has types in place of names",
    /\bJsonRpc(?:Request|Notification) \{.{0,200}\bmethod: [A-Z]\w*/,
  ],
];

/**
 * Reads the log of any program: learns from the messages in it what the words in front of them mean,
 * and passes everything else on as text.
 */
export class LogReader implements EntryReader {
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  readonly #scanner: LogScanner;
  readonly #evidence: LogEvidence;
  readonly #connections: LogConnections;
  readonly #clock = new LogClock();
  #restore: Restorer | undefined;
  /** Items whose meaning is not known yet, and their size. */
  #held: LogItem[] = [];
  #heldBytes = 0;
  #isLearned = false;
  /** The kinds of messages that the log describes, rather than containing them. */
  #describedKinds: ReadonlySet<unknown> = new Set();
  /** The names of requests without ids, and the id of the next, if their responses tell it. */
  #askedNames: ReadonlySet<unknown> = new Set();
  #nextId: number | undefined;
  /** The line before which messages were logged but not sent. */
  #firstLine = 0;
  readonly #sessions = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  /** The latest messages by session, kind and id. Of those without an id, only the last message. */
  readonly #recent = new LatestEntries<string, WordedValue>(maxRecent);
  #lastKey = "";
  #repetitions = 0;
  /** Number of openings that are not repetitions. */
  #openings = 0;
  /** Whether the client has sent something since the last opening. */
  #hasAsked = false;
  /** Times of unanswered requests in a log that tells how long they took, and the last time. */
  readonly #requestTimes = new LatestEntries<string, number>(maxSessions);
  #lastTime = 0;
  #missing: string | undefined;
  /** Fields of the first object that is not a message. */
  #firstFields: readonly string[] = [];
  /** Remarks about values, each with their noun and number. */
  readonly #notes = new Map<string, readonly [noun: string, count: number]>();
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
    this.#scanner = new LogScanner(protocol, beginning, (item) => this.#hold(item));
    this.#evidence = new LogEvidence(protocol, senders);
    this.#connections = new LogConnections(protocol);
  }

  get isOrderGuessed(): boolean {
    return this.#scanner.program?.isOrderLoose === true;
  }

  get log(): LogSummary {
    const { name, omits } = this.#scanner.program ?? {};
    return {
      ...(name === undefined ? {} : { program: name }),
      ...(omits === undefined ? {} : { omits }),
      ...this.#counts,
      ...(this.#repetitions === 0 ? {} : { repetitions: this.#repetitions }),
      ...(this.#counts.messages > 0 ? {} : { doubt: this.#doubt }),
      sources: this.#evidence.sources,
      remarks: [
        ...this.#scanner.remarks,
        ...this.#connections.remarks,
        ...[...this.#notes].map(([note, [noun, count]]) => `${countText(count, noun)} ${note}`),
      ],
    };
  }

  get #doubt(): string {
    const { otherValues } = this.#counts;
    const fields = this.#firstFields
      .slice(0, 5)
      .map((field) => JSON.stringify(shortText(field, 40)));
    if (otherValues === 0) return "It contains no object";
    const hasExamples = this.#notes.has(exampleNote);
    const reason = hasExamples ? "the messages are in sentences or tests" : this.#evidence.doubt;
    return `It contains ${countText(otherValues, "object")}, but ${reason}. The first has ${fields.length === 0 ? "no fields" : `the fields ${fields.join(", ")}`}`;
  }

  push(bytes: Uint8Array): void {
    this.#scanner.push(bytes);
  }

  end(): void {
    this.#scanner.end();
    this.#learn();
  }

  /** Adds an item. Holds it back until enough has been read to know what it means. */
  #hold(item: LogItem): void {
    const { worded } = item;
    if (this.#isLearned && worded !== undefined) {
      if (this.#isCertain(worded)) this.#consider(worded);
      this.#connections.add(worded, (name) => !this.#evidence.hasName(name, worded.head.shape));
    }
    if (this.#isLearned || (worded === undefined && this.#held.length === 0))
      return this.#resolve(item);
    this.#held.push(item);
    this.#heldBytes += item.bytes;
    if (this.#heldBytes >= windowBytes) this.#learn();
  }

  /** Returns whether a value is neither a description in a log of messages nor an example. */
  #isCertain({ isDescribed, example, head, form }: WordedValue): boolean {
    if (isDescribed === true && !this.#describedKinds.has(form.kind)) return false;
    if (example === "certain") return false;
    return example === undefined || this.#evidence.hasShape(head.shape);
  }

  #consider(worded: WordedValue): void {
    if (worded.isForeign !== true && worded.isQuoted !== true)
      this.#evidence.add(worded.head, worded.form);
  }

  #learn(): void {
    const held = this.#held;
    const messages = held.flatMap(({ worded }) => worded ?? []);
    const counts = new Map<unknown, number>();
    const shapes = new Set<string>();
    // Words in front of several values are not the beginning of a sentence.
    const repeated = new Set<string>();
    for (const { isDescribed, form, head } of messages) {
      if (form.fit !== "message") continue;
      // A log that contains most messages of a kind does not describe the others.
      counts.set(form.kind, (counts.get(form.kind) ?? 0) + (isDescribed === true ? 1 : -2));
      if (shapes.has(head.shape)) repeated.add(head.shape);
      shapes.add(head.shape);
    }
    this.#describedKinds = new Set([...counts.keys()].filter((kind) => counts.get(kind)! > 0));
    this.#learnIds(messages);
    for (const each of messages)
      if (this.#isCertain(each) || (each.example === "likely" && repeated.has(each.head.shape)))
        this.#consider(each);
    this.#isLearned = this.#evidence.isSession;
    this.#held = [];
    this.#heldBytes = 0;
    this.#connections.learn(messages);
    const [client] = this.#protocol.roles;
    const first = held.find(({ worded }) => worded?.form.sender === client);
    const isWhole = first?.worded !== undefined && isOpeningOf(this.#protocol, first.worded.form);
    if (isWhole && this.#scanner.program?.logsUnsent === true) this.#firstLine = first.line;
    for (const item of held) this.#resolve(item);
  }

  /** Learns the first id of the requests that were logged without one, from the responses. */
  #learnIds(messages: readonly WordedValue[]): void {
    const requests = messages.filter(({ form }) => form.kind === "request");
    this.#askedNames = new Set(requests.map(({ form }) => form.name));
    const asked = new Set(requests.map(({ form, isQuoted }) => isQuoted !== true && form.id));
    const { form } =
      messages.find(({ form: { kind, id } }) => kind === "response" && !asked.has(id)) ?? {};
    const first = messages.find((each) => this.#lacksId(each.form));
    if (first !== undefined && typeof form?.id === "number") this.#nextId = form.id;
  }

  #lacksId({ lacksId, kind, name }: MessageForm): boolean {
    return lacksId === true || (kind === "event" && this.#askedNames.has(name));
  }

  /** Adds the id of a request if the log omits it. */
  #numbered(worded: WordedValue): WordedValue {
    if (this.#nextId === undefined || !this.#lacksId(worded.form)) return worded;
    const id = this.#nextId++;
    this.#note("request", "without an id: counted up to the ids of the responses");
    const value = { ...(worded.value as Fields), [this.#protocol.envelope.id!]: id };
    return { ...worded, form: { ...worded.form, kind: "request", id }, value };
  }

  #resolve(item: LogItem): void {
    const { worded, fault, bytes, line } = item;
    const read = worded && this.#entryOf(worded, line, bytes);
    const entry = fault === undefined ? read : { line, fault };
    if (entry === undefined) this.#addOther(item);
    else {
      this.#counts[entry.message === undefined ? "damaged" : "messages"]++;
      this.#handle(entry, bytes);
    }
  }

  #addOther({ line, bytes, text, worded, fields, label }: LogItem): void {
    if (worded?.form.fit === "message" && worded.example !== undefined)
      this.#note("message", exampleNote);
    if (label !== undefined) this.#addOther(label);
    const printed = text();
    if (worded !== undefined || fields !== undefined) {
      const names = fields ?? (isObject(worded?.value) ? Object.keys(worded.value) : []);
      if (this.#counts.otherValues++ === 0) this.#firstFields = names;
    } else if (printed.length < 80 && cutMark.test(printed))
      this.#missing = `the log says ${JSON.stringify(printed.trim())}`;
    const [language, reason] =
      (/[=:]/.test(printed) && unreadable.find(([, , sign]) => sign.test(printed))) || [];
    if (language !== undefined)
      this.#note(
        "value",
        `in the notation of ${language} cannot be read, because it ${reason}: log them as JSON`,
      );
    this.#counts.otherLines += printed.split("\n").length;
    this.#handle({ line, printed }, bytes);
  }

  #note(noun: string, note: string): void {
    this.#notes.set(note, [noun, (this.#notes.get(note)?.[1] ?? 0) + 1]);
  }

  /** Returns the entry for a value, or undefined if it is not a message of the session. */
  #entryOf(given: WordedValue, line: number, bytes: number): RecordedEntry | undefined {
    const worded = this.#numbered(given);
    const { value, head, form, fault, isSigned } = worded;
    const { program } = this.#scanner;
    const isMessage =
      (isSigned && form.fit === "message" && fault === undefined && !this.#evidence.isForeign) ||
      this.#evidence.isMessage(head, form, fault !== undefined);
    if (worded.isForeign || !isMessage || line < this.#firstLine) return undefined;
    if (!this.#isCertain(worded)) return undefined;
    const from = this.#evidence.senderOf(head, form) ?? worded.likelySide;
    const [cut] =
      (fault?.code === "ERR_LOST" && valueCut.exec(worded.source?.trimEnd() ?? "")) || [];
    if (cut !== undefined) {
      // The sender is not responsible for a gap in the log.
      this.#missing = `the log says ${JSON.stringify(cut)}`;
      this.#counts.damaged++;
      return undefined;
    }
    const logged = worded.time && this.#clock.since(worded.time);
    const session = worded.session || this.#connections.sessionOf(head);
    const time = logged === undefined ? undefined : this.#refinedTime(worded, session, logged);
    // Without spreads, because this object is created for every message.
    const entry: { -readonly [Key in keyof RecordedEntry]: RecordedEntry[Key] } = { line };
    if (from !== undefined) entry.from = from;
    if (time !== undefined) entry.time = time;
    const number = this.#sessionNumber(session);
    if (number !== undefined) entry.session = number;
    if (fault !== undefined) {
      const sample = shortText(worded.source ?? "", maxSample);
      entry.fault = sample === "" ? fault : { ...fault, sample };
      return entry;
    }
    if (!isObject(value)) return undefined;
    if (this.#isRepeated(worded, session, bytes)) {
      this.#repetitions++;
      return undefined;
    }
    this.#followNumber(form, value, from, session);
    this.#restore ??= program?.restorer?.(this.#protocol);
    const restored = this.#restore?.(value, from);
    entry.message = restored?.message ?? value;
    const unknown = [...new Set([...worded.unknown, ...(restored?.unknown ?? [])])];
    if (unknown.length > 0) entry.unknown = unknown;
    if (this.#missing !== undefined) entry.missing = this.#missing;
    this.#missing = undefined;
    return entry;
  }

  /** Returns the time of a message in a log that tells how long each request took. */
  #refinedTime({ took, form }: WordedValue, session: string, logged: number): number {
    if (this.#scanner.program?.describes !== true && this.#describedKinds.size === 0) return logged;
    const key = `${session} ${JSON.stringify(form.id)}`;
    const asked = form.kind === "response" ? this.#requestTimes.get(key) : undefined;
    const answered = took === undefined || asked === undefined ? logged : asked + took;
    // The times of most such logs are whole seconds, so that a response may come any time within one.
    const isWithin = Math.abs(answered - logged) < 1_000;
    const time = Math.max(isWithin ? answered : logged, Math.min(this.#lastTime, logged + 999));
    this.#lastTime = time;
    if (form.kind === "request") this.#requestTimes.set(key, time);
    return time;
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
  #isRepeated(worded: WordedValue, session: string, bytes: number): boolean {
    const { head, form } = worded;
    if (worded.isQuoted === true) return true;
    if (form.kind === undefined || bytes > maxRepeated) return false;
    const isOpening = isOpeningOf(this.#protocol, form);
    // Whoever has sent more opens another session, even if it is equal to the one before.
    if (isOpening && this.#hasAsked) this.#openings++;
    if (isOpening) this.#hasAsked = false;
    else if (form.kind !== "response" && form.sender === this.#protocol.roles[0])
      this.#hasAsked = true;
    const keyOf = (kind: string): string =>
      `${this.#openings} ${session} ${kind} ${JSON.stringify(form.id)}`;
    const key = keyOf(form.kind);
    const before =
      form.id !== undefined || key === this.#lastKey ? this.#recent.get(key) : undefined;
    if (
      before !== undefined &&
      before.head.shape !== head.shape &&
      // Both sides may send an equal message, unless only one of them may.
      (form.sender !== undefined || !areOpposite(before.head.mark, head.mark)) &&
      areEqual(before, worded)
    )
      return true;
    this.#recent.set(key, worded);
    this.#lastKey = key;
    return false;
  }

  /** Follows the numbers of a side, and notes gaps in them. */
  #followNumber(
    { kind, id }: MessageForm,
    value: Fields,
    from: string | undefined,
    session: string,
  ): void {
    const { envelope } = this.#protocol;
    const isCounted = envelope.id !== envelope.replyTo;
    const number = isCounted ? value[envelope.id ?? ""] : kind === "request" ? id : undefined;
    if (typeof number !== "number" || from === undefined) return;
    const key = `${session} ${from}`;
    const last = this.#numbers.get(key);
    const isJump = last !== undefined && last > 0 && number > last + 1;
    if (isJump) this.#missing = `the ${from}'s numbers jump from ${last} to ${number}`;
    if (last !== undefined || this.#numbers.size < maxSessions) this.#numbers.set(key, number);
  }
}

/**
 * Returns whether two values are the same message. One may be incomplete, because it was printed
 * from the program's own objects.
 */
function areEqual(one: WordedValue, other: WordedValue): boolean {
  const isExact = [one, other].every(
    ({ form, unknown }) => form.fit === "message" && unknown.length === 0,
  );
  if (isExact) return isDeepStrictEqual(one.value, other.value);
  const [fields, others] = [one.value as Fields, other.value as Fields];
  return (
    one.form.name === other.form.name &&
    Object.entries(fields).every(
      ([name, value]) =>
        typeof value === "object" ||
        !(name in others) ||
        others[name] === value ||
        [one, other].some(({ unknown }) => unknown.includes(`/${name}`)),
    )
  );
}

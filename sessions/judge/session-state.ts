import type { Dialect, Envelope, Protocol } from "../../generator/model/protocol.js";
import { AnnouncedCapabilities, Registrations, type CapabilityTest } from "./capabilities.js";
import type { EntryPlace, JudgedMessage, ResponseMismatch, SentRequest } from "./judged-message.js";
import { type JudgedProtocol, judgedProtocolOf } from "./judged-protocol.js";
import { Doubt, type Fact, type Gap, type RecordingFacts, SessionKnowledge } from "./knowledge.js";
import { type LaneAnswer, LaneExchanges } from "./lane-exchanges.js";
import { SentRequests } from "./sent-requests.js";
import type { RecordedEntry } from "../read/recorded-entry.js";
import { shortName } from "../read/remembered.js";
import { type Fields, payloadFieldOf } from "../read/message-reader.js";
import type { CarriedValues } from "./table/carried-values.js";
import { selectorsOf } from "./table/selectors.js";

/**
 * How strictly to judge messages. `strict`: exactly by the schema. `wire`: by the needs of a
 * tolerant reader.
 */
export type LintProfile = "strict" | "wire";

export interface SessionOptions extends RecordingFacts {
  readonly profile: LintProfile;
  /**
   * Maximum number of requests to remember, and of references and ids of each kind. Beyond these
   * limits, only the latest are kept.
   */
  readonly limit: number;
  /**
   * Messages, by name, that are permitted without their own capability if these tests of other
   * capabilities hold.
   */
  readonly ungated: Readonly<Record<string, Readonly<Record<string, CapabilityTest>>>>;
  /** Values from earlier sessions. */
  readonly carried: CarriedValues;
}

/** Maximum number of messages to remember before the opening side's first message. */
const maxEarly = 20;

/**
 * The data that rules read: the protocol, the options, and the state of the session before the
 * judged message.
 */
export class SessionState {
  readonly protocol: Protocol;
  readonly judged: JudgedProtocol;
  readonly profile: LintProfile;
  /** Which facts about the session are known. */
  readonly knowledge: SessionKnowledge;
  /** Collects the reason why it is unknown whether the tested condition holds. */
  readonly doubt: Doubt = new Doubt();
  /** Maximum number of ids of each kind to remember. Beyond that, only the latest are kept. */
  readonly limit: number;
  readonly requests: SentRequests;
  /** Sequence number of each role's latest message that has one. */
  readonly numbers = new Map<string, number>();
  readonly capabilities: AnnouncedCapabilities;
  readonly registrations: Registrations;
  readonly carried: CarriedValues;
  /** Matches answers to commands, if messages have no ids. */
  readonly #lanes: LaneExchanges | undefined;
  /** The effect of the judged message on earlier commands, if messages have no ids. */
  laneAnswer: LaneAnswer | undefined;
  readonly #isFromStart: boolean;
  readonly #ungated: SessionOptions["ungated"];
  /** Whether the opening request has been answered. */
  isOpen = false;
  #hasOpening = false;
  /** Position of the latest message in the session. */
  index = 0;
  /** Messages from the other side that precede the opening side's first message. */
  early: JudgedMessage[] = [];

  constructor(protocol: Protocol, { profile, limit, ungated, carried, ...facts }: SessionOptions) {
    const judged = judgedProtocolOf(protocol);
    this.protocol = protocol;
    this.judged = judged;
    this.profile = profile;
    this.#isFromStart = facts.isFromStart;
    this.limit = limit;
    this.knowledge = new SessionKnowledge(facts, protocol.roles[0], protocol.conversation?.opening);
    this.requests = new SentRequests(protocol, limit, this.knowledge);
    this.#lanes = protocol.lanes === undefined ? undefined : new LaneExchanges(protocol, limit);
    this.capabilities = new AnnouncedCapabilities(judged, this.knowledge);
    this.registrations = new Registrations(protocol);
    this.#ungated = ungated;
    this.carried = carried;
  }

  /**
   * Returns whether a message is, or may be, permitted even though its capability was not
   * announced.
   */
  isUngated(name: string): boolean {
    const flags = Object.hasOwn(this.#ungated, name) ? this.#ungated[name] : undefined;
    return flags !== undefined && this.capabilities.areMet(flags, this.doubt);
  }

  /** Whether the opening request or its response has arrived. */
  get hasOpening(): boolean {
    return this.#hasOpening || this.isOpen;
  }

  /**
   * Whether the recording contains the beginning of the session and the opening request has not
   * been answered yet.
   */
  get isOpening(): boolean {
    return (
      !this.isOpen &&
      (this.#isFromStart || this.knowledge.first === this.protocol.conversation?.opening)
    );
  }

  /** Returns why the first unknown fact is unknown, or undefined if all facts are known. */
  gapOf(facts: readonly Fact[] = []): Gap | undefined {
    for (const fact of facts) {
      const gap = this.knowledge.gapOf(fact);
      if (gap !== undefined) return gap;
    }
    return undefined;
  }

  /** @param index Position of the entry's message in its session, counting from 1. */
  placeOf(entry: RecordedEntry, index: number, label: string): EntryPlace {
    const { from, session, time, offset, line, unknown } = entry;
    const { roles } = this.protocol;
    return {
      index,
      label,
      from: from === roles[1] ? from : roles[0],
      isFromKnown: from !== undefined,
      session,
      time,
      offset,
      line,
      unknown,
    };
  }

  /**
   * Reads a message in the context of its session. Returns undefined if it is not a request, an
   * event or a response.
   *
   * @param index Position of the message in its session, counting from 1.
   */
  read(entry: RecordedEntry, index: number): JudgedMessage | undefined {
    const { reader } = this.judged;
    const fields = entry.message as Fields;
    const written = (entry.written?.message ?? fields) as Fields;
    const dialect =
      entry.written && this.protocol.dialects.find(({ name }) => name === entry.written!.dialect);
    const kind = reader.kindOf(fields);
    if (kind === undefined) return undefined;
    const place = this.placeOf(entry, index, "");
    const { from, time } = place;
    const request = kind === "response" ? this.requests.answeredBy(from, fields) : undefined;
    const name = request?.name ?? reader.nameOf(kind, fields);
    const hasFailed = reader.hasFailed(kind, fields);
    const payloadField = payloadFieldOf(this.protocol.envelope, kind);
    return {
      ...place,
      label: reader.describe(kind, fields, name),
      kind,
      bytes: entry.bytes,
      name,
      selectors: selectorsOf({ kind, name, hasFailed }),
      fields,
      written,
      dialect,
      definition: reader.definitionOf(kind, name, fields),
      payloadField,
      body: fields[payloadField] ?? {},
      hasFailed,
      request,
      mismatch:
        kind === "response"
          ? mismatchOf(written, envelopeOf(this.protocol, dialect), request)
          : undefined,
      latency: time === undefined || request?.time === undefined ? undefined : time - request.time,
    };
  }

  /**
   * Updates the parts of the state that the checks for this message need. Called before the message
   * is judged.
   */
  begin(message: JudgedMessage): void {
    this.index = message.index;
    const field = sequenceFieldOf(message, this.protocol) ?? "";
    const isKnown = message.unknown?.includes(`/${field}`) !== true;
    this.knowledge.follow(message, isKnown ? message.written[field] : undefined);
    this.laneAnswer = message.kind === "event" ? this.#lanes?.receive(message) : undefined;
    const answered = this.laneAnswer?.answered;
    if (answered !== undefined) this.requests.see(answered);
  }

  /** Adds a message to the state. Called after the message has been judged. */
  follow(message: JudgedMessage): void {
    const { kind, name } = message;
    if (this.knowledge.first !== undefined) this.early = [];
    else if (!this.#isFromStart && kind !== "response" && this.early.length < maxEarly)
      this.early.push(message);
    const { opening, closing } = this.protocol.conversation ?? {};
    if (kind === "request" && name === opening) this.#hasOpening = true;
    if (kind === "response" && name === opening) this.isOpen = true;
    if (kind === "response" && name === closing && !message.hasFailed)
      this.knowledge.close(message.index);
    if (this.#lanes === undefined) this.requests.follow(message);
    else if (kind === "request") this.#lanes.ask(message);
    const number = sequenceNumberOf(message, this.protocol);
    if (number !== undefined) this.numbers.set(message.from, number);
    this.capabilities.follow(message);
    this.registrations.follow(message);
  }
}

function mismatchOf(
  written: Fields,
  { response }: Envelope,
  request: SentRequest | undefined,
): ResponseMismatch | undefined {
  if (request === undefined) return "unmatched";
  if (request.isAnswered) return "double";
  const field = response?.name;
  if (field === undefined) return undefined;
  const name = written[field];
  return typeof name === "string" && shortName(name) === request.name ? undefined : "misnamed";
}

/** Returns the envelope that messages in a dialect have. */
export function envelopeOf({ envelope }: Protocol, dialect: Dialect | undefined): Envelope {
  return dialect?.envelope ?? envelope;
}

/**
 * Returns the field of a message that contains its sequence number. Undefined if messages have none:
 * ids are not sequence numbers if responses repeat the request id.
 */
export function sequenceFieldOf(
  { dialect }: JudgedMessage,
  protocol: Protocol,
): string | undefined {
  const { id, replyTo } = envelopeOf(protocol, dialect);
  return id === replyTo ? undefined : id;
}

/**
 * Returns a message's sequence number. Returns undefined if it has none or if it is 0, which some
 * adapters send in all messages.
 */
export function sequenceNumberOf(message: JudgedMessage, protocol: Protocol): number | undefined {
  const field = sequenceFieldOf(message, protocol);
  const number = field === undefined ? undefined : message.written[field];
  return typeof number === "number" && number > 0 ? number : undefined;
}

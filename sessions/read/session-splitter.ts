import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { type MessageEnvelope, MessageReader } from "./message-reader.js";
import type { RecordedEntry } from "./recorded-entry.js";

/** Maximum number of a session's unanswered requests to remember for matching later responses. */
const maxRequests = 10_000;

/**
 * Number of recent sessions to which a message may be assigned. Earlier sessions no longer receive
 * messages.
 */
const maxOpen = 8;

/** Maximum number of messages to hold back until it is known whether they begin a session. */
const maxHeld = 20;

/**
 * A session as given in the recording. It may actually consist of several consecutive sessions,
 * which the splitter will separate.
 */
interface GivenSession {
  /** The consecutive sessions, in the order in which they began. */
  sessions: Session[];
  /** Messages held back because they may begin the next session. */
  held: SessionMessage[];
}

/** The state of a session that helps to identify its messages. */
interface Session {
  readonly session: number | undefined;
  /** First and latest sequence numbers, by role. */
  readonly numbers: Map<string, { readonly first: number; last: number }>;
  /** Names of pending requests, by role and id. */
  readonly pending: Map<string, LatestEntries<unknown, string>>;
  /** Whether it contains nothing but what the other side sent before the opening request. */
  isEarly: boolean;
  /** Whether another session has begun since the last message of this session. */
  isSilent: boolean;
  isDoubtful: boolean;
}

/** A message, and what helps to identify its session. */
interface SessionMessage extends MessageEnvelope {
  readonly entry: RecordedEntry;
  readonly from: string;
  readonly number: number | undefined;
  /** Whether it may be sent before the opening request. */
  readonly mayBeEarly: boolean;
}

/**
 * Separates sessions that were appended to, or mixed in, one recording. A new session begins with
 * an opening request that restarts the sequence numbers. Each session gets its own id.
 */
export class SessionSplitter {
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  readonly #given = new Map<number | undefined, GivenSession>();
  /** The highest session id in use. */
  #largest = 1;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
  }

  /** Processes the next entry and returns those entries whose session is now known. */
  split(entry: RecordedEntry): readonly RecordedEntry[] {
    const given = this.#givenSession(entry.session);
    const message = this.#read(entry);
    if (message === undefined) return [...release(given), numbered(entry, given.sessions.at(-1)!)];
    if (this.#isRestart(message, given.sessions.at(-1)!)) return this.#begin(given, message);
    if (given.held.length < maxHeld && this.#mayPrecede(message, given)) {
      given.held.push(message);
      return [];
    }
    return [...release(given), assign(message, given)];
  }

  /** Returns the entries that are still being held back. */
  end(): readonly RecordedEntry[] {
    return [...this.#given.values()].flatMap(release);
  }

  #givenSession(number: number | undefined): GivenSession {
    let given = this.#given.get(number);
    if (given === undefined) {
      const session = this.#largest > 1 && number === undefined ? this.#largest + 1 : number;
      given = { sessions: [newSession(session)], held: [] };
      this.#given.set(number, given);
      this.#largest = Math.max(this.#largest, session ?? 1);
    }
    return given;
  }

  /** Begins a session with its opening request. */
  #begin(given: GivenSession, opening: SessionMessage): readonly RecordedEntry[] {
    const { held } = given;
    given.held = [];
    // From the first one that has a number onward, held messages belong to the new session. If none
    // has a number, their session is unknown.
    const first = held.findIndex(({ number }) => number !== undefined);
    const messages = [...(first < 0 ? [] : held.slice(first)), opening];
    const earlier = held
      .slice(0, held.length - messages.length + 1)
      .map((message) => ({ ...assign(message, given), isDoubtful: true as const }));
    for (const session of given.sessions) session.isSilent = true;
    const begun = newSession(++this.#largest);
    given.sessions = [...given.sessions.slice(1 - maxOpen), begun];
    for (const message of messages) follow(begun, message);
    return [...earlier, ...messages.map(({ entry }) => numbered(entry, begun))];
  }

  #isRestart({ from, kind, name, number }: SessionMessage, latest: Session): boolean {
    const { conversation, roles } = this.#protocol;
    if (kind !== "request" || name !== conversation?.opening || from !== roles[0]) return false;
    if (latest.isEarly) return false;
    const numbers = latest.numbers.get(from);
    return number === undefined || numbers === undefined || number <= numbers.last;
  }

  /**
   * Returns whether this may be a message that the other side sent before a session's opening
   * request.
   */
  #mayPrecede(
    { from, number, mayBeEarly }: SessionMessage,
    { sessions, held }: GivenSession,
  ): boolean {
    if (!mayBeEarly) return false;
    if (held.length > 0 || number === undefined) return true;
    return sessions.every(({ numbers }) => {
      const { first } = numbers.get(from) ?? {};
      return first !== undefined && number <= first;
    });
  }

  /** Returns undefined if the entry is not a request, an event or a response. */
  #read(entry: RecordedEntry): SessionMessage | undefined {
    const { from, message, unknown } = entry;
    const envelope = this.#reader.envelopeOf(message);
    if (envelope === undefined) return undefined;
    const { roles } = this.#protocol;
    const { id, replyTo } = this.#protocol.envelope;
    const isNumbered =
      (envelope.kind !== "response" || id !== replyTo) && unknown?.includes(`/${id}`) !== true;
    // The number 0 counts only in a request, because some adapters send 0 in every message.
    const isNumber =
      typeof envelope.id === "number" && (envelope.id > 0 || envelope.kind === "request");
    return {
      entry,
      ...envelope,
      from: from === roles[1] ? from : roles[0],
      mayBeEarly: from === roles[1] && envelope.kind !== "response",
      number: isNumbered && isNumber ? (envelope.id as number) : undefined,
    };
  }
}

function newSession(session: number | undefined): Session {
  return {
    session,
    numbers: new Map(),
    pending: new Map(),
    isEarly: true,
    isSilent: false,
    isDoubtful: false,
  };
}

/** Stops holding back messages. Returns their entries. */
function release(given: GivenSession): readonly RecordedEntry[] {
  const { held } = given;
  given.held = [];
  return held.map((message) => assign(message, given));
}

/** Assigns a message to one of the sessions. */
function assign(message: SessionMessage, { sessions }: GivenSession): RecordedEntry {
  const session = sessions.length === 1 ? sessions[0]! : choose(sessions, message);
  follow(session, message);
  return numbered(message.entry, session);
}

function numbered(entry: RecordedEntry, { session, isDoubtful }: Session): RecordedEntry {
  if (entry.session === session && !isDoubtful) return entry;
  return {
    ...entry,
    ...(session === undefined ? {} : { session }),
    ...(isDoubtful ? { isDoubtful: true } : {}),
  };
}

/** Chooses the session that best matches a message. */
function choose(sessions: readonly Session[], message: SessionMessage): Session {
  const fits = new Map(sessions.map((session) => [session, fitOf(session, message)]));
  const ranked = sessions.toSorted((one, other) => fits.get(other)! - fits.get(one)!);
  const best = ranked.find(({ isSilent }) => !isSilent)!;
  const silent = ranked.find(({ isSilent }) => isSilent);
  const fit = fits.get(best)!;
  if (fit < 0 && silent !== undefined && fits.get(silent)! > 0) return silent;
  // If a role has not sent any numbers in an earlier session yet, its first number fits that
  // session too.
  const isClear = message.number === undefined || fit > 1;
  const rivals = ranked.filter((each) =>
    each.isSilent ? !isClear && fits.get(each)! >= fit : each !== best && fits.get(each) === fit,
  );
  if (rivals.length > 0) for (const session of [best, ...rivals]) session.isDoubtful = true;
  return best;
}

/** Scores how well a message continues a session. Higher is better. */
function fitOf({ numbers, pending }: Session, message: SessionMessage): number {
  const { from, kind, name, number, replyTo } = message;
  const { last } = numbers.get(from) ?? {};
  let fit = 0;
  if (number !== undefined && last === undefined) fit = number > 1 ? -1 : 1;
  else if (number !== undefined && last !== undefined)
    fit = number === last + 1 ? 2 : number > last ? 0 : -2;
  if (kind !== "response") return fit;
  const isAnswer = [...pending].some(([role, requests]) => {
    const request = requests.get(replyTo);
    return role !== from && request !== undefined && (name ?? request) === request;
  });
  return fit + (isAnswer ? 3 : -3);
}

function follow(session: Session, message: SessionMessage): void {
  const { from, kind, name, number, replyTo } = message;
  const count = session.numbers.get(from)?.last ?? 0;
  session.isEarly &&= message.mayBeEarly && (number ?? 0) <= count + 1;
  session.isSilent = false;
  if (number !== undefined) {
    const numbers = session.numbers.get(from);
    if (numbers === undefined) session.numbers.set(from, { first: number, last: number });
    else numbers.last = number;
  }
  if (kind === "request") {
    let requests = session.pending.get(from);
    if (requests === undefined)
      session.pending.set(from, (requests = new LatestEntries(maxRequests)));
    requests.set(number, name ?? "");
  } else if (kind === "response")
    for (const [role, requests] of session.pending) if (role !== from) requests.delete(replyTo);
}

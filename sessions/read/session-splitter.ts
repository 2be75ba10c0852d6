import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";
import { kindReaderOf, type MessageKind } from "./message-kind.js";
import { rememberedKey } from "./remembered.js";
import type { Fields } from "./message-fields.js";

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
interface Chain {
  /** The consecutive sessions, in the order in which they began. */
  parts: Part[];
  /** Messages held back because they may begin the next session. */
  held: RecordedEntry[];
}

/** The state of a session that helps to identify its messages. */
interface Part {
  readonly session: number | undefined;
  /** First and latest sequence numbers, by role. */
  readonly numbers: Map<string, { readonly first: number; last: number }>;
  /** Pending requests, by role. */
  readonly asked: Map<string, LatestEntries<unknown, string>>;
  hasBegun: boolean;
  /** Whether another session has begun since the last message of this session. */
  isSilent: boolean;
  isDoubtful: boolean;
}

/** The fields of a message that help to identify its session. */
interface Sent {
  readonly from: string;
  readonly kind: MessageKind;
  readonly name: string | undefined;
  readonly number: number | undefined;
  /** For responses only: id of the request that the response answers. */
  readonly replyTo: unknown;
}

/**
 * Separates sessions that were appended to, or mixed in, one recording. A new session begins with
 * an opening request that restarts the sequence numbers. Each session gets its own id.
 */
export class SessionSplitter {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #chains = new Map<number | undefined, Chain>();
  /** The highest session id in use. */
  #largest = 1;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#kindOf = kindReaderOf(protocol);
  }

  /** Processes the next entry and returns those entries whose session is now known. */
  split(entry: RecordedEntry): readonly RecordedEntry[] {
    const chain = this.#chainOf(entry.session);
    const sent = entry.message === undefined ? undefined : this.#read(entry);
    const { parts, held } = chain;
    const latest = parts.at(-1)!;
    if (sent === undefined) {
      if (held.length === 0) return [numbered(entry, latest)];
      chain.held = [];
      return [...held, entry].flatMap((each) => this.#place(each, chain));
    }
    const isOpening = this.#isRestart(sent, latest);
    if (!isOpening && held.length < maxHeld && this.#mayPrecede(sent, chain)) {
      held.push(entry);
      return [];
    }
    if (!isOpening && held.length === 0) return [this.#placeSent(entry, sent, chain)];
    chain.held = [];
    if (!isOpening)
      return [
        ...held.flatMap((each) => this.#place(each, chain)),
        this.#placeSent(entry, sent, chain),
      ];
    // From the first one that has a number onward, held messages belong to the new session. If none
    // has a number, their session is unknown.
    const at = held.findIndex((each) => this.#read(each)?.number !== undefined);
    const own = at < 0 ? [] : held.slice(at);
    const others = held
      .slice(0, held.length - own.length)
      .flatMap((each) => this.#place(each, chain));
    const begun = this.#begin(chain);
    for (const each of own) follow(begun, this.#read(each)!);
    follow(begun, sent);
    return [
      ...others.map((each) => ({ ...each, isDoubtful: true as const })),
      ...[...own, entry].map((each) => numbered(each, begun)),
    ];
  }

  /** Returns the entries that are still being held back. */
  end(): readonly RecordedEntry[] {
    return [...this.#chains.values()].flatMap((chain) => {
      const { held } = chain;
      chain.held = [];
      return held.flatMap((each) => this.#place(each, chain));
    });
  }

  #chainOf(session: number | undefined): Chain {
    let chain = this.#chains.get(session);
    if (chain === undefined) {
      const own = this.#largest > 1 && session === undefined ? this.#largest + 1 : session;
      chain = { parts: [newPart(own)], held: [] };
      this.#chains.set(session, chain);
      this.#largest = Math.max(this.#largest, own ?? 1);
    }
    return chain;
  }

  #begin(chain: Chain): Part {
    for (const part of chain.parts) part.isSilent = true;
    const begun = newPart(++this.#largest);
    chain.parts = [...chain.parts.slice(1 - maxOpen), begun];
    return begun;
  }

  #place(entry: RecordedEntry, chain: Chain): readonly RecordedEntry[] {
    const sent = entry.message === undefined ? undefined : this.#read(entry);
    return [
      sent === undefined
        ? numbered(entry, chain.parts.at(-1)!)
        : this.#placeSent(entry, sent, chain),
    ];
  }

  #placeSent(entry: RecordedEntry, sent: Sent, { parts }: Chain): RecordedEntry {
    const part = parts.length === 1 ? parts[0]! : choose(parts, sent);
    follow(part, sent);
    return numbered(entry, part);
  }

  #isRestart({ from, kind, name, number }: Sent, latest: Part): boolean {
    const { conversation, roles } = this.#protocol;
    if (kind !== "request" || name !== conversation?.opening || from !== roles[0]) return false;
    if (!latest.hasBegun) return false;
    const numbers = latest.numbers.get(from);
    return number === undefined || numbers === undefined || number <= numbers.last;
  }

  /**
   * Returns whether this may be a message that the other side sent before a session's opening
   * request.
   */
  #mayPrecede({ from, kind, number }: Sent, { parts, held }: Chain): boolean {
    if (from === this.#protocol.roles[0] || kind === "response") return false;
    if (held.length > 0 || number === undefined) return true;
    return parts.every(({ numbers }) => {
      const own = numbers.get(from);
      return own !== undefined && number <= own.first;
    });
  }

  #read({ from, message, unknown }: RecordedEntry): Sent | undefined {
    const { envelope, roles } = this.#protocol;
    const { id = "", replyTo = "" } = envelope;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    if (kind === undefined) return undefined;
    const name = fields[envelope[kind]?.name ?? ""];
    const own = kind === "response" && id === replyTo ? undefined : fields[id];
    // The number 0 counts only in a request, because some adapters send 0 in every message.
    const isCounted = typeof own === "number" && (own > 0 || kind === "request");
    return {
      from: from === roles[1] ? from : roles[0],
      kind,
      name: typeof name === "string" ? name : undefined,
      number: isCounted && unknown?.includes(`/${id}`) !== true ? own : undefined,
      replyTo: kind === "response" ? rememberedKey(fields[replyTo]) : undefined,
    };
  }
}

function newPart(session: number | undefined): Part {
  return {
    session,
    numbers: new Map(),
    asked: new Map(),
    hasBegun: false,
    isSilent: false,
    isDoubtful: false,
  };
}

function numbered(entry: RecordedEntry, { session, isDoubtful }: Part): RecordedEntry {
  if (entry.session === session && !isDoubtful) return entry;
  return {
    ...entry,
    ...(session === undefined ? {} : { session }),
    ...(isDoubtful ? { isDoubtful: true } : {}),
  };
}

/** Chooses the session that best matches a message. */
function choose(parts: readonly Part[], sent: Sent): Part {
  const open = parts.filter(({ isSilent }) => !isSilent);
  const best = fittest(open, sent);
  if (best.fit < 0) {
    const silent = fittest(
      parts.filter(({ isSilent }) => isSilent),
      sent,
    );
    if (silent.fit > 0) return silent.part;
  }
  // If a role has not sent any numbers in an earlier session yet, its first number fits that
  // session too.
  const asWell =
    sent.number === undefined || best.fit > 1
      ? []
      : parts.filter((part) => part.isSilent && fitOf(part, sent) >= best.fit);
  const others = [...best.others, ...asWell];
  for (const part of others) part.isDoubtful = true;
  if (others.length > 0) best.part.isDoubtful = true;
  return best.part;
}

function fittest(
  parts: readonly Part[],
  sent: Sent,
): { readonly part: Part; readonly fit: number; readonly others: readonly Part[] } {
  const fits = parts.map((part) => ({ part, fit: fitOf(part, sent) }));
  const fit = Math.max(...fits.map((each) => each.fit));
  const [first, ...others] = fits.filter((each) => each.fit === fit).map(({ part }) => part);
  return { part: first!, fit, others };
}

/** Scores how well a message continues a session. Higher is better. */
function fitOf({ numbers, asked }: Part, { from, kind, name, number, replyTo }: Sent): number {
  const own = numbers.get(from);
  let fit = 0;
  if (number !== undefined)
    fit +=
      own === undefined
        ? number > 1
          ? -1
          : 1
        : number === own.last + 1
          ? 2
          : number > own.last
            ? 0
            : -2;
  if (kind !== "response") return fit;
  const waiting = [...asked].some(
    ([role, requests]) =>
      role !== from &&
      requests.get(replyTo) !== undefined &&
      (name ?? requests.get(replyTo)) === requests.get(replyTo),
  );
  return fit + (waiting ? 3 : -3);
}

function follow(part: Part, { from, kind, name, number, replyTo }: Sent): void {
  part.hasBegun = true;
  part.isSilent = false;
  if (number !== undefined) {
    const own = part.numbers.get(from);
    if (own === undefined) part.numbers.set(from, { first: number, last: number });
    else own.last = number;
  }
  if (kind === "request") {
    let requests = part.asked.get(from);
    if (requests === undefined) part.asked.set(from, (requests = new LatestEntries(maxRequests)));
    requests.set(number, name ?? "");
  } else if (kind === "response")
    for (const [role, requests] of part.asked) if (role !== from) requests.delete(replyTo);
}

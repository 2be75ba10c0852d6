import { isObject } from "../../../runtime/protocol/message-fields.js";

type Fields = Readonly<Record<string, unknown>>;

/** One of the sessions in a recording. */
export interface TreeSession {
  readonly number: number;
  /**
   * The parent session: the one in which the other side sent the request that started this session.
   */
  readonly parent?: number;
  /** Number of the request that started this session, if known. */
  readonly askedBy?: number;
  /** A short summary of the request that opened the session. */
  readonly summary?: string;
}

/** A session, along with the number of sessions that it is nested in. */
interface NestedSession {
  readonly session: TreeSession;
  readonly depth: number;
}

/** Returns sessions in their order, except that each child comes after its parent. */
export function nestSessions(sessions: readonly TreeSession[]): readonly NestedSession[] {
  const known = new Set(sessions.map(({ number }) => number));
  const isChild = ({ number, parent = number }: TreeSession): boolean =>
    parent !== number && known.has(parent);
  const children = new Map<number, TreeSession[]>();
  for (const session of sessions) {
    const { parent } = session;
    if (parent === undefined || !isChild(session)) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [session]);
    else siblings.push(session);
  }
  const nest = (session: TreeSession, depth: number): readonly NestedSession[] => [
    { session, depth },
    ...(depth < maxDepth ? (children.get(session.number) ?? []) : []).flatMap((child) =>
      nest(child, depth + 1),
    ),
  ];
  return sessions.filter((session) => !isChild(session)).flatMap((session) => nest(session, 0));
}

/** Sessions that are nested deeper are not shown. */
const maxDepth = 20;

/**
 * Maximum number of sessions to remember. `maxOffers` is the maximum number of values to remember
 * that were passed for a new session but that no session has used yet.
 */
const maxSessions = 10_000;
const maxOffers = 100;

/** Number of requests at the start of a session, any of which may be its opening request. */
const firstRequests = 8;

/**
 * Maximum length, in characters, of a value passed for a new session. Longer values are not
 * compared.
 */
const maxOfferLength = 64 * 1024;

interface Offer {
  readonly session: number;
  readonly request: number | undefined;
  readonly entries: readonly (readonly [string, string])[];
}

/**
 * Finds the sessions in a recording and their parents. A session is a child if one of its first
 * requests contains a value that a request in another session passed to the side that opens
 * sessions.
 */
export class SessionTree {
  readonly #sessions = new Map<
    number,
    { parent?: number; askedBy?: number; summary?: string; requests: number }
  >();
  #offers: Offer[] = [];

  /**
   * Adds a request. A request from the side that opens sessions may reveal its session's parent.
   *
   * @param isOpener Whether the request comes from the side that opens sessions.
   * @param request Number of the request within the session.
   */
  follow(
    session: number,
    isOpener: boolean,
    payload: unknown,
    summary: string,
    request?: number,
  ): void {
    let opened = this.#sessions.get(session);
    if (opened === undefined) {
      if (this.#sessions.size === maxSessions) return;
      opened = { requests: 0 };
      this.#sessions.set(session, opened);
    }
    if (!isObject(payload)) return;
    if (!isOpener) {
      this.#offer(session, payload, request);
      return;
    }
    if (opened.requests++ >= firstRequests || opened.parent !== undefined) return;
    const index = this.#offers.findIndex(
      (offer) =>
        offer.session !== session &&
        offer.entries.every(([key, text]) => JSON.stringify(payload[key]) === text),
    );
    if (index < 0) return;
    const [offer] = this.#offers.splice(index, 1);
    opened.parent = offer!.session;
    opened.askedBy = offer!.request;
    if (summary !== "") opened.summary = summary;
  }

  /** The sessions found so far, in the order in which they began. */
  get list(): readonly TreeSession[] {
    return [...this.#sessions].map(([number, { parent, askedBy, summary }]) => ({
      number,
      parent,
      askedBy,
      summary,
    }));
  }

  #offer(session: number, payload: Fields, request: number | undefined): void {
    for (const value of Object.values(payload)) {
      if (!isObject(value)) continue;
      const entries = Object.entries(value).map(
        ([key, content]) => [key, JSON.stringify(content)] as const,
      );
      const length = entries.reduce((sum, [key, text]) => sum + key.length + text.length, 0);
      if (entries.length === 0 || length > maxOfferLength) continue;
      this.#offers.push({ session, request, entries });
      if (this.#offers.length > maxOffers) this.#offers.shift();
    }
  }
}

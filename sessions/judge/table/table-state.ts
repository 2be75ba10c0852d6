import {
  placeIn,
  type EntryPlace,
  type JudgedMessage,
  type SentRequest,
} from "../judged-message.js";
import type { SessionState } from "../session-state.js";
import type { EntityLives } from "./entity-lives.js";
import { holds, type TestContext } from "./property-tests.js";
import { References } from "./references.js";
import type { PropertyTests, RuleTable } from "./rule-table.js";
import { listOf } from "./selectors.js";
import { SessionEntities } from "./session-entities.js";
import { Suspension } from "./suspension.js";

/**
 * The state of a session, as seen by a table's rules. Tests with the key `state` read its
 * properties.
 */
export class TableState implements TestContext {
  /** State that does not depend on the table. */
  readonly session: SessionState;
  readonly references: References;
  /** Tracks which of the messages that rules wait for have arrived. */
  readonly sightings: Sightings;
  readonly suspension: Suspension;
  /** Role that sent the message. */
  from = "";
  /** Number of live objects of each kind. */
  readonly open: Readonly<Record<string, number>>;
  readonly #entities: SessionEntities;
  /** Groups of tests. Only part of the program resumes if all tests in any one group hold. */
  readonly #partial: readonly PropertyTests[];
  #message: JudgedMessage | undefined;
  #waiting: SentRequest | undefined;
  /** Time of the latest message. */
  #time: number | undefined;
  #asked: SentRequest | undefined;

  constructor(table: RuleTable, session: SessionState) {
    const { protocol, judged, limit } = session;
    this.session = session;
    this.#partial = Object.entries(table.partial ?? {}).map(([path, test]) => ({ [path]: test }));
    this.sightings = new Sightings(table);
    this.suspension = new Suspension(protocol, limit);
    this.references = new References(judged);
    this.#entities = new SessionEntities(table, limit, this.suspension, this.references, this, () =>
      session.gapOf(["start"]),
    );
    this.open = Object.defineProperties(
      {},
      Object.fromEntries(
        [...this.#entities.lives].map(([kind, lives]) => [kind, { get: () => lives.unended }]),
      ),
    ) as Record<string, number>;
  }

  /** The ids of each kind. */
  get lives(): ReadonlyMap<string, EntityLives> {
    return this.#entities.lives;
  }

  /** Parameters of the request that the message answers. Absent for a second answer. */
  get asked(): unknown {
    return this.#asked?.body;
  }

  /** Name of the request that the message answers. */
  get answers(): string | undefined {
    return this.#asked?.name;
  }

  /** Name of the dialect that the message is written in. */
  get dialect(): string | undefined {
    return this.#message?.dialect?.name;
  }

  /** Whether the message is not defined by the protocol. */
  get custom(): boolean {
    return this.#message?.definition === undefined;
  }

  /** Why a response does not match a request. */
  get mismatch(): string | undefined {
    if (this.#message === undefined) return undefined;
    const { mismatch, from, fields } = this.#message;
    const { doubt, requests } = this.session;
    if (mismatch === "unmatched") doubt.add(requests.gapOf(from, fields));
    return mismatch;
  }

  /**
   * Milliseconds from a request to its first response or, for a pending request, to the latest
   * message.
   */
  get latency(): number | undefined {
    if (this.#message !== undefined)
      return this.#message.request?.isAnswered === false ? this.#message.latency : undefined;
    const begin = this.#waiting?.time;
    return begin === undefined || this.#time === undefined ? undefined : this.#time - begin;
  }

  /** Whether the whole program is running because a request resumed it. */
  get running(): boolean {
    return this.suspension.isRunning;
  }

  /** Selects the message to judge. */
  begin(message: JudgedMessage): void {
    this.#message = message;
    this.#time = message.time ?? this.#time;
    this.from = message.from;
    this.#asked = message.request ?? this.session.laneAnswer?.answered;
  }

  /** Adds a message to the state. Called after the message has been judged. */
  follow(message: JudgedMessage): void {
    this.#entities.follow(message);
    this.sightings.follow(message);
    this.suspension.follow(message, (body) =>
      this.#partial.some((tests) => holds(tests, body, this)),
    );
  }

  /**
   * Selects a request that is pending at the end of the recording, instead of a message to judge.
   */
  await(request: SentRequest | undefined): void {
    this.#message = undefined;
    this.#waiting = request;
  }
}

/**
 * Tracks which requests are pending, and which of the messages that rules wait for have arrived.
 */
class Sightings {
  /** The selectors that rules wait for. */
  readonly #awaited: ReadonlySet<string>;
  /** Position of the latest matching message, by selector. */
  readonly #seenAt = new Map<string, number>();
  /**
   * Location of the first matching message, by selector, for rules that are judged at the end of a
   * session.
   */
  readonly #places = new Map<string, EntryPlace>();
  /** Position of the latest matching request, by selector. Contains only pending requests. */
  readonly #pending = new Map<string, number>();

  constructor({ rules }: RuleTable) {
    this.#awaited = new Set(
      rules.flatMap(
        ({ after, afterAll = [], before = [], since = [], during = [], once, message }) => [
          ...listOf(after),
          ...afterAll,
          ...before,
          ...since,
          ...during,
          ...(once === true ? listOf(message) : []),
        ],
      ),
    );
  }

  /** Returns the location of the first message that matches one of the selectors. */
  placeOf(selectors: readonly string[]): EntryPlace | undefined {
    const places = selectors
      .map((selector) => this.#places.get(selector))
      .filter((place) => place !== undefined);
    return places.sort((a, b) => a.index - b.index)[0];
  }

  /**
   * Returns whether a message that matches one of `selectors` has arrived since the latest message
   * that matches one of `since`.
   */
  hasAny(selectors: readonly string[], since: readonly string[] = []): boolean {
    let from = 0;
    for (const selector of since) from = Math.max(from, this.#seenAt.get(selector) ?? 0);
    return selectors.some((selector) => (this.#seenAt.get(selector) ?? 0) > from);
  }

  hasAll(selectors: readonly string[]): boolean {
    return selectors.every((selector) => this.#seenAt.has(selector));
  }

  /** Returns whether any of the requests is pending: `request next`. */
  isPending(requests: readonly string[]): boolean {
    return requests.some((selector) => this.#pending.has(selector));
  }

  follow(message: JudgedMessage): void {
    const { kind, name = "", index, request, selectors } = message;
    for (const selector of selectors) {
      if (!this.#awaited.has(selector)) continue;
      this.#seenAt.set(selector, index);
      if (!this.#places.has(selector)) this.#places.set(selector, placeIn(message));
    }
    const asked = `request ${name}`;
    if (!this.#awaited.has(asked)) return;
    const pending = this.#pending.get(asked);
    // If the recording's source omits ids, a response answers the latest request with its name.
    if (kind === "request") this.#pending.set(asked, index);
    else if (kind === "response" && (request?.index ?? pending) === pending)
      this.#pending.delete(asked);
  }
}

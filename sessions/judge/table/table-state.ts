import type { JudgedMessage, SentRequest } from "../state/judged-message.js";
import type { SessionState } from "../state/session-state.js";
import { AskedParameters } from "./asked-parameters.js";
import type { MessagePlan } from "./message-plans.js";
import { placeOfTests } from "./property-tests.js";
import { ReferencePlaces } from "./reference-places.js";
import type { RuleQueries } from "./rule-queries.js";
import type { PropertyTests, RuleTable } from "./rule-table.js";
import { listOf } from "./selectors.js";
import { SessionEntities } from "./session-entities.js";
import { Sightings } from "./sightings.js";
import { Suspension } from "./suspension.js";

/**
 * The state of a session, as seen by a table's rules. Tests with the key `state` read its
 * properties.
 */
export class TableState implements RuleQueries {
  /** State that does not depend on the table. */
  readonly session: SessionState;
  readonly places: ReferencePlaces;
  /** Tracks which of the messages that rules wait for have arrived. */
  readonly sightings: Sightings;
  readonly suspension: Suspension;
  /** Number of live objects of each kind. */
  readonly open: Readonly<Record<string, number>>;
  readonly #entities: SessionEntities;
  readonly #asked: AskedParameters;
  /** Groups of tests. Only part of the program resumes if all tests in any one group hold. */
  readonly #partial: readonly PropertyTests[];
  #message: JudgedMessage | undefined;
  #waiting: SentRequest | undefined;
  /** Time of the latest message. */
  #time: number | undefined;
  #from = "";
  #askedBy: unknown;

  constructor(table: RuleTable, session: SessionState) {
    const { protocol, judged, limit } = session;
    this.session = session;
    this.#partial = Object.entries(table.partial ?? {}).map(([path, test]) => ({ [path]: test }));
    this.sightings = new Sightings(table);
    this.suspension = new Suspension(protocol, limit);
    this.places = new ReferencePlaces(protocol, judged.fields, referenceKinds(table));
    this.#asked = new AskedParameters(table, limit);
    this.#entities = new SessionEntities(table, limit, this.suspension, this.places, this, () =>
      session.gapOf(["start"]),
    );
    this.open = Object.defineProperties(
      {},
      Object.fromEntries(
        [...this.#entities.lives].map(([kind, lives]) => [kind, { get: () => lives.unended }]),
      ),
    ) as Record<string, number>;
  }

  get asked(): unknown {
    return this.#askedBy;
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
    const asked = this.#waiting?.time;
    return asked === undefined || this.#time === undefined ? undefined : this.#time - asked;
  }

  /** Whether the whole program is running because a request resumed it. */
  get running(): boolean {
    return this.suspension.isRunning;
  }

  /** Selects the message to judge. */
  begin(message: JudgedMessage): void {
    this.#message = message;
    this.#time = message.time ?? this.#time;
    this.#from = message.from;
    this.#askedBy = message.kind === "response" ? this.#asked.of(message) : undefined;
  }

  /** Adds a message to the state. Called after the message has been judged. */
  follow(message: JudgedMessage, { turns, marks }: MessagePlan<unknown>): void {
    this.#entities.follow(message, turns);
    this.#asked.follow(message);
    this.sightings.follow(message, marks);
    this.suspension.follow(message, (body) =>
      this.#partial.some((tests) => placeOfTests(tests, body, this) !== undefined),
    );
  }

  /**
   * Selects a request that is pending at the end of the recording, instead of a message to judge.
   */
  await(request: SentRequest | undefined): void {
    this.#message = undefined;
    this.#waiting = request;
  }

  isKnown(kind: string, id: unknown): boolean {
    return this.#entities.lives.get(kind)?.isKnown(id) === true;
  }

  isUnknown(kind: string, id: unknown): boolean {
    const lives = this.#entities.lives.get(kind);
    this.session.doubt.add(lives?.liveGapOf(id));
    return lives?.isKnown(id) !== true;
  }

  isNew(kind: string, id: unknown): boolean {
    const lives = this.#entities.lives.get(kind);
    this.session.doubt.add(lives?.gapOf(id));
    return lives?.isGiven(id) === false;
  }

  isGiven(kind: string, id: unknown): boolean {
    return this.#entities.lives.get(kind)?.isGiven(id) === true;
  }

  isEnded(kind: string, id: unknown): boolean {
    const seen = this.session.requests.seenBy(this.#from);
    return this.#entities.lives.get(kind)?.isEnded(id, this.#from, seen) === true;
  }

  isPast(kind: string, id: unknown): boolean {
    return this.#entities.lives.get(kind)?.isPast(id) === true;
  }
}

/** Lists the kinds of references that a table needs. */
function referenceKinds({ entities = {}, rules }: RuleTable): ReadonlySet<string> {
  const turns = Object.values(entities).flatMap(({ begins, ends = [] }) => [...begins, ...ends]);
  return new Set([
    ...turns.flatMap(({ reference }) => listOf(reference)),
    ...rules.flatMap(({ reference }) => listOf(reference)),
  ]);
}

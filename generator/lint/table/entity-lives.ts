import { rememberedKey } from "../../session/remembered.js";
import { valueAt } from "./property-path.js";
import type { Gap } from "../state/knowledge.js";
import type { EntityTable } from "./rule-table.js";
import type { Suspension } from "./suspension.js";

/** What is known of an id that has ended, or belongs to something. Numbers are those of messages. */
interface LongLife {
  readonly givenAt: number;
  /** What it belongs to. */
  readonly owner?: unknown;
  readonly endedAt?: number;
  /** The role whose message ended it. */
  readonly endedBy?: string;
}

/** Of most ids that have not ended, only the number of the message that gave it. */
type Life = number | LongLife;

/** The ids of one kind: which were given, have ended, or mean nothing since the program ran on. */
export class EntityLives {
  readonly #expires: boolean;
  /** Parameter that says what ids belong to. */
  readonly #owner: string;
  readonly #limit: number;
  readonly #suspension: Suspension;
  readonly #gap: () => Gap | undefined;
  /** The latest lives, and those before them: when the first are many, the others are forgotten. */
  #newer = new Map<unknown, Life>();
  #older = new Map<unknown, Life>();
  #count = 0;

  /** @param gap Why not all that was given may be in the recording; undefined if all is. */
  constructor(
    { expires, begins }: EntityTable,
    limit: number,
    suspension: Suspension,
    gap: () => Gap | undefined,
  ) {
    this.#gap = gap;
    this.#owner = begins.find(({ of }) => of !== undefined)?.of ?? "";
    this.#expires = expires === true;
    this.#limit = limit;
    this.#suspension = suspension;
  }

  isKnown(id: unknown): boolean {
    const life = this.#find(id);
    return life !== undefined && !hasEnded(life) && !this.#isPast(life);
  }

  /** It was given once, whatever became of it. */
  isGiven(id: unknown): boolean {
    return this.#find(id) !== undefined;
  }

  /** Why it may have been given though it is not known; undefined if that is certain. */
  gapOf(id: unknown): Gap | undefined {
    return this.#find(id) === undefined ? this.gap : undefined;
  }

  /** Why the ids of this kind are not all known; undefined if they are. */
  get gap(): Gap | undefined {
    return this.#gap() ?? (this.#count < this.#limit >> 1 ? undefined : "memory");
  }

  /** @param seen Number of the latest message of the other side that the sender is sure to have seen. */
  isEnded(id: unknown, from: string, seen: number): boolean {
    const life = this.#find(id);
    if (typeof life !== "object" || life.endedAt === undefined) return false;
    return life.endedBy === from || life.endedAt < seen;
  }

  /**
   * It is alive and was given for something else. What the program does may have changed that: then it is not known.
   *
   * @param asked Parameters of the request that is answered.
   */
  isElsewhere(id: unknown, asked: unknown): boolean {
    const owner = valueAt(asked, this.#owner);
    if (owner === undefined) return false;
    const life = this.#find(id);
    if (typeof life !== "object" || life.owner === undefined || hasEnded(life)) return false;
    return owner !== life.owner && !this.#suspension.hasMovedSince(life.givenAt);
  }

  isPast(id: unknown): boolean {
    const life = this.#find(id);
    return life !== undefined && this.#isPast(life);
  }

  /** Number of things that have begun and not ended. */
  get unended(): number {
    const older = [...this.#older].filter(([id]) => !this.#newer.has(id)).map(([, life]) => life);
    return [...older, ...this.#newer.values()].filter((life) => !hasEnded(life)).length;
  }

  /**
   * @param at Number of the message that gives the id.
   * @param owner What it belongs to.
   */
  begin(id: unknown, at: number, owner?: unknown): void {
    this.#count++;
    this.#set(rememberedKey(id), owner === undefined ? at : { givenAt: at, owner });
  }

  end(id: unknown, at: number, from: string): void {
    const key = rememberedKey(id);
    const life = this.#newer.get(key) ?? this.#older.get(key);
    const givenAt = typeof life === "object" ? life.givenAt : (life ?? 0);
    this.#set(key, { givenAt, endedAt: at, endedBy: from });
  }

  #set(key: unknown, life: Life): void {
    if (this.#newer.size >= this.#limit >> 1) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, life);
  }

  #find(id: unknown): Life | undefined {
    const key = rememberedKey(id);
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  #isPast(life: Life): boolean {
    if (!this.#expires) return false;
    return this.#suspension.isVoid(typeof life === "object" ? life.givenAt : life);
  }
}

function hasEnded(life: Life): boolean {
  return typeof life === "object" && life.endedAt !== undefined;
}

import { rememberedKey } from "../../read/remembered.js";
import type { Gap } from "../state/knowledge.js";
import { IdRuns } from "./id-runs.js";
import type { EntityTable } from "./rule-table.js";
import type { Suspension } from "./suspension.js";

/** How the object identified by an id ended. */
interface EndedLife {
  /** Position of the message that ended the object. */
  readonly endedAt: number;
  /** The role whose message ended the object. */
  readonly endedBy: string;
}

/** For an id whose object has not ended, the position of the message that introduced it. */
type Life = number | EndedLife;

/**
 * Maximum number of recent ids outside the maps. They are searched linearly, because most ids are
 * looked up too rarely to be worth indexing.
 */
const maxPending = 32;

/**
 * Tracks the ids of one kind: whether they were introduced, whether their objects have ended, and
 * whether they became invalid when the program resumed.
 */
export class EntityLives {
  readonly #expires: EntityTable["expires"];
  readonly #limit: number;
  readonly #suspension: Suspension;
  readonly #gap: () => Gap | undefined;
  /** The latest ids, in order, which are not in the maps yet. */
  readonly #pendingKeys: unknown[] = [];
  readonly #pending: Life[] = [];
  #pendingCount = 0;
  /**
   * The state of each id, in two maps. New ids are added to `#newer`. Once it is full, it becomes
   * `#older`, and the previous `#older` is dropped.
   */
  #newer = new Map<unknown, Life>();
  #older = new Map<unknown, Life>();
  /** Ids that are no longer valid. */
  readonly #past: IdRuns;
  /**
   * Position of the latest message that introduced or ended an id that has since been forgotten. 0
   * if none has been forgotten.
   */
  #droppedAt = 0;
  #olderAt = 0;
  /** Position of the latest message that introduced or ended an id. */
  #latestAt = 0;
  readonly #isPastAsked: boolean;
  readonly #maxPending: number;

  /**
   * @param gap Returns why ids may be missing from the recording, or undefined if it contains all
   * of them.
   * @param isPastAsked Whether rules need ids that are no longer valid.
   */
  constructor(
    { expires }: EntityTable,
    limit: number,
    suspension: Suspension,
    gap: () => Gap | undefined,
    isPastAsked: boolean,
  ) {
    this.#gap = gap;
    this.#isPastAsked = isPastAsked;
    this.#expires = expires;
    this.#limit = limit;
    this.#past = new IdRuns(limit >> 1);
    this.#maxPending = Math.min(maxPending, limit >> 1);
    this.#suspension = suspension;
  }

  isKnown(id: unknown): boolean {
    const life = this.#find(id);
    return typeof life === "number" && !this.#isPastAt(life);
  }

  /** Returns whether an id was introduced, even if it is no longer valid. */
  isGiven(id: unknown): boolean {
    return this.#find(id) !== undefined;
  }

  /** Returns why an unknown id may have been introduced, or undefined if it certainly was not. */
  gapOf(id: unknown): Gap | undefined {
    return this.#find(id) === undefined ? this.gap : undefined;
  }

  /** Returns why an unknown id may be valid, or undefined if it certainly is not. */
  liveGapOf(id: unknown): Gap | undefined {
    if (this.#find(id) !== undefined) return undefined;
    const gap = this.#gap();
    // Ids from before the recording are invalid once the program has resumed.
    if (gap !== undefined) return gap === "start" && this.#isPastAt(0) ? undefined : gap;
    return this.#droppedAt === 0 || this.#isPastAt(this.#droppedAt) ? undefined : "memory";
  }

  /** Why ids of this kind may be missing. Undefined if all are known. */
  get gap(): Gap | undefined {
    return this.#gap() ?? (this.#droppedAt === 0 ? undefined : "memory");
  }

  /**
   * @param seen Position before which the sender has certainly received every message from the
   * other side.
   */
  isEnded(id: unknown, from: string, seen: number): boolean {
    const life = this.#find(id);
    if (typeof life !== "object") return false;
    return life.endedBy === from || life.endedAt < seen;
  }

  isPast(id: unknown): boolean {
    const life = this.#find(id);
    return typeof life === "number" && this.#isPastAt(life);
  }

  /** Number of remembered objects that have not ended. */
  get unended(): number {
    this.#index();
    const older = [...this.#older].filter(([id]) => !this.#newer.has(id)).map(([, life]) => life);
    return [...older, ...this.#newer.values()].filter((life) => typeof life === "number").length;
  }

  /** @param at Position of the message that introduces the id. */
  begin(id: unknown, at: number): void {
    this.#set(rememberedKey(id), at, at);
  }

  end(id: unknown, at: number, from: string): void {
    this.#set(rememberedKey(id), { endedAt: at, endedBy: from }, at);
  }

  #set(key: unknown, life: Life, at: number): void {
    const isFirstOfMessage = at !== this.#latestAt;
    if (isFirstOfMessage && this.#latestAt > 0 && this.#isPastAt(this.#latestAt)) this.#retire();
    else if (this.#pendingCount >= this.#maxPending) this.#index();
    this.#latestAt = at;
    this.#pendingKeys[this.#pendingCount] = key;
    this.#pending[this.#pendingCount++] = life;
  }

  /**
   * Removes ids that became invalid when the program resumed. Keeps them in `#past` if rules need
   * them.
   */
  #retire(): void {
    if (this.#isPastAsked) this.#index((id) => !this.#isIndexed(id) && this.#past.add(id));
    else this.#clear();
  }

  #clear(): void {
    if (this.#newer.size > 0) this.#newer.clear();
    if (this.#older.size > 0) this.#older.clear();
    this.#pendingCount = 0;
  }

  /**
   * Moves the latest ids to the maps.
   *
   * @param isKept Returns whether an id whose object has not ended is stored elsewhere, so that the
   * maps need not contain it.
   */
  #index(isKept: (id: unknown) => boolean = () => false): void {
    for (let index = 0; index < this.#pendingCount; index++) {
      const key = this.#pendingKeys[index];
      const life = this.#pending[index]!;
      if (typeof life === "number" && isKept(key)) continue;
      if (this.#newer.size >= this.#limit >> 1) {
        if (this.#older.size > 0) this.#droppedAt = this.#olderAt;
        [this.#older, this.#newer] = [this.#newer, new Map()];
        this.#olderAt = typeof life === "number" ? life : life.endedAt;
      }
      this.#newer.set(key, life);
    }
    this.#pendingCount = 0;
  }

  #find(id: unknown): Life | undefined {
    const key = rememberedKey(id);
    for (let index = this.#pendingCount - 1; index >= 0; index--)
      if (this.#pendingKeys[index] === key) return this.#pending[index];
    return this.#newer.get(key) ?? this.#older.get(key) ?? (this.#past.has(key) ? 0 : undefined);
  }

  #isIndexed(key: unknown): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  #isPastAt(givenAt: number): boolean {
    if (this.#expires === undefined) return false;
    return (
      this.#suspension.isVoid(givenAt) ||
      (this.#expires === "partly" && this.#suspension.hasMovedSince(givenAt))
    );
  }
}

import { rememberedKey } from "../../read/remembered.js";
import type { Gap } from "../knowledge.js";
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
 * Tracks the ids of one kind: whether they were introduced, whether their objects have ended, and
 * whether they became invalid when the program resumed.
 */
export class EntityLives {
  readonly #expires: EntityTable["expires"];
  readonly #limit: number;
  readonly #suspension: Suspension;
  readonly #gap: () => Gap | undefined;
  /** The state of each id that was introduced or ended since the program last resumed. */
  readonly #current = new Map<unknown, Life>();
  /**
   * The state of each earlier id, in two maps. Ids are added to `#newer`. Once it is full, it
   * becomes `#older`, and the previous `#older` is dropped.
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
    return this.#unended().length;
  }

  /** The keys of the remembered objects that are live. */
  get live(): readonly unknown[] {
    return this.#unended().flatMap(([key, life]) => (this.#isPastAt(life) ? [] : [key]));
  }

  #unended(): readonly (readonly [key: unknown, life: number])[] {
    this.#index();
    const lives = new Map([...this.#older, ...this.#newer]);
    return [...lives].flatMap(([key, life]) => (typeof life === "number" ? [[key, life]] : []));
  }

  /** @param index Position of the message that introduces the id. */
  begin(id: unknown, index: number): void {
    this.#set(rememberedKey(id), index, index);
  }

  end(id: unknown, index: number, from: string): void {
    this.#set(rememberedKey(id), { endedAt: index, endedBy: from }, index);
  }

  #set(key: unknown, life: Life, index: number): void {
    const isFirstOfMessage = index !== this.#latestAt;
    if (isFirstOfMessage && this.#latestAt > 0 && this.#isPastAt(this.#latestAt)) this.#retire();
    else if (this.#current.size >= this.#limit >> 1) this.#index();
    this.#latestAt = index;
    this.#current.delete(key);
    this.#current.set(key, life);
  }

  /**
   * Removes ids that became invalid when the program resumed. Keeps them in `#past` if rules need
   * them.
   */
  #retire(): void {
    if (this.#isPastAsked) this.#index((id) => !this.#isIndexed(id) && this.#past.add(id));
    else for (const lives of [this.#current, this.#newer, this.#older]) lives.clear();
  }

  /**
   * Moves the current ids to the earlier ones.
   *
   * @param isKept Returns whether an id whose object has not ended is stored elsewhere, so that the
   * maps need not contain it.
   */
  #index(isKept: (id: unknown) => boolean = () => false): void {
    for (const [key, life] of this.#current) {
      if (typeof life === "number" && isKept(key)) continue;
      if (this.#newer.size >= this.#limit >> 1) {
        if (this.#older.size > 0) this.#droppedAt = this.#olderAt;
        [this.#older, this.#newer] = [this.#newer, new Map()];
        this.#olderAt = typeof life === "number" ? life : life.endedAt;
      }
      this.#newer.set(key, life);
    }
    this.#current.clear();
  }

  #find(id: unknown): Life | undefined {
    const key = rememberedKey(id);
    return (
      this.#current.get(key) ??
      this.#newer.get(key) ??
      this.#older.get(key) ??
      (this.#past.has(key) ? 0 : undefined)
    );
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

/** A set of numbers that are added in ascending order, stored as runs of consecutive numbers. */
export class IdRuns {
  /** First number of each run. `#lasts` contains the last number of each run. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #maxRuns: number;

  constructor(maxRuns: number) {
    this.#maxRuns = maxRuns;
  }

  /**
   * Adds a number. Returns false if the number is lower than an earlier one, or if the set would
   * need too many runs.
   */
  add(id: unknown): boolean {
    if (!Number.isSafeInteger(id)) return false;
    const last = this.#lasts.length - 1;
    const end = this.#lasts[last] ?? -Infinity;
    const number = id as number;
    if (number === end + 1) this.#lasts[last] = number;
    else if (number <= end || this.#firsts.length >= this.#maxRuns) return false;
    else {
      this.#firsts.push(number);
      this.#lasts.push(number);
    }
    return true;
  }

  has(id: unknown): boolean {
    if (typeof id !== "number" || !Number.isInteger(id)) return false;
    let [from, to] = [0, this.#lasts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#lasts[middle]! < id) from = middle + 1;
      else to = middle;
    }
    return from < this.#firsts.length && this.#firsts[from]! <= id;
  }
}

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
  /** The lives of the latest ids, oldest first. */
  readonly #lives = new Map<unknown, Life>();
  /** Position of the latest message about an id that has since been forgotten. 0 if there is none. */
  #forgottenAt = 0;

  /**
   * @param limit Maximum number of ids to remember.
   * @param gap Returns why ids may be missing from the recording, or undefined if it contains all
   * of them.
   */
  constructor(
    { expires }: EntityTable,
    limit: number,
    suspension: Suspension,
    gap: () => Gap | undefined,
  ) {
    this.#expires = expires;
    this.#limit = limit;
    this.#suspension = suspension;
    this.#gap = gap;
  }

  isKnown(id: unknown): boolean {
    const life = this.#find(id);
    return life !== undefined && this.#isLive(life);
  }

  /** Returns whether an id was introduced, even if it is no longer valid. */
  isGiven(id: unknown): boolean {
    return this.#find(id) !== undefined;
  }

  /** Returns why an unknown id may have been introduced, or undefined if it certainly was not. */
  gapOf(id: unknown): Gap | undefined {
    if (this.#find(id) !== undefined) return undefined;
    return this.#gap() ?? (this.#forgottenAt === 0 ? undefined : "memory");
  }

  /** Returns why an unknown id may be valid, or undefined if it certainly is not. */
  liveGapOf(id: unknown): Gap | undefined {
    if (this.#find(id) !== undefined) return undefined;
    const gap = this.#gap();
    // Ids from before the recording are invalid once the program has resumed.
    if (gap !== undefined) return gap === "start" && this.#isPastAt(0) ? undefined : gap;
    return this.#forgottenAt === 0 || this.#isPastAt(this.#forgottenAt) ? undefined : "memory";
  }

  /**
   * @param seen Position before which the sender has certainly received every message from the
   * other side.
   */
  isEnded(id: unknown, from: string, seen: number): boolean {
    const life = this.#find(id);
    return typeof life === "object" && (life.endedBy === from || life.endedAt < seen);
  }

  isPast(id: unknown): boolean {
    const life = this.#find(id);
    return typeof life === "number" && this.#isPastAt(life);
  }

  /** Number of remembered objects that have not ended. */
  get unended(): number {
    return [...this.#lives.values()].filter((life) => typeof life === "number").length;
  }

  /** The keys of the remembered objects that are live. */
  get live(): readonly unknown[] {
    return [...this.#lives].flatMap(([key, life]) => (this.#isLive(life) ? [key] : []));
  }

  /** @param index Position of the message that introduces the id. */
  begin(id: unknown, index: number): void {
    this.#set(rememberedKey(id), index);
  }

  end(id: unknown, index: number, from: string): void {
    this.#set(rememberedKey(id), { endedAt: index, endedBy: from });
  }

  #set(key: unknown, life: Life): void {
    this.#lives.delete(key);
    this.#lives.set(key, life);
    if (this.#lives.size <= this.#limit) return;
    const kept = this.#limit >> 1;
    for (const [forgotten, latest] of [...this.#lives].slice(0, -kept || undefined)) {
      this.#lives.delete(forgotten);
      this.#forgottenAt = typeof latest === "number" ? latest : latest.endedAt;
    }
  }

  #find(id: unknown): Life | undefined {
    return this.#lives.get(rememberedKey(id));
  }

  #isLive(life: Life): boolean {
    return typeof life === "number" && !this.#isPastAt(life);
  }

  #isPastAt(index: number): boolean {
    if (this.#expires === undefined) return false;
    return (
      this.#suspension.isVoid(index) ||
      (this.#expires === "partly" && this.#suspension.hasMovedSince(index))
    );
  }
}

import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { rememberedKey } from "../../session/remembered.js";
import type { EntityTable } from "./rule-table.js";
import type { Suspension } from "./suspension.js";

/** What is known of an id. Numbers are those of messages. */
interface Life {
  readonly givenAt: number;
  /** When it ended, and the role whose message ended it. */
  endedAt?: number;
  endedBy?: string;
}

/** The ids of one kind: which were given, have ended, or mean nothing since the program ran on. */
export class EntityLives {
  readonly #expires: boolean;
  readonly #limit: number;
  readonly #suspension: Suspension;
  readonly #lives: LatestEntries<unknown, Life>;
  #count = 0;

  constructor({ expires }: EntityTable, limit: number, suspension: Suspension) {
    this.#expires = expires === true;
    this.#limit = limit;
    this.#suspension = suspension;
    this.#lives = new LatestEntries(limit);
  }

  isKnown(id: unknown): boolean {
    const life = this.#find(id);
    return life !== undefined && life.endedAt === undefined && !this.#isPast(life);
  }

  /** It was given once, whatever became of it. */
  isGiven(id: unknown): boolean {
    return this.#find(id) !== undefined;
  }

  /** It was never given, as far as that can be known: old ids are forgotten. */
  isNever(id: unknown): boolean {
    return this.#count < this.#limit >> 1 && this.#find(id) === undefined;
  }

  /** @param seen Number of the latest message of the other side that the sender is sure to have seen. */
  isEnded(id: unknown, from: string, seen: number): boolean {
    const life = this.#find(id);
    if (life?.endedAt === undefined) return false;
    return life.endedBy === from || life.endedAt < seen;
  }

  isPast(id: unknown): boolean {
    const life = this.#find(id);
    return life !== undefined && this.#isPast(life);
  }

  /** Number of things that have begun and not ended. */
  get unended(): number {
    return this.#lives.values().filter(({ endedAt }) => endedAt === undefined).length;
  }

  /** @param at Number of the message that gives the id. */
  begin(id: unknown, at: number): void {
    this.#count++;
    this.#lives.set(rememberedKey(id), { givenAt: at });
  }

  end(id: unknown, at: number, from: string): void {
    const key = rememberedKey(id);
    const life = this.#lives.get(key);
    if (life === undefined) this.#lives.set(key, { givenAt: 0, endedAt: at, endedBy: from });
    else [life.endedAt, life.endedBy] = [at, from];
  }

  #find(id: unknown): Life | undefined {
    return this.#lives.get(rememberedKey(id));
  }

  #isPast({ givenAt }: Life): boolean {
    return this.#expires && this.#suspension.isVoid(givenAt);
  }
}

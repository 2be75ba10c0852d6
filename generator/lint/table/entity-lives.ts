import { isObject } from "../../../runtime/index.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { partOf } from "../../../runtime/base/json-pointer.js";
import { rememberedKey } from "../../session/remembered.js";
import type { JudgedMessage } from "../state/judged-message.js";
import type { ReferencePlaces } from "./reference-places.js";
import type { EntityTable, PropertyTests, Turn } from "./rule-table.js";
import { isSelected } from "./selectors.js";
import type { Suspension } from "./suspension.js";

/** What is known of an id. Numbers are those of messages. */
interface Life {
  givenAt: number;
  /** When it ended, and the role whose message ended it. */
  endedAt?: number;
  endedBy?: string;
}

/** Tells whether the tests of a turn hold for an object. */
type HoldTest = (tests: PropertyTests, value: unknown) => boolean;

/** The ids of one kind: which were given, have ended, or mean nothing since the program ran on. */
export class EntityLives {
  readonly #table: EntityTable;
  readonly #limit: number;
  readonly #suspension: Suspension;
  readonly #lives: LatestEntries<unknown, Life>;
  #count = 0;

  constructor(table: EntityTable, limit: number, suspension: Suspension) {
    this.#table = table;
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

  follow(
    message: JudgedMessage,
    selectors: readonly string[],
    places: ReferencePlaces,
    holds: HoldTest,
  ): void {
    const { index, from } = message;
    for (const turn of this.#table.begins)
      for (const id of idsOf(turn, message, selectors, places, holds)) {
        this.#count++;
        this.#lives.set(id, { givenAt: index });
      }
    for (const turn of this.#table.ends ?? [])
      for (const id of idsOf(turn, message, selectors, places, holds)) {
        const life = this.#lives.get(id);
        if (life === undefined) this.#lives.set(id, { givenAt: 0, endedAt: index, endedBy: from });
        else [life.endedAt, life.endedBy] = [index, from];
      }
  }

  /** Number of things that have begun and not ended. */
  get unended(): number {
    return this.#lives.values().filter(({ endedAt }) => endedAt === undefined).length;
  }

  #find(id: unknown): Life | undefined {
    return this.#lives.get(rememberedKey(id));
  }

  #isPast({ givenAt }: Life): boolean {
    return this.#table.expires === true && this.#suspension.isVoid(givenAt);
  }
}

function idsOf(
  turn: Turn,
  message: JudgedMessage,
  selectors: readonly string[],
  places: ReferencePlaces,
  holds: HoldTest,
): readonly unknown[] {
  if (turn.from !== undefined && turn.from !== message.from) return [];
  if (!isSelected(turn.message, selectors)) return [];
  if (turn.reference !== undefined)
    return places.of(message, turn.reference).map(({ value }) => rememberedKey(value));
  if (turn.own !== undefined) return [rememberedKey(message.fields[turn.own])];
  const body = message.fields[message.payloadField];
  if (message.hasFailed || !isObject(body)) return [];
  if (turn.if !== undefined && !holds(turn.if, body)) return [];
  const list = turn.each === undefined ? [body] : partOf(body, `/${turn.each}`);
  return (Array.isArray(list) ? (list as unknown[]) : [])
    .filter((each) => turn.whose === undefined || holds(turn.whose, each))
    .map((each) => partOf(each, `/${turn.id}`))
    .filter((id) => id !== undefined)
    .map(rememberedKey);
}

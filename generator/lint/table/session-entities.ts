import type { JudgedMessage } from "../state/judged-message.js";
import { EntityLives } from "./entity-lives.js";
import { EntityMembers } from "./entity-members.js";
import { listAt } from "./list-checks.js";
import { bodyOf } from "./message-body.js";
import type { PlannedTurn } from "./message-plans.js";
import { pairKey, valueAt } from "./property-path.js";
import type { ReferencePlaces } from "./reference-places.js";
import type { EntityTable, PropertyTests, RuleTable, Turn } from "./rule-table.js";
import { isSelected, selectorsOf } from "./selectors.js";
import type { Gap } from "../state/knowledge.js";
import type { Suspension } from "./suspension.js";

/** The things of a session that have ids: which live, by kind. */
export class SessionEntities {
  readonly lives: ReadonlyMap<string, EntityLives>;
  /** Of the kinds whose things hold each other. */
  readonly #members: readonly (readonly [EntityTable, EntityMembers, EntityLives])[];
  readonly #places: ReferencePlaces;
  readonly #placeOf: (tests: PropertyTests, value: unknown) => string | undefined;

  constructor(
    { entities = {} }: RuleTable,
    limit: number,
    suspension: Suspension,
    places: ReferencePlaces,
    placeOf: (tests: PropertyTests, value: unknown) => string | undefined,
    gap: () => Gap | undefined,
  ) {
    this.#places = places;
    this.#placeOf = placeOf;
    this.lives = new Map(
      Object.entries(entities).map(([name, entity]) => [
        name,
        new EntityLives(entity, limit, suspension, gap),
      ]),
    );
    this.#members = Object.entries(entities).flatMap(([name, entity]) =>
      entity.members === undefined
        ? []
        : [
            [
              entity,
              new EntityMembers(entity.members, limit, suspension),
              this.lives.get(name)!,
            ] as const,
          ],
    );
  }

  /** Number of things of a kind that have begun and not ended. */
  unended(kind: string): number {
    return this.lives.get(kind)?.unended ?? 0;
  }

  /** @param asked What the request asked for that the message answers. */
  follow(message: JudgedMessage, turns: readonly PlannedTurn[], asked: unknown): void {
    const { index, from } = message;
    // What is replaced may get its old id again.
    if (asked !== undefined && !message.hasFailed) this.#replace(message, asked);
    for (const { entity, turn, isEnd } of turns) {
      const lives = this.lives.get(entity)!;
      const owner = turn.of === undefined ? undefined : valueAt(asked, turn.of);
      for (const id of this.#idsOf(turn, message, asked))
        if (isEnd) lives.end(id, index, from);
        else lives.begin(id, index, owner);
    }
  }

  #replace(message: JudgedMessage, asked: unknown): void {
    if (this.#members.length === 0) return;
    const selectors = selectorsOf(message);
    for (const [{ members }, known, lives] of this.#members) {
      if (isSelected(members!.message, selectors)) known.list(message, asked);
      const { replacedBy } = members!;
      if (!isSelected(replacedBy.message, selectors)) continue;
      if (this.#placeOf(replacedBy.if, bodyOf(message)) === undefined) continue;
      for (const id of known.replaced(asked)) lives.end(id, message.index, message.from);
    }
  }

  /** The ids that a message gives or takes. */
  #idsOf(turn: Turn, message: JudgedMessage, asked: unknown): readonly unknown[] {
    if (turn.reference !== undefined)
      return this.#places.of(message, turn.reference).map(({ value }) => value);
    if (turn.own !== undefined) return [message.fields[turn.own]];
    if (message.hasFailed) return [];
    const body = bodyOf(message);
    if (turn.if !== undefined && this.#placeOf(turn.if, body) === undefined) return [];
    const { each, whose, id = "" } = turn;
    const items = each === undefined ? [body] : listAt(body, each);
    const isAsked = this.#askedItems(turn, asked);
    const ids: unknown[] = [];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (whose !== undefined && this.#placeOf(whose, item) === undefined) continue;
      if (isAsked !== undefined && isAsked[index] !== true) continue;
      const found = valueAt(item, id);
      if (found === undefined) continue;
      ids.push(turn.with === undefined ? found : pairKey(valueAt(body, turn.with), found));
    }
    return ids;
  }

  /** Which items of the request are those that a turn is about; undefined if it does not say. */
  #askedItems({ asked: about }: Turn, asked: unknown): readonly boolean[] | undefined {
    return about === undefined
      ? undefined
      : listAt(asked, about.each).map((value) => this.#placeOf(about.whose, value) !== undefined);
  }
}

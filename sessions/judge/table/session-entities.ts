import type { JudgedMessage } from "../state/judged-message.js";
import { EntityLives } from "./entity-lives.js";
import { EntityMembers } from "./entity-members.js";
import { listAt } from "./list-checks.js";
import { bodyOf } from "./message-body.js";
import type { PlannedTurn } from "./message-plans.js";
import { keysOf, pairKey, valueAt, valueBy } from "./property-path.js";
import type { ReferencePlaces } from "./reference-places.js";
import { kindsAskedWhenPast } from "./rule-needs.js";
import { placeOfTests } from "./property-tests.js";
import type { RuleQueries } from "./rule-queries.js";
import type { IdPart, MemberTable, PropertyTests, RuleTable, Turn } from "./rule-table.js";
import { isSelected, selectorsOf } from "./selectors.js";
import type { Gap } from "../state/knowledge.js";
import type { Suspension } from "./suspension.js";

/**
 * Tracks the objects in a session that have ids, by kind, along with whether each is still live.
 */
export class SessionEntities {
  readonly lives: ReadonlyMap<string, EntityLives>;
  /** The members of objects, for kinds whose objects contain each other. */
  readonly #members: readonly (readonly [MemberTable, EntityMembers, EntityLives])[];
  readonly #places: ReferencePlaces;
  readonly #state: RuleQueries;

  /**
   * @param gap Returns why ids may be missing from the recording, or undefined if it contains all
   * of them.
   */
  constructor(
    table: RuleTable,
    limit: number,
    suspension: Suspension,
    places: ReferencePlaces,
    state: RuleQueries,
    gap: () => Gap | undefined,
  ) {
    this.#places = places;
    this.#state = state;
    const { entities = {} } = table;
    const past = kindsAskedWhenPast(table);
    this.lives = new Map(
      Object.entries(entities).map(([name, entity]) => [
        name,
        new EntityLives(entity, limit, suspension, gap, past.has(name)),
      ]),
    );
    this.#members = Object.entries(entities).flatMap(([name, { members }]) =>
      members === undefined
        ? []
        : [
            [
              members,
              new EntityMembers(members, limit, suspension),
              this.lives.get(name)!,
            ] as const,
          ],
    );
  }

  follow(message: JudgedMessage, turns: readonly PlannedTurn[]): void {
    const { index, from } = message;
    // Replaced objects are processed first, because a new object may reuse the id of the object
    // that it replaces.
    if (this.#state.asked !== undefined && !message.hasFailed) this.#replace(message);
    for (const { entity, turn, isEnd } of turns) {
      const lives = this.lives.get(entity)!;
      for (const id of this.#idsOf(turn, message))
        if (isEnd) lives.end(id, index, from);
        else lives.begin(id, index);
    }
  }

  #replace(message: JudgedMessage): void {
    if (this.#members.length === 0) return;
    const selectors = selectorsOf(message);
    const { asked } = this.#state;
    for (const [{ message: listing, replacedBy }, known, lives] of this.#members) {
      if (isSelected(listing, selectors)) known.list(message, asked);
      if (!isSelected(replacedBy.message, selectors)) continue;
      if (!this.#passes(replacedBy.if, bodyOf(message))) continue;
      for (const id of known.replaced(asked)) lives.end(id, message.index, message.from);
    }
  }

  /** Lists the ids that a message introduces or ends. */
  #idsOf(turn: Turn, message: JudgedMessage): readonly unknown[] {
    if (turn.reference !== undefined)
      return this.#places.of(message, turn.reference).map(({ value }) => value);
    if (turn.own !== undefined) return [message.fields[turn.own]];
    if (message.hasFailed) return [];
    const body = bodyOf(message);
    if (turn.if !== undefined && !this.#passes(turn.if, body)) return [];
    const { asked: about } = turn;
    if (
      about !== undefined &&
      about.each === undefined &&
      !this.#passes(about.whose, this.#state.asked)
    )
      return [];
    const { each, whose, id = "" } = turn;
    const items = each === undefined ? [body] : listAt(body, each);
    const isAsked = this.#askedItems(turn);
    const keys = typeof id === "string" ? keysOf(id) : undefined;
    const ids: unknown[] = [];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (whose !== undefined && !this.#passes(whose, item)) continue;
      if (isAsked !== undefined && isAsked[index] !== true) continue;
      const found = keys === undefined ? this.#partAt(id, body) : valueBy(item, keys);
      if (found === undefined) continue;
      ids.push(turn.with === undefined ? found : pairKey(this.#partAt(turn.with, body), found));
    }
    return ids;
  }

  #partAt(part: IdPart, body: unknown): unknown {
    return typeof part === "string" ? valueAt(body, part) : valueAt(this.#state.asked, part.asked);
  }

  /**
   * Returns, for each item in the request, whether it matches the turn's condition. Returns
   * undefined if the turn has no such condition.
   */
  #askedItems({ asked: about }: Turn): readonly boolean[] | undefined {
    return about?.each === undefined
      ? undefined
      : listAt(this.#state.asked, about.each).map((value) => this.#passes(about.whose, value));
  }

  #passes(tests: PropertyTests, value: unknown): boolean {
    return placeOfTests(tests, value, this.#state) !== undefined;
  }
}

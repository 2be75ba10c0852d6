import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { rememberedKey } from "../../read/remembered.js";
import type { JudgedMessage } from "../judged-message.js";
import type { Gap } from "../knowledge.js";
import { EntityLives } from "./entity-lives.js";
import { firstAt, holds, itemsAt, pairKey, valueAt, type TestContext } from "./property-tests.js";
import type { References } from "./references.js";
import type { IdPart, MemberTable, RuleTable, Turn } from "./rule-table.js";
import { isSelected } from "./selectors.js";
import type { Suspension } from "./suspension.js";

/**
 * Tracks the objects in a session that have ids, by kind, along with whether each is still live.
 */
export class SessionEntities {
  readonly lives: ReadonlyMap<string, EntityLives>;
  /** The messages that introduce or end objects. */
  readonly #turns: readonly {
    readonly turn: Turn;
    readonly lives: EntityLives;
    readonly isEnd: boolean;
    /** The ids in the latest response, by the parameter that they depend on. */
    readonly listed: LatestEntries<unknown, readonly unknown[]>;
  }[];
  /** The members of objects, for kinds whose objects contain each other. */
  readonly #members: readonly {
    readonly table: MemberTable;
    readonly members: EntityMembers;
    readonly lives: EntityLives;
  }[];
  readonly #references: References;
  readonly #state: TestContext;

  /**
   * @param gap Returns why ids may be missing from the recording, or undefined if it contains all
   * of them.
   */
  constructor(
    table: RuleTable,
    limit: number,
    suspension: Suspension,
    references: References,
    state: TestContext,
    gap: () => Gap | undefined,
  ) {
    this.#references = references;
    this.#state = state;
    const entities = Object.entries(table.entities ?? {}).map(([name, entity]) => ({
      ...entity,
      name,
      lives: new EntityLives(entity, limit, suspension, gap),
    }));
    this.lives = new Map(entities.map(({ name, lives }) => [name, lives]));
    this.#turns = entities.flatMap(({ begins, ends = [], lives }) =>
      [...begins, ...ends].map((turn) => ({
        turn,
        lives,
        isEnd: ends.includes(turn),
        listed: new LatestEntries<unknown, readonly unknown[]>(limit),
      })),
    );
    this.#members = entities.flatMap(({ members, lives }) =>
      members === undefined
        ? []
        : [{ table: members, members: new EntityMembers(members, limit, suspension), lives }],
    );
  }

  follow(message: JudgedMessage): void {
    const { index, from, hasFailed } = message;
    // Replaced objects are processed first, because a new object may reuse the id of the object
    // that it replaces.
    if (this.#state.asked !== undefined && !hasFailed) this.#replace(message);
    for (const { turn, lives, isEnd, listed } of this.#turns) {
      const { replaces } = turn;
      if (turn.from !== undefined && turn.from !== from) continue;
      if (!isSelected(turn.message, message)) continue;
      const ids = this.#idsOf(turn, message);
      if (replaces !== undefined && this.#state.asked !== undefined && !hasFailed) {
        const key = replaces === true ? true : firstAt(this.#state.asked, replaces.asked);
        for (const id of listed.get(rememberedKey(key)) ?? []) lives.end(id, index, from);
        listed.set(rememberedKey(key), ids);
      }
      const present =
        turn.unlisted === true && !hasFailed ? new Set(ids.map(rememberedKey)) : undefined;
      for (const id of present === undefined ? ids : lives.live.filter((key) => !present.has(key)))
        if (isEnd) lives.end(id, index, from);
        else lives.begin(id, index);
    }
  }

  #replace(message: JudgedMessage): void {
    const { asked } = this.#state;
    for (const { table, members, lives } of this.#members) {
      if (isSelected(table.message, message)) members.list(message, asked);
      if (!isSelected(table.replacedBy.message, message)) continue;
      if (!holds(table.replacedBy.if, message.body, this.#state)) continue;
      for (const id of members.replaced(asked)) lives.end(id, message.index, message.from);
    }
  }

  /** Lists the ids that a message introduces or ends. */
  #idsOf(turn: Turn, message: JudgedMessage): readonly unknown[] {
    const { reference, own, asked, each, whose, id: idPart = "", with: firstPart } = turn;
    const { body } = message;
    const state = this.#state;
    if (reference !== undefined)
      return this.#references.of(message, reference).map(({ value }) => value);
    if (turn.if !== undefined && !holds(turn.if, body, state)) return [];
    if (own !== undefined) return [message.fields[own]];
    if (message.hasFailed) return [];
    if (asked !== undefined && asked.each === undefined && !holds(asked.whose, state.asked, state))
      return [];
    const items = each === undefined ? [body] : itemsAt(body, each);
    const parameters = asked?.each === undefined ? undefined : itemsAt(state.asked, asked.each);
    return items.flatMap((item, index) => {
      if (whose !== undefined && !holds(whose, item, state)) return [];
      if (parameters !== undefined)
        if (index >= parameters.length || !holds(asked!.whose, parameters[index], state)) return [];
      const id = this.#partAt(idPart, item);
      if (id === undefined) return [];
      return [firstPart === undefined ? id : pairKey(this.#partAt(firstPart, body), id)];
    });
  }

  #partAt(part: IdPart, value: unknown): unknown {
    return typeof part === "string" ? valueAt(value, part) : valueAt(this.#state.asked, part.asked);
  }
}

/** The ids of a container's members, by name. The id is null if several members share a name. */
interface Container {
  readonly at: number;
  readonly members: ReadonlyMap<unknown, unknown>;
}

/**
 * Tracks which containers each container holds, because replacing a container invalidates
 * everything in it.
 */
class EntityMembers {
  readonly #table: MemberTable;
  readonly #suspension: Suspension;
  readonly #limit: number;
  #containers: LatestEntries<unknown, Container>;
  /** Position of the latest message that listed the members of any container. */
  #latestAt = 0;

  /** @param limit Maximum number of containers to remember. */
  constructor(table: MemberTable, limit: number, suspension: Suspension) {
    this.#table = table;
    this.#suspension = suspension;
    this.#limit = limit;
    this.#containers = new LatestEntries(limit);
  }

  /** Records the members that a message lists. */
  list(message: JudgedMessage, asked: unknown): void {
    const { of, each, by, id } = this.#table;
    const owner = valueAt(asked, of);
    if (owner === undefined) return;
    // Drop members from earlier stops, which are no longer valid and take up a lot of memory.
    if (this.#suspension.isVoid(this.#latestAt)) this.#containers = new LatestEntries(this.#limit);
    this.#latestAt = message.index;
    const members = new Map<unknown, unknown>();
    for (const value of itemsAt(message.body, each)) {
      const name = rememberedKey(valueAt(value, by));
      members.set(name, members.has(name) ? null : valueAt(value, id));
    }
    this.#containers.set(rememberedKey(owner), { at: message.index, members });
  }

  /**
   * Returns the ids that became invalid because a request replaced a member: the member's own id,
   * and the ids of everything in it.
   */
  replaced(asked: unknown): readonly unknown[] {
    const { of, by } = this.#table;
    const ids = new Set<unknown>();
    const member = this.#membersOf(valueAt(asked, of))?.get(rememberedKey(valueAt(asked, by)));
    const left = [member];
    while (left.length > 0) {
      const id = left.pop();
      if (!isId(id) || ids.has(id)) continue;
      ids.add(id);
      left.push(...(this.#membersOf(id)?.values() ?? []));
    }
    return [...ids];
  }

  #membersOf(id: unknown): ReadonlyMap<unknown, unknown> | undefined {
    const container = this.#containers.get(rememberedKey(id));
    return container === undefined || this.#suspension.isVoid(container.at)
      ? undefined
      : container.members;
  }
}

/** An id of 0 means that the member is not a container. */
function isId(value: unknown): boolean {
  return (typeof value === "number" && value !== 0) || typeof value === "string";
}

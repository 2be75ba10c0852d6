import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { rememberedKey } from "../../read/remembered.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { listAt } from "./list-checks.js";
import { bodyOf } from "./message-body.js";
import { valueAt } from "./property-path.js";
import type { MemberTable } from "./rule-table.js";
import type { Suspension } from "./suspension.js";

/** The ids of a container's members, by name. The id is null if several members share a name. */
interface Container {
  readonly at: number;
  readonly members: ReadonlyMap<unknown, unknown>;
}

/**
 * Tracks which containers each container holds, because replacing a container invalidates
 * everything in it.
 */
export class EntityMembers {
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
    for (const value of listAt(bodyOf(message), each)) {
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
    const found = new Set<unknown>();
    const first = this.#membersOf(valueAt(asked, of))?.get(rememberedKey(valueAt(asked, by)));
    const left = [first];
    while (left.length > 0) {
      const id = left.pop();
      if (!isId(id) || found.has(id)) continue;
      found.add(id);
      left.push(...(this.#membersOf(id)?.values() ?? []));
    }
    return [...found];
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

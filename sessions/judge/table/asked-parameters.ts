import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { oncePer } from "../../../generator/model/once.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { bodyOf } from "./message-body.js";
import type { RuleTable } from "./rule-table.js";
import { listOf, nameIn } from "./selectors.js";

/** Remembers the parameters of pending requests for rules about their responses. */
export class AskedParameters {
  readonly #needed: ReadonlySet<string>;
  readonly #byRequest: LatestEntries<number, unknown>;

  /** @param limit Maximum number of requests to remember. */
  constructor(table: RuleTable, limit: number) {
    this.#needed = neededRequests(table);
    this.#byRequest = new LatestEntries(limit);
  }

  /**
   * Returns the parameters of the request that a message answers, or undefined if they are unknown
   * or no rule needs them.
   */
  of({ request }: JudgedMessage): unknown {
    return request === undefined ? undefined : this.#byRequest.get(request.index);
  }

  follow(message: JudgedMessage): void {
    const { kind, name = "", index, request } = message;
    if (kind === "event" || !this.#needed.has(name)) return;
    if (kind === "request") this.#byRequest.set(index, bodyOf(message));
    else if (request !== undefined) this.#byRequest.delete(request.index);
  }
}

/** Lists the requests whose parameters a rule or an entity needs. */
const neededRequests = oncePer(({ rules, entities = {} }: RuleTable): ReadonlySet<string> => {
  const asks = (part: object): boolean => JSON.stringify(part).includes('"asked":');
  const ofRules = rules.flatMap((rule) => [
    ...(rule.count !== undefined || asks(rule) ? listOf(rule.message) : []),
    ...(rule.settled === undefined ? [] : [...listOf(rule.message), rule.settled.by]),
  ]);
  const ofEntities = Object.values(entities).flatMap(({ begins, ends = [], members }) => [
    ...[...begins, ...ends].flatMap((turn) => (asks(turn) ? listOf(turn.message) : [])),
    ...(members === undefined ? [] : [members.message, members.replacedBy.message]),
  ]);
  return new Set([...ofRules, ...ofEntities].map(nameIn));
});

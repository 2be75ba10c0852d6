import type { Protocol } from "../../../generator/model/protocol.js";
import type { Fact } from "../knowledge.js";
import type { EntityTable, PropertyTests, RuleTable, TableRule } from "./rule-table.js";
import { listOf } from "./selectors.js";

const idTests = ["known", "unknown", "never", "given", "ended", "past"] as const;

const ownOrder: readonly Fact[] = ["own order"];
const bothInOrder: readonly Fact[] = ["order", "no loss"];

/** Determines from a rule's properties which facts it needs. */
export function needsOf(
  rule: TableRule,
  { entities = {} }: RuleTable,
  protocol: Protocol,
): readonly Fact[] {
  const { before, after, afterAll, since, during, state = {} } = rule;
  const past = [before, listOf(after), afterAll, since, during].flatMap((each) => each ?? []);
  const kinds = idKindsOf(rule);
  const has = (...keywords: readonly (keyof TableRule)[]): boolean =>
    keywords.some((keyword) => rule[keyword] !== undefined);
  const asks = (name: string): boolean => Object.keys(state).some((path) => path.startsWith(name));
  const needs: Fact[] = [];
  const isAboutBoth = has("settled", "delay", "carried") || asks("running");
  if (
    isAboutBoth ||
    past.length > 0 ||
    kinds.length > 0 ||
    has("once", "nested", "latestFirst", "unchanged")
  ) {
    const roles = new Set([
      ...sendersOf(rule, protocol),
      ...past.flatMap((each) => senderOf(each, protocol)),
      ...kinds.flatMap((kind) => giversOf(entities[kind], protocol)),
      ...(isAboutBoth ? protocol.roles : []),
    ]);
    needs.push(roles.size > 1 ? "order" : "own order");
  }
  // Responses are matched to requests by id, so the rule needs only the order within each side.
  // Without ids, answers are matched by their order.
  if (has("count", "ordered") || JSON.stringify(rule).includes('"asked":') || asks("answers"))
    needs.push(...(protocol.lanes === undefined ? ownOrder : bothInOrder));
  if (has("before", "nested")) needs.push("start");
  // A lost message may have changed the tested state.
  if (
    kinds.length > 0 ||
    has("since", "during", "settled", "nested", "latestFirst", "unchanged", "delay") ||
    asks("running") ||
    asks("open/")
  )
    needs.push("no loss");
  if (has("end")) needs.push("both sides");
  if (rule.end === "over") needs.push("end");
  return needs;
}

/** Lists the kinds of ids that a rule looks up. */
function idKindsOf(rule: TableRule): readonly string[] {
  const { test, anyOf = [], if: condition, envelope, complete } = rule;
  const tested = [test, ...anyOf, condition, envelope].flatMap((tests: PropertyTests = {}) =>
    Object.values(tests).flatMap((each) =>
      idTests.flatMap((name) => {
        const id = each[name];
        return id === undefined ? [] : typeof id === "string" ? id : id.kind;
      }),
    ),
  );
  return complete === undefined ? tested : [...tested, complete.of];
}

/** Lists the roles that introduce or end ids of an entity. */
function giversOf(entity: EntityTable | undefined, protocol: Protocol): readonly string[] {
  const turns = [...(entity?.begins ?? []), ...(entity?.ends ?? [])];
  return turns.flatMap((turn) => sendersOf(turn, protocol));
}

function sendersOf(
  { from, message }: Pick<TableRule, "from" | "message">,
  protocol: Protocol,
): readonly string[] {
  if (from !== undefined) return [from];
  if (message === undefined) return protocol.roles;
  return listOf(message).flatMap((each) => senderOf(each, protocol));
}

/** Lists the roles that may send messages that match a selector. */
function senderOf(selector: string, { messages, roles }: Protocol): readonly string[] {
  const [kind = "", name = ""] = selector.split(" ");
  const isResponse = kind !== "request" && kind !== "event";
  const message = messages.find(
    (candidate) => candidate.name === name && candidate.kind === (isResponse ? "request" : kind),
  );
  if (message === undefined || message.sender === "both") return roles;
  return isResponse ? roles.filter((role) => role !== message.sender) : [message.sender];
}

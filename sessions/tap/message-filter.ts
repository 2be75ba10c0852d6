import { InputError, nearest } from "../../generator/base/input-error.js";
import { literalPattern } from "../../generator/base/literal-pattern.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { TrackedMessage } from "../show/exchanges/message-tracker.js";

const kinds = ["request", "response", "success", "failure", "event"] as const;
type Kind = (typeof kinds)[number];

/** The conditions of a single `--filter` option. A message must satisfy all of them to match. */
interface Condition {
  readonly isExcluding: boolean;
  readonly from?: string;
  readonly kind?: Kind;
  readonly session?: number;
  readonly name?: RegExp;
}

/**
 * Selects messages with filters such as `adapter event stopped`. A filter consists of a role, a
 * kind, a session such as `#2`, and a name in which `*` matches any text. Each part is optional.
 *
 * A message must match one of the filters without `!`, if there are any, and none of those that
 * begin with `!`.
 */
export class MessageFilter {
  readonly #conditions: readonly Condition[];

  /** @throws InputError `ERR_ARGUMENT` with a hint if a filter is invalid. */
  constructor(protocol: Protocol, filters: readonly string[]) {
    this.#conditions = filters.map((text) => readCondition(protocol, text));
  }

  /**
   * Returns whether to show an observation. If it is not a message, filters select it by role and
   * session alone, and it can be excluded only by a filter without a kind and a name.
   * @param tracked The message. Undefined if it is not a message.
   */
  chooses(from: string, session: number | undefined, tracked?: TrackedMessage): boolean {
    const holds = (each: Condition): boolean => isMet(each, from, session, tracked);
    const including = this.#conditions.filter(({ isExcluding }) => !isExcluding);
    const excluding = this.#conditions.filter(({ isExcluding }) => isExcluding);
    return (including.length === 0 || including.some(holds)) && !excluding.some(holds);
  }
}

function isMet(
  condition: Condition,
  from: string,
  session: number | undefined,
  tracked: TrackedMessage | undefined,
): boolean {
  const { kind, name } = condition;
  if (condition.from !== undefined && from !== condition.from) return false;
  if (condition.session !== undefined && session !== condition.session) return false;
  if (kind === undefined && name === undefined) return true;
  if (tracked === undefined) return !condition.isExcluding;
  const isNamed =
    name === undefined ||
    (tracked.name !== undefined && name.test(tracked.name.slice(0, maxNameLength)));
  const outcome = tracked.hasFailed ? "failure" : "success";
  const isOfKind =
    kind === undefined ||
    kind === tracked.kind ||
    (tracked.kind === "response" && kind === outcome);
  return isNamed && isOfKind;
}

function readCondition(protocol: Protocol, text: string): Condition {
  const isExcluding = text.startsWith("!");
  const words = text.slice(isExcluding ? 1 : 0).trim();
  if (words === "") throw unreadable(text, "it is empty", example(protocol));
  let rest = words;
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found[0].length).trimStart();
    return found[1] ?? found[0].trim();
  };
  const { event, request } = protocol.envelope;
  const nouns = new Map<string, Kind>([
    [request.noun, "request"],
    [event.noun, "event"],
    ...kinds.map((kind) => [kind, kind] as const),
  ]);
  let [from, kind, session]: [string?, Kind?, number?] = [];
  for (;;) {
    const number = take(/^#(\d+)(?:\s+|$)/);
    if (number !== undefined) {
      session = Number(number);
      continue;
    }
    const word = /^\S+/.exec(rest)?.[0] ?? "";
    if (from === undefined && protocol.roles.includes(word)) from = take(/^\S+\s*/);
    else if (kind === undefined && nouns.has(word)) kind = nouns.get(take(/^\S+\s*/)!);
    else break;
  }
  if (rest !== "") checkName(protocol, text, rest, [...protocol.roles, ...nouns.keys()]);
  return {
    isExcluding,
    from,
    kind,
    session,
    name: rest === "" ? undefined : patternOf(rest),
  };
}

/** Maximum length of a name to match, because matching patterns takes time. */
const maxNameLength = 200;

/** Checks that a name is a pattern or occurs in the protocol. Any other name is probably a typo. */
function checkName(
  protocol: Protocol,
  filter: string,
  name: string,
  words: readonly string[],
): void {
  const names = protocol.messages.map((message) => message.name);
  if (name.includes("*") || names.includes(name)) return;
  const guess = nearest(name, [...words, ...names]);
  throw unreadable(
    filter,
    `${protocol.name} has no message "${name}"`,
    guess === undefined
      ? `${example(protocol)}; to match a message that the protocol does not define, use "*", such as "${name}*"`
      : `Did you mean "${guess}"?`,
  );
}

function example(protocol: Protocol): string {
  const [first] = protocol.messages;
  return `A filter consists of a role, a kind, a session and a name, such as "${protocol.roles[0]} ${first?.kind ?? "request"} ${first?.name ?? "*"}" or "!#2"`;
}

function unreadable(filter: string, why: string, hint: string): InputError {
  return new InputError("ERR_ARGUMENT", `Cannot use --filter "${filter}": ${why}`, {}, hint);
}

function patternOf(name: string): RegExp {
  const parts = name.split("*").map(literalPattern);
  // Because the quantifiers are not nested, matching does not take excessively long.
  return new RegExp(`^${parts.join("[^]*?")}$`);
}

import type { JudgedMessage } from "../state/judged-message.js";
import type { RuleTable, TableRule } from "./rule-table.js";
import { listOf, selectorsOf } from "./selectors.js";

/** The rules of a table by the messages that they are about. Those about typed values are looked up elsewhere. */
export class RuleIndex {
  readonly atEnd: readonly TableRule[];
  /** Rules of requests that wait. */
  readonly late: readonly TableRule[];
  readonly #rules: readonly TableRule[];
  /** Kinds and names that a rule speaks of. */
  readonly #named: ReadonlySet<string>;
  readonly #found = new Map<string, readonly TableRule[]>();

  constructor({ rules }: RuleTable) {
    this.atEnd = rules.filter(isAtEnd);
    this.late = rules.filter(({ laterThan }) => laterThan !== undefined);
    this.#rules = rules.filter((rule) => !isAtEnd(rule) && !isTyped(rule));
    this.#named = new Set(this.#rules.flatMap(selectorsIn).map(nameIn));
  }

  rulesOf(message: JudgedMessage): readonly TableRule[] {
    const { kind, name = "", hasFailed, from } = message;
    // Foreign names are without number.
    const key = `${kind} ${this.#named.has(name) ? name : "*"} ${String(hasFailed)} ${from}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      const selectors = selectorsOf(message);
      found = this.#rules.filter((rule) => concerns(rule, from, selectors));
      this.#found.set(key, found);
    }
    return found;
  }
}

function concerns(rule: TableRule, from: string, selectors: readonly string[]): boolean {
  if (rule.from !== undefined && rule.from !== from && rule.count === undefined) return false;
  const wanted = selectorsIn(rule);
  return wanted.length === 0 || wanted.some((each) => selectors.includes(each));
}

/** The messages that a rule is about. One that counts looks at the request, too. */
function selectorsIn({ message, count }: TableRule): readonly string[] {
  const own = listOf(message);
  return count === undefined ? own : [...own, ...own.map((each) => `request ${nameIn(each)}`)];
}

function nameIn(selector: string): string {
  return selector.slice(selector.indexOf(" ") + 1);
}

function isAtEnd({ end, unended }: TableRule): boolean {
  return end === true || unended !== undefined;
}

/** Whether a rule is about values by their types, wherever they stand. */
export function isTyped({ definition, unlisted, numbers }: TableRule): boolean {
  return definition !== undefined || unlisted !== undefined || numbers !== undefined;
}

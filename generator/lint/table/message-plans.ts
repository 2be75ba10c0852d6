import type { JudgedMessage } from "../state/judged-message.js";
import type { RuleTable, TableRule, Turn } from "./rule-table.js";
import { isSelected, listOf, selectorsOf } from "./selectors.js";

/** What a table does with messages of one kind, name and outcome. */
export interface MessagePlan {
  /** The selectors that the message goes by, as far as rules wait for them. */
  readonly marks: readonly string[];
  readonly rules: readonly TableRule[];
  /** Rules about the bytes of the message. */
  readonly ofBytes: readonly TableRule[];
  /** Rules about values by their types, wherever they stand. */
  readonly typed: readonly TableRule[];
  readonly turns: readonly PlannedTurn[];
}

/** What comes or goes with a message. */
export interface PlannedTurn {
  readonly entity: string;
  readonly turn: Turn;
  readonly isEnd: boolean;
}

/** The plans of a table, made when they are first needed. */
export class MessagePlans {
  readonly #rules: readonly TableRule[];
  readonly #turns: readonly PlannedTurn[];
  readonly #awaited: ReadonlySet<string>;
  /** Names that the table speaks of. Foreign names are without number. */
  readonly #named: ReadonlySet<string>;
  readonly #plans = new Map<string, MessagePlan>();

  constructor({ rules, entities = {} }: RuleTable, awaited: ReadonlySet<string>) {
    this.#rules = rules.filter((rule) => !isAtEnd(rule));
    this.#turns = Object.entries(entities).flatMap(([entity, { begins, ends = [] }]) => [
      ...begins.map((turn) => ({ entity, turn, isEnd: false })),
      ...ends.map((turn) => ({ entity, turn, isEnd: true })),
    ]);
    this.#awaited = awaited;
    const selectors = [
      ...awaited,
      ...this.#rules.flatMap((rule) => [...selectorsIn(rule), ...(rule.within ?? [])]),
      ...this.#turns.flatMap(({ turn }) => listOf(turn.message)),
    ];
    this.#named = new Set(selectors.map(nameIn));
  }

  planOf(message: JudgedMessage): MessagePlan {
    const { kind, name = "", hasFailed, from } = message;
    const key = `${kind} ${this.#named.has(name) ? name : "*"} ${hasFailed ? "failed " : ""}${from}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) this.#plans.set(key, (plan = this.#make(message)));
    return plan;
  }

  #make(message: JudgedMessage): MessagePlan {
    const { from } = message;
    const selectors = selectorsOf(message);
    const rules = this.#rules.filter(
      (rule) =>
        (rule.from === undefined || rule.from === from || rule.count !== undefined) &&
        isSelected(rule.message === undefined ? undefined : selectorsIn(rule), selectors),
    );
    return {
      marks: selectors.filter((each) => this.#awaited.has(each)),
      rules: rules.filter((rule) => rule.bytes === undefined && !isTyped(rule)),
      ofBytes: rules.filter((rule) => rule.bytes !== undefined),
      typed: rules.filter((rule) => isTyped(rule) && isSelected(rule.within, selectors)),
      turns: this.#turns.filter(
        ({ turn }) =>
          (turn.from === undefined || turn.from === from) && isSelected(turn.message, selectors),
      ),
    };
  }
}

/** Whether a rule is judged when the session is over. */
export function isAtEnd({ end, unended }: TableRule): boolean {
  return end === true || unended !== undefined;
}

/** Whether a rule is about values by their types. */
function isTyped({ definition, unlisted, numbers }: TableRule): boolean {
  return definition !== undefined || unlisted !== undefined || numbers !== undefined;
}

/** The messages that a rule is about. One that counts looks at the request, too. */
function selectorsIn({ message, count }: TableRule): readonly string[] {
  const own = listOf(message);
  return count === undefined ? own : [...own, ...own.map((each) => `request ${nameIn(each)}`)];
}

function nameIn(selector: string): string {
  return selector.slice(selector.indexOf(" ") + 1);
}

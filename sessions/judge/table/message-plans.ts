import type { JudgedMessage } from "../state/judged-message.js";
import type { AnnouncedCapabilities } from "../state/announced-capabilities.js";
import type { Doubt, Gap } from "../state/knowledge.js";
import type { SessionState } from "../state/session-state.js";
import type { RuleTable, TableRule, Turn } from "./rule-table.js";
import { isSelected, listOf, nameIn, selectorsOf } from "./selectors.js";
import { isTyped, typedPlanOf, type TypedPlan } from "./typed-rules.js";

/** A table's rules that apply to all messages with the same role, kind, name and outcome. */
export interface MessagePlan<Rule> {
  /** The selectors that match the message, limited to those that rules wait for. */
  readonly marks: readonly string[];
  /** Rules about the message's contents, except those that the announced capabilities rule out. */
  readonly rules: readonly PlannedRule<Rule>[];
  /** Rules about the message's bytes. */
  readonly ofBytes: readonly PlannedRule<Rule>[];
  readonly typed: TypedPlan<PlannedRule<Rule>>;
  readonly turns: readonly PlannedTurn[];
}

/** A rule that applies to the message. `gap` is set if this is uncertain, and states the reason. */
export interface PlannedRule<Rule> {
  readonly rule: TableRule;
  readonly ready: Rule;
  readonly gap: Gap | undefined;
}

/**
 * A turn in the table that matches the message, which therefore introduces or ends ids of an
 * entity.
 */
export interface PlannedTurn {
  readonly entity: string;
  readonly turn: Turn;
  readonly isEnd: boolean;
}

/** Creates a table's plans when they are first needed. `Rule` is the type of a prepared rule. */
export class MessagePlans<Rule> {
  readonly #rules: readonly TableRule[];
  readonly #turns: readonly PlannedTurn[];
  readonly #awaited: ReadonlySet<string>;
  /**
   * Names that occur in the table. All other names share a single plan, because a recording may
   * contain any number of names.
   */
  readonly #named: ReadonlySet<string>;
  readonly #ready: (rule: TableRule) => Rule;
  readonly #capabilities: AnnouncedCapabilities;
  readonly #roles: readonly string[];
  readonly #doubt: Doubt;
  /**
   * Plans by name, then by outcome and role. They remain valid until the announced capabilities
   * change.
   */
  readonly #plans = new Map<string, MessagePlan<Rule>[]>();
  #version = -1;

  constructor(
    { rules, entities = {} }: RuleTable,
    awaited: ReadonlySet<string>,
    { capabilities, doubt, protocol: { roles } }: SessionState,
    ready: (rule: TableRule) => Rule,
  ) {
    this.#doubt = doubt;
    this.#ready = ready;
    this.#capabilities = capabilities;
    this.#roles = roles;
    this.#rules = rules.filter(({ end }) => end === undefined);
    this.#turns = Object.entries(entities).flatMap(([entity, { begins, ends = [] }]) => [
      ...begins.map((turn) => ({ entity, turn, isEnd: false })),
      ...ends.map((turn) => ({ entity, turn, isEnd: true })),
    ]);
    this.#awaited = awaited;
    const selectors = [
      ...awaited,
      ...this.#rules.flatMap(selectorsIn),
      ...this.#turns.flatMap(({ turn }) => listOf(turn.message)),
    ];
    this.#named = new Set(selectors.map(nameIn));
  }

  planOf(message: JudgedMessage): MessagePlan<Rule> {
    const { kind, name = "", hasFailed, from } = message;
    const { version } = this.#capabilities;
    if (version !== this.#version) {
      this.#version = version;
      this.#plans.clear();
    }
    const key = this.#named.has(name) ? name : "*";
    let plans = this.#plans.get(key);
    if (plans === undefined) this.#plans.set(key, (plans = []));
    const outcome = kind === "request" ? 0 : kind === "event" ? 1 : hasFailed ? 2 : 3;
    return (plans[outcome * 2 + this.#roles.indexOf(from)] ??= this.#make(message));
  }

  #make(message: JudgedMessage): MessagePlan<Rule> {
    const { from } = message;
    const selectors = selectorsOf(message);
    const rules = this.#rules.flatMap((rule) => {
      if (rule.from !== undefined && rule.from !== from) return [];
      if (!isSelected(rule.message === undefined ? undefined : selectorsIn(rule), selectors))
        return [];
      this.#doubt.reset();
      if (!this.#capabilities.areMet(rule.capabilities, this.#doubt)) return [];
      return [{ rule, ready: this.#ready(rule), gap: this.#doubt.gap }];
    });
    return {
      marks: selectors.filter((each) => this.#awaited.has(each)),
      rules: rules.filter(({ rule }) => rule.bytes === undefined && !isTyped(rule)),
      ofBytes: rules.filter(({ rule }) => rule.bytes !== undefined),
      typed: typedPlanOf(rules),
      turns: this.#turns.filter(
        ({ turn }) =>
          (turn.from === undefined || turn.from === from) && isSelected(turn.message, selectors),
      ),
    };
  }
}

/** Lists the selectors of the messages that a rule needs to see. */
function selectorsIn({ message, settled }: TableRule): readonly string[] {
  const own = listOf(message);
  return settled === undefined ? own : [...own, settled.by, ...settled.until];
}

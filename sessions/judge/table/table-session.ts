import { partOf } from "../../../runtime/base/json-pointer.js";
import { placeIn, type JudgedMessage } from "../state/judged-message.js";
import type { Fact, Gap } from "../state/knowledge.js";
import { pointerOf, type PartPath } from "../state/part-path.js";
import type { SessionState } from "../state/session-state.js";
import { MessagePlans, type PlannedRule } from "./message-plans.js";
import { placeOfReady, readyTestsOf, type ReadyTest } from "./property-tests.js";
import { valueAt } from "./property-path.js";
import { conditionsOf, pastConditions, type Condition } from "./rule-conditions.js";
import { needsIn } from "./rule-needs.js";
import { createRuleCheck, type RuleCheck } from "./rule-subjects.js";
import type { PropertyTests, RuleTable, TableRule } from "./rule-table.js";
import { listOf } from "./selectors.js";
import type { TableFinding } from "./table-finding.js";
import { TableState } from "./table-state.js";
import { TypedRules, type TypedPlan } from "./typed-rules.js";

/** A rule that has been prepared for checking messages. */
interface ReadyRule {
  readonly rule: TableRule;
  readonly conditions: readonly Condition[];
  readonly check: RuleCheck;
  /** The facts about the session that the rule needs. */
  readonly needs: readonly Fact[];
  readonly outside: RegExp | undefined;
  /** Groups of tests. Each group that holds is a separate finding. */
  readonly tests: readonly ReadyTests[];
  /**
   * The latest message for which `base` was computed. For any other message, `base` is recomputed.
   */
  triedWith: JudgedMessage | undefined;
  base: Base;
}

interface ReadyTests {
  readonly source: PropertyTests;
  readonly tests: readonly ReadyTest[];
}

/**
 * Whether a rule applies to a message. `gap` is an unknown fact that may prevent the rule from
 * applying. `other` means that the rule does not apply.
 */
type Base = { readonly gap: Gap | undefined } | "other";

/** Judges a session against a table of rules, message by message. */
export class TableSession {
  readonly #plans: MessagePlans<ReadyRule>;
  readonly #table: RuleTable;
  readonly #rules: ReadonlyMap<TableRule, ReadyRule>;
  readonly #state: TableState;
  readonly #session: SessionState;
  readonly #onFinding: (finding: TableFinding) => void;
  readonly #typed: TypedRules;
  /**
   * The unknown fact that may prevent the current rule from applying. Undefined if it certainly
   * applies.
   */
  #base: Gap | undefined;

  constructor(table: RuleTable, session: SessionState, onFinding: (finding: TableFinding) => void) {
    this.#session = session;
    this.#table = table;
    this.#onFinding = onFinding;
    this.#state = new TableState(table, session);
    this.#typed = new TypedRules(table, session.judged.definitions);
    this.#rules = new Map(table.rules.map((rule) => [rule, this.#ready(rule)]));
    const { awaited } = this.#state.sightings;
    this.#plans = new MessagePlans(table, awaited, session, (rule) => this.#rules.get(rule)!);
  }

  judge(message: JudgedMessage): void {
    this.#state.begin(message);
    const plan = this.#plans.planOf(message);
    for (const planned of plan.rules)
      if (this.#applies(planned, message)) planned.ready.check(message);
    if (message.bytes !== undefined) this.#checkBytes(message, plan.ofBytes);
    this.#checkValues(message, plan.typed);
    this.#state.follow(message, plan);
  }

  /** Checks the rules about the end of the recording and about unanswered requests. */
  end(): void {
    for (const ready of this.#rules.values())
      if (ready.rule.state?.["latency"] !== undefined) this.#findUnanswered(ready);
    const { doubt, capabilities } = this.#session;
    for (const ready of this.#rules.values()) {
      const { rule } = ready;
      if (rule.end === undefined) continue;
      doubt.reset();
      if (!capabilities.areMet(rule.capabilities, doubt)) continue;
      if (!pastConditions(rule, this.#state).every((holds) => holds())) continue;
      const place = this.#state.sightings.placeOf(listOf(rule.after));
      this.#report(ready, { pointer: "", ...(place === undefined ? {} : { place }) });
    }
  }

  #applies({ ready, gap }: PlannedRule<ReadyRule>, message: JudgedMessage): boolean {
    const { doubt } = this.#session;
    doubt.reset(gap);
    for (const holds of ready.conditions) if (!holds(message)) return false;
    this.#base = doubt.gap;
    return true;
  }

  #report(ready: ReadyRule, found: Omit<TableFinding, "rule" | "gap">): void {
    this.#onFinding({ rule: ready.rule, ...found, gap: this.#gapOf(ready) });
  }

  #gapOf({ needs }: ReadyRule): Gap | undefined {
    return this.#session.doubt.gap ?? this.#session.gapOf(needs);
  }

  #ready(rule: TableRule): ReadyRule {
    const ready: ReadyRule = {
      rule,
      conditions: conditionsOf(rule, this.#state),
      check: createRuleCheck(rule, this.#state, {
        test: (value, path) => this.#test(ready, value, path),
        report: (found) => this.#report(ready, found),
      }),
      needs: needsIn(this.#table)(this.#session.protocol).get(rule)!,
      outside: rule.outside === undefined ? undefined : new RegExp(rule.outside),
      tests: (rule.anyOf ?? [rule.test ?? {}]).map((source) => ({
        source,
        tests: readyTestsOf(source),
      })),
      triedWith: undefined,
      base: "other",
    };
    return ready;
  }

  #checkBytes(message: JudgedMessage, rules: readonly PlannedRule<ReadyRule>[]): void {
    for (const planned of rules) {
      if (!this.#applies(planned, message)) continue;
      const { ready } = planned;
      const quirks = listOf(ready.rule.bytes);
      for (const { quirk, offset, pointer = "", value } of message.bytes ?? [])
        if (quirks.includes(quirk))
          this.#report(ready, { pointer, value, place: { ...placeIn(message), offset } });
    }
  }

  #checkValues(message: JudgedMessage, plan: TypedPlan<PlannedRule<ReadyRule>>): void {
    this.#typed.visit(message, plan, (planned, value, path) => {
      const { ready } = planned;
      // Whether the rule applies is checked only once the first value is found, because most
      // messages contain none of these values.
      if (ready.triedWith !== message) {
        ready.triedWith = message;
        ready.base = this.#applies(planned, message) ? { gap: this.#base } : "other";
      }
      if (ready.base === "other") return;
      this.#base = ready.base.gap;
      this.#test(ready, value, path);
    });
  }

  #test(ready: ReadyRule, value: unknown, path: PartPath | undefined): void {
    for (const each of ready.tests) this.#testOne(ready, each, value, path);
  }

  #testOne(
    ready: ReadyRule,
    { source, tests }: ReadyTests,
    value: unknown,
    path: PartPath | undefined,
  ): void {
    const { rule, outside } = ready;
    this.#session.doubt.reset(this.#base);
    const place = placeOfReady(tests, value, this.#state);
    // Few values are findings, so locations are determined only after the tests.
    if (place === undefined) return;
    const at = pointerOf(path);
    if (outside?.test(at) === true) return;
    const pointer = at + place;
    const gap = this.#gapOf(ready);
    // Unjudged findings are only counted, so they need no value.
    if (gap !== undefined) return this.#onFinding({ rule, pointer, gap });
    const absent =
      rule.anyOf && Object.keys(source).find((each) => valueAt(value, each) === undefined);
    this.#onFinding({
      rule,
      pointer,
      value: place === "" ? value : partOf(value, place),
      ...(absent === undefined ? {} : { absent }),
    });
  }

  /** Reports requests that have been pending for longer than a rule allows. */
  #findUnanswered(ready: ReadyRule): void {
    const { protocol, requests, doubt } = this.#session;
    const holds = pastConditions(ready.rule, this.#state);
    for (const role of protocol.roles.filter((each) => ready.rule.from !== each))
      for (const request of requests.unanswered(role)) {
        doubt.reset(this.#session.gapOf(["both sides"]));
        this.#state.await(request);
        if (holds.every((each) => each())) this.#report(ready, { pointer: "", place: request });
      }
    this.#state.await(undefined);
  }
}

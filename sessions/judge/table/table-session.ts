import { partOf } from "../../../runtime/base/json-pointer.js";
import { once } from "../../../generator/model/once.js";
import type { Type } from "../../../generator/model/types.js";
import type { JudgedMessage } from "../judged-message.js";
import type { Fact, Gap } from "../knowledge.js";
import { pointerOf, type PartPath } from "../parts-walk.js";
import type { SessionState } from "../session-state.js";
import { holds, pointerOfTests, valueAt } from "./property-tests.js";
import { createRuleCheck, type RuleCheck, type TableFinding } from "./rule-checks.js";
import { needsOf } from "./rule-needs.js";
import type { PropertyTests, RuleTable, TableRule } from "./rule-table.js";
import { isSelected, listOf, nameIn } from "./selectors.js";
import { TableState } from "./table-state.js";

/** A rule that has been prepared for checking messages. */
interface PreparedRule {
  readonly rule: TableRule;
  readonly check: RuleCheck;
  /** Returns the facts about the session that the rule needs. */
  readonly needs: () => readonly Fact[];
  readonly outside: RegExp | undefined;
  /** Groups of tests. Each group that holds is a separate finding. */
  readonly tests: readonly PropertyTests[];
}

/** Judges a session against a table of rules, message by message. */
export class TableSession {
  readonly #rules: readonly PreparedRule[];
  /** The rules for messages, by the messages' sender, kind, outcome and name. */
  readonly #rulesByMessage = new Map<string, readonly PreparedRule[]>();
  /**
   * Names that occur in the table. Messages with any other name have the same rules, because a
   * recording may contain any number of names.
   */
  readonly #names: ReadonlySet<string>;
  readonly #state: TableState;
  readonly #session: SessionState;
  readonly #onFinding: (finding: TableFinding) => void;
  /**
   * The unknown fact that may prevent the current rule from applying. Undefined if it certainly
   * applies.
   */
  #gap: Gap | undefined;

  constructor(table: RuleTable, session: SessionState, onFinding: (finding: TableFinding) => void) {
    this.#session = session;
    this.#onFinding = onFinding;
    this.#state = new TableState(table, session);
    const rules = [
      ...table.rules.filter(({ bytes }) => bytes === undefined),
      ...table.rules.filter(({ bytes }) => bytes !== undefined),
    ];
    this.#rules = rules.map((rule) => this.#prepare(rule, table));
    this.#names = new Set(table.rules.flatMap(selectorsIn).map(nameIn));
  }

  judge(message: JudgedMessage): void {
    this.#state.begin(message);
    const rules = this.#rulesFor(message);
    for (const prepared of rules)
      if (!isAboutTypes(prepared.rule) && this.#applies(prepared, message)) prepared.check(message);
    this.#checkTypes(
      message,
      rules.filter(({ rule }) => isAboutTypes(rule)),
    );
    this.#state.follow(message);
  }

  /** Checks the rules about the end of the recording and about unanswered requests. */
  end(): void {
    for (const prepared of this.#rules)
      if (prepared.rule.state?.["latency"] !== undefined) this.#findUnanswered(prepared);
    const { doubt, capabilities } = this.#session;
    for (const prepared of this.#rules) {
      const { rule } = prepared;
      if (rule.end === undefined) continue;
      doubt.reset();
      if (!capabilities.areMet(rule.capabilities, doubt) || !this.#isTime(rule)) continue;
      const place = this.#state.sightings.placeOf(listOf(rule.after));
      this.#report(prepared, { pointer: "", place });
    }
  }

  #prepare(rule: TableRule, table: RuleTable): PreparedRule {
    const prepared: PreparedRule = {
      rule,
      check: createRuleCheck(rule, {
        state: this.#state,
        test: (value, path) => this.#test(prepared, value, path),
        report: (finding) => this.#report(prepared, finding),
      }),
      needs: once(() => needsOf(rule, table, this.#session.protocol)),
      outside: rule.outside === undefined ? undefined : new RegExp(rule.outside),
      tests: rule.anyOf ?? [rule.test ?? {}],
    };
    return prepared;
  }

  #rulesFor(message: JudgedMessage): readonly PreparedRule[] {
    const { from, kind, hasFailed, name = "" } = message;
    const key = `${from} ${kind} ${hasFailed} ${this.#names.has(name) ? name : "*"}`;
    const known = this.#rulesByMessage.get(key);
    if (known !== undefined) return known;
    const rules = this.#rules.filter(({ rule }) => {
      if (rule.end !== undefined || (rule.from !== undefined && rule.from !== from)) return false;
      return rule.message === undefined || isSelected(selectorsIn(rule), message);
    });
    this.#rulesByMessage.set(key, rules);
    return rules;
  }

  /**
   * Returns whether a rule applies to a message, or may apply because a fact is unknown. In the
   * latter case, adds the reason to the session's doubt.
   */
  #applies({ rule }: PreparedRule, message: JudgedMessage): boolean {
    const { doubt, capabilities } = this.#session;
    const state = this.#state;
    doubt.reset();
    if (rule.capabilities !== undefined && !capabilities.areMet(rule.capabilities, doubt))
      return false;
    if (rule.if !== undefined && !holds(rule.if, message.body, state)) return false;
    if (rule.asked !== undefined)
      if (state.asked === undefined || !holds(rule.asked, state.asked, state)) return false;
    if (!this.#isTime(rule)) return false;
    this.#gap = doubt.gap;
    return true;
  }

  /** Returns whether a rule applies in the current state of the session. */
  #isTime({ before, after, afterAll, since, once, message, during, state }: TableRule): boolean {
    const { sightings } = this.#state;
    if (before !== undefined && sightings.hasAny(before, since)) return false;
    if (after !== undefined && !sightings.hasAny(listOf(after), since)) return false;
    if (afterAll !== undefined && !sightings.hasAll(afterAll)) return false;
    if (once === true && !sightings.hasAny(listOf(message), since)) return false;
    if (during !== undefined && !sightings.isPending(during)) return false;
    return state === undefined || holds(state, this.#state, this.#state);
  }

  /** Checks the rules about values of certain types, wherever they occur in the message. */
  #checkTypes(message: JudgedMessage, rules: readonly PreparedRule[]): void {
    const { definition, fields } = message;
    if (definition === undefined || rules.length === 0) return;
    // Whether a rule applies is determined only once a value is found, because most messages contain
    // none.
    const gaps = new Map<PreparedRule, Gap | undefined | "other">();
    const test = (prepared: PreparedRule, value: unknown, path: PartPath | undefined): void => {
      if (!gaps.has(prepared))
        gaps.set(prepared, this.#applies(prepared, message) ? this.#gap : "other");
      const gap = gaps.get(prepared);
      if (gap === "other") return;
      this.#gap = gap;
      this.#test(prepared, value, path);
    };
    this.#session.judged.parts.visit(definition, fields, {
      object: (name, value, path) => {
        for (const prepared of rules)
          if (prepared.rule.definition === name) test(prepared, value, path);
      },
      value: (type, value, path) => {
        for (const prepared of rules)
          if (isEvery(prepared.rule, type, value)) test(prepared, value, path);
      },
    });
  }

  #test({ rule, tests, outside, needs }: PreparedRule, value: unknown, path?: PartPath): void {
    const { doubt } = this.#session;
    for (const group of tests) {
      doubt.reset(this.#gap);
      const place = pointerOfTests(group, value, this.#state);
      // Few values are findings, so locations are determined only after the tests.
      if (place === undefined) continue;
      const pointer = pointerOf(path);
      if (outside?.test(pointer) === true) continue;
      this.#onFinding({
        rule,
        pointer: pointer + place,
        value: place === "" ? value : partOf(value, place),
        absent: rule.anyOf && Object.keys(group).find((name) => valueAt(value, name) === undefined),
        gap: doubt.gap ?? this.#session.gapOf(needs()),
      });
    }
  }

  #report({ rule, needs }: PreparedRule, finding: Omit<TableFinding, "rule" | "gap">): void {
    const gap = this.#session.doubt.gap ?? this.#session.gapOf(needs());
    this.#onFinding({ rule, ...finding, gap });
  }

  /** Reports requests that have been pending for longer than a rule allows. */
  #findUnanswered(prepared: PreparedRule): void {
    const { protocol, requests, doubt } = this.#session;
    const { rule } = prepared;
    for (const role of protocol.roles.filter((sender) => rule.from !== sender))
      for (const request of requests.unanswered(role)) {
        doubt.reset(this.#session.gapOf(["both sides"]));
        this.#state.await(request);
        if (this.#isTime(rule)) this.#report(prepared, { pointer: "", place: request });
      }
    this.#state.await(undefined);
  }
}

/** Lists the selectors of the messages that a rule needs to see. */
function selectorsIn({
  message,
  settled,
  latestFirst,
  delay,
  unchanged,
  carried,
}: TableRule): readonly string[] {
  return [
    ...listOf(message),
    ...listOf(latestFirst?.message),
    ...listOf(delay?.after),
    ...listOf(unchanged?.lists),
    ...listOf(carried?.message),
    ...(settled === undefined ? [] : [...settled.by.map((each) => each.message), ...settled.until]),
  ];
}

/** Returns whether a rule is about values of certain types, wherever they occur in a message. */
function isAboutTypes({ definition, every }: TableRule): boolean {
  return definition !== undefined || every !== undefined;
}

/** Returns whether a rule is about every value like this one. */
function isEvery({ every, definition }: TableRule, type: Type, value: unknown): boolean {
  if (definition !== undefined) return false;
  if (every === "number") return typeof value === "number";
  return (
    every === "unlisted" &&
    type.kind === "enum" &&
    typeof value === "string" &&
    !type.values.some((allowed) => allowed.value === value)
  );
}

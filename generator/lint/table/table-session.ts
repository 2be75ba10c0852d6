import { partOf } from "../../../runtime/base/json-pointer.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { placeIn } from "../state/read-message.js";
import type { Fact, Gap } from "../state/knowledge.js";
import type { SessionState } from "../state/session-state.js";
import { AskedParameters } from "./asked-parameters.js";
import { isAtEnd, MessagePlans, type PlannedRule } from "./message-plans.js";
import {
  placeOfReady,
  placeOfTests,
  readyTestsOf,
  type IdContext,
  type ReadyTest,
} from "./property-tests.js";
import { valueAt } from "./property-path.js";
import { ReferencePlaces } from "./reference-places.js";
import { conditionsOf, pastConditions, type Condition } from "./rule-conditions.js";
import { needsOf } from "./rule-needs.js";
import { lookOf, type Look } from "./rule-subjects.js";
import type { PropertyTests, RuleTable, TableRule } from "./rule-table.js";
import { listOf } from "./selectors.js";
import { SessionEntities } from "./session-entities.js";
import { Sightings } from "./sightings.js";
import { Suspension } from "./suspension.js";
import type { TableFinding } from "./table-finding.js";
import { TypedRules } from "./typed-rules.js";

/** A rule that was made ready to be tried with each message. */
interface ReadyRule {
  readonly rule: TableRule;
  readonly conditions: readonly Condition[];
  readonly look: Look;
  /** What it has to know of the session. */
  readonly needs: readonly Fact[];
  readonly outside: RegExp | undefined;
  /** Each by itself has to be met. */
  readonly tests: readonly ReadyTests[];
}

interface ReadyTests {
  readonly source: PropertyTests;
  readonly tests: readonly ReadyTest[];
}

/** Judges a session by a table of rules, a message after the other. */
export class TableSession {
  readonly #plans: MessagePlans<ReadyRule>;
  readonly #table: RuleTable;
  readonly #rules: ReadonlyMap<TableRule, ReadyRule>;
  readonly #atEnd: readonly TableRule[];
  /** Rules of answers that are late. */
  readonly #late: readonly TableRule[];
  readonly #state: SessionState;
  readonly #onFinding: (finding: TableFinding) => void;
  /** Tests of which each says that only a part of the program runs on. */
  readonly #partial: readonly PropertyTests[];
  readonly #sightings: Sightings;
  readonly #suspension: Suspension;
  readonly #entities: SessionEntities;
  readonly #places: ReferencePlaces;
  readonly #typed: TypedRules;
  readonly #asked: AskedParameters;
  #context: IdContext;
  /** Why the rule that is being tried may not apply. */
  #base: Gap | undefined;
  /** When the latest message came. */
  #time: number | undefined;

  constructor(table: RuleTable, state: SessionState, onFinding: (finding: TableFinding) => void) {
    const { protocol, judged, limit } = state;
    this.#state = state;
    this.#table = table;
    this.#onFinding = onFinding;
    this.#partial = Object.entries(table.partial ?? {}).map(([path, test]) => ({ [path]: test }));
    this.#sightings = new Sightings(table);
    this.#atEnd = table.rules.filter(isAtEnd);
    this.#late = table.rules.filter(({ laterThan }) => laterThan !== undefined);
    this.#suspension = new Suspension(protocol, limit);
    this.#places = new ReferencePlaces(protocol, judged.fields, referenceKinds(table));
    this.#asked = new AskedParameters(table, limit);
    const placeOf = (tests: PropertyTests, value: unknown): string | undefined =>
      placeOfTests(tests, value, this.#context);
    this.#entities = new SessionEntities(
      table,
      limit,
      this.#suspension,
      this.#places,
      placeOf,
      () => state.gapOf(["start"]),
    );
    this.#typed = new TypedRules(table, judged.definitions);
    this.#rules = new Map(table.rules.map((rule) => [rule, this.#ready(rule, placeOf)]));
    const { awaited } = this.#sightings;
    this.#plans = new MessagePlans(table, awaited, state, (rule) => this.#rules.get(rule)!);
    this.#context = this.#contextOf("", undefined);
  }

  judge(message: JudgedMessage): void {
    this.#time = message.time ?? this.#time;
    const asked = message.kind === "response" ? this.#asked.of(message) : undefined;
    this.#context = this.#contextOf(message.from, asked);
    const plan = this.#plans.planOf(message);
    for (const planned of plan.rules)
      if (this.#applies(planned, message)) planned.ready.look(message);
    if (message.bytes !== undefined) this.#lookAtBytes(message, plan.ofBytes);
    if (plan.typed.length > 0 && this.#typed.concerns(message, plan.typed))
      this.#lookAtValues(message, plan.typed);
    this.#entities.follow(message, plan.turns, asked);
    this.#asked.follow(message);
    this.#sightings.follow(message, plan.marks);
    this.#suspension.follow(message, (body) =>
      this.#partial.some((tests) => placeOfTests(tests, body, this.#context) !== undefined),
    );
  }

  /** The recording is over. */
  end(): void {
    for (const rule of this.#late) this.#findUnanswered(rule);
    const { doubt, capabilities } = this.#state;
    const past = { sightings: this.#sightings, suspension: this.#suspension };
    for (const rule of this.#atEnd) {
      doubt.reset();
      if (!capabilities.areMet(rule.flags, doubt)) continue;
      if (!pastConditions(rule, past).every((holds) => holds())) continue;
      const unended = rule.unended === undefined ? 1 : this.#entities.unended(rule.unended);
      if (unended === 0) continue;
      const place = this.#sightings.placeOf(listOf(rule.after));
      const where = place === undefined ? {} : { place };
      this.#report(this.#rules.get(rule)!, { pointer: "", value: unended, ...where });
    }
  }

  #applies({ ready, gap }: PlannedRule<ReadyRule>, message: JudgedMessage): boolean {
    const { doubt } = this.#state;
    doubt.reset(gap);
    for (const holds of ready.conditions) if (!holds(message)) return false;
    this.#base = doubt.gap;
    return true;
  }

  #report({ rule, needs }: ReadyRule, found: Omit<TableFinding, "rule" | "gap">): void {
    const { doubt } = this.#state;
    this.#onFinding({ rule, ...found, gap: doubt.gap ?? this.#state.gapOf(needs) });
  }

  #ready(
    rule: TableRule,
    placeOf: (tests: PropertyTests, value: unknown) => string | undefined,
  ): ReadyRule {
    const tools = {
      sightings: this.#sightings,
      suspension: this.#suspension,
      places: this.#places,
      asked: this.#asked,
      requests: this.#state.requests,
      doubt: this.#state.doubt,
      placeOf,
      test: (value: unknown, at: string): void => this.#test(ready, value, at),
      report: (found: Omit<TableFinding, "rule">): void => this.#report(ready, found),
    };
    const ready: ReadyRule = {
      rule,
      conditions: conditionsOf(rule, tools),
      look: lookOf(rule, tools),
      needs: needsOf(rule, this.#table, this.#state.protocol),
      outside: rule.outside === undefined ? undefined : new RegExp(rule.outside),
      tests: (rule.anyOf ?? [rule.test ?? {}]).map((source) => ({
        source,
        tests: readyTestsOf(source),
      })),
    };
    return ready;
  }

  #contextOf(from: string, asked: unknown): IdContext {
    const { requests, doubt } = this.#state;
    const entities = this.#entities.lives;
    return { entities, from, asked, seen: requests.seenBy(from), doubt };
  }

  #lookAtBytes(message: JudgedMessage, rules: readonly PlannedRule<ReadyRule>[]): void {
    for (const planned of rules) {
      if (!this.#applies(planned, message)) continue;
      const { ready } = planned;
      const habits = listOf(ready.rule.bytes);
      for (const { habit, offset, pointer = "", value } of message.bytes ?? [])
        if (habits.includes(habit))
          this.#report(ready, { pointer, value, place: { ...placeIn(message), offset } });
    }
  }

  #lookAtValues(message: JudgedMessage, rules: readonly PlannedRule<ReadyRule>[]): void {
    const applying = rules.flatMap((planned) =>
      this.#applies(planned, message) ? [{ ...planned.ready, base: this.#base }] : [],
    );
    this.#typed.visit(message, applying, {
      object: (ready, value, place) => {
        this.#base = ready.base;
        this.#test(ready, value, place);
      },
      value: (ready, value, pointer) => {
        this.#state.doubt.reset(ready.base);
        this.#report(ready, { pointer, value });
      },
    });
  }

  #test(ready: ReadyRule, value: unknown, at: string): void {
    for (const each of ready.tests) this.#testOne(ready, each, value, at);
  }

  #testOne(ready: ReadyRule, { source, tests }: ReadyTests, value: unknown, at: string): void {
    const { rule, outside } = ready;
    this.#state.doubt.reset(this.#base);
    const place = placeOfReady(tests, value, this.#context);
    // Few values are found: only then is it worth while to look where they are.
    if (place === undefined || outside?.test(at) === true) return;
    const absent =
      rule.anyOf && Object.keys(source).find((each) => valueAt(value, each) === undefined);
    this.#report(ready, {
      pointer: at + place,
      value: place === "" ? value : partOf(value, place),
      ...(absent === undefined ? {} : { absent }),
    });
  }

  /** Requests that have waited for longer than a rule allows, and still do. */
  #findUnanswered(rule: TableRule): void {
    const { protocol, requests, doubt } = this.#state;
    doubt.reset(this.#state.gapOf(["both sides"]));
    for (const role of protocol.roles.filter(
      (each) => rule.from === undefined || rule.from !== each,
    ))
      for (const request of requests.unanswered(role)) {
        if (request.time === undefined) continue;
        if ((this.#time ?? 0) - request.time <= (rule.laterThan ?? 0)) continue;
        this.#report(this.#rules.get(rule)!, { pointer: "", place: request });
      }
  }
}

/** The references that a table asks for. */
function referenceKinds({ entities = {}, rules }: RuleTable): ReadonlySet<string> {
  const turns = Object.values(entities).flatMap(({ begins, ends = [] }) => [...begins, ...ends]);
  return new Set([
    ...turns.flatMap(({ reference }) => listOf(reference)),
    ...rules.flatMap(({ reference }) => listOf(reference)),
  ]);
}

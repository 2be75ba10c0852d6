import { partOf } from "../../../runtime/base/json-pointer.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { placeIn } from "../state/read-message.js";
import type { SessionState } from "../state/session-state.js";
import { AskedParameters } from "./asked-parameters.js";
import { isAtEnd, MessagePlans } from "./message-plans.js";
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
  /** When the latest message came. */
  #time: number | undefined;

  constructor(table: RuleTable, state: SessionState, onFinding: (finding: TableFinding) => void) {
    const { protocol, judged, limit } = state;
    this.#state = state;
    this.#onFinding = onFinding;
    this.#partial = Object.entries(table.partial ?? {}).map(([path, test]) => ({ [path]: test }));
    this.#sightings = new Sightings(table);
    this.#atEnd = table.rules.filter(isAtEnd);
    this.#late = table.rules.filter(({ laterThan }) => laterThan !== undefined);
    this.#suspension = new Suspension(protocol.conversation, limit);
    this.#places = new ReferencePlaces(protocol, judged.fields, referenceKinds(table));
    this.#asked = new AskedParameters(table, limit);
    const placeOf = (tests: PropertyTests, value: unknown): string | undefined =>
      placeOfTests(tests, value, this.#context);
    this.#entities = new SessionEntities(table, limit, this.#suspension, this.#places, placeOf);
    this.#typed = new TypedRules(table, judged.definitions);
    const ready = new Map(table.rules.map((rule) => [rule, this.#ready(rule, placeOf)]));
    const { awaited } = this.#sightings;
    this.#plans = new MessagePlans(table, awaited, state, (rule) => ready.get(rule)!);
    this.#context = this.#contextOf("", undefined);
  }

  judge(message: JudgedMessage): void {
    this.#time = message.time ?? this.#time;
    const asked = message.kind === "response" ? this.#asked.of(message) : undefined;
    this.#context = this.#contextOf(message.from, asked);
    const plan = this.#plans.planOf(message);
    for (const ready of plan.rules) if (applies(ready, message)) ready.look(message);
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

  /** The session is over. */
  end(): void {
    for (const rule of this.#late) this.#findUnanswered(rule);
    const { extent, capabilities } = this.#state;
    if (extent !== "whole") return;
    const past = {
      state: this.#state,
      sightings: this.#sightings,
      suspension: this.#suspension,
    };
    for (const rule of this.#atEnd) {
      if (!capabilities.areMet(rule.flags)) continue;
      if (!pastConditions(rule, past).every((holds) => holds())) continue;
      const unended = rule.unended === undefined ? 1 : this.#entities.unended(rule.unended);
      if (unended === 0) continue;
      const place = this.#sightings.placeOf(listOf(rule.after));
      const where = place === undefined ? {} : { place };
      this.#onFinding({ rule, pointer: "", value: unended, ...where });
    }
  }

  #ready(
    rule: TableRule,
    placeOf: (tests: PropertyTests, value: unknown) => string | undefined,
  ): ReadyRule {
    const tools = {
      state: this.#state,
      sightings: this.#sightings,
      suspension: this.#suspension,
      places: this.#places,
      asked: this.#asked,
      placeOf,
      test: (value: unknown, at: string): void => this.#test(ready, value, at),
      report: (found: Omit<TableFinding, "rule">): void => this.#onFinding({ rule, ...found }),
    };
    const ready: ReadyRule = {
      rule,
      conditions: conditionsOf(rule, tools),
      look: lookOf(rule, tools),
      outside: rule.outside === undefined ? undefined : new RegExp(rule.outside),
      tests: (rule.anyOf ?? [rule.test ?? {}]).map((source) => ({
        source,
        tests: readyTestsOf(source),
      })),
    };
    return ready;
  }

  #contextOf(from: string, asked: unknown): IdContext {
    const { extent, requests } = this.#state;
    const entities = this.#entities.lives;
    return { entities, from, asked, seen: requests.seenBy(from), isWhole: extent === "whole" };
  }

  #lookAtBytes(message: JudgedMessage, rules: readonly ReadyRule[]): void {
    for (const ready of rules) {
      if (!applies(ready, message)) continue;
      const { rule } = ready;
      const habits = listOf(rule.bytes);
      for (const { habit, offset, pointer = "", value } of message.bytes ?? [])
        if (habits.includes(habit))
          this.#onFinding({ rule, pointer, value, place: { ...placeIn(message), offset } });
    }
  }

  #lookAtValues(message: JudgedMessage, rules: readonly ReadyRule[]): void {
    const applying = rules.filter((ready) => applies(ready, message));
    this.#typed.visit(message, applying, {
      object: (ready, value, place) => this.#test(ready, value, place),
      value: ({ rule }, value, pointer) => this.#onFinding({ rule, pointer, value }),
    });
  }

  #test(ready: ReadyRule, value: unknown, at: string): void {
    for (const each of ready.tests) this.#testOne(ready, each, value, at);
  }

  #testOne(
    { rule, outside }: ReadyRule,
    { source, tests }: ReadyTests,
    value: unknown,
    at: string,
  ): void {
    const place = placeOfReady(tests, value, this.#context);
    // Few values are found: only then is it worth while to look where they are.
    if (place === undefined || outside?.test(at) === true) return;
    const absent =
      rule.anyOf && Object.keys(source).find((each) => valueAt(value, each) === undefined);
    this.#onFinding({
      rule,
      pointer: at + place,
      value: place === "" ? value : partOf(value, place),
      ...(absent === undefined ? {} : { absent }),
    });
  }

  /** Requests that have waited for longer than a rule allows, and still do. */
  #findUnanswered(rule: TableRule): void {
    if (this.#state.isOneSided) return;
    const { roles } = this.#state.protocol;
    for (const role of roles.filter((each) => rule.from === undefined || rule.from !== each))
      for (const request of this.#state.requests.of(role)) {
        if (request.isAnswered || request.time === undefined) continue;
        if ((this.#time ?? 0) - request.time <= (rule.laterThan ?? 0)) continue;
        this.#onFinding({ rule, pointer: "", place: request });
      }
  }
}

function applies({ conditions }: ReadyRule, message: JudgedMessage): boolean {
  for (const holds of conditions) if (!holds(message)) return false;
  return true;
}

/** The references that a table asks for. */
function referenceKinds({ entities = {}, rules }: RuleTable): ReadonlySet<string> {
  const turns = Object.values(entities).flatMap(({ begins, ends = [] }) => [...begins, ...ends]);
  return new Set([
    ...turns.flatMap(({ reference }) => listOf(reference)),
    ...rules.flatMap(({ reference }) => listOf(reference)),
  ]);
}

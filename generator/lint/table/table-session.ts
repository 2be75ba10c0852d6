import { partOf } from "../../../runtime/base/json-pointer.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { EntryPlace, JudgedMessage } from "../state/judged-message.js";
import type { SessionState } from "../state/session-state.js";
import { EntityLives } from "./entity-lives.js";
import { expectedCount, itemsAt, repeatedItems, unsortedItems } from "./list-checks.js";
import { patternOf, placeOfTests, type IdContext } from "./property-tests.js";
import { isAtEnd, MessagePlans, type MessagePlan } from "./message-plans.js";
import { valueAt } from "./property-path.js";
import { ReferencePlaces } from "./reference-places.js";
import type { PropertyTests, RuleTable, TableRule, Turn } from "./rule-table.js";
import { listOf } from "./selectors.js";
import { Sightings } from "./sightings.js";
import { placeIn } from "../state/read-message.js";
import { Suspension } from "./suspension.js";
import { TypedRules } from "./typed-rules.js";

/** What a rule of a table found. */
export interface TableFinding {
  readonly rule: TableRule;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly value?: unknown;
  /** Path of a property that should be there. */
  readonly absent?: string;
  /** Default: the message that is judged. */
  readonly place?: EntryPlace;
}

/** Judges a session by a table of rules, a message after the other. */
export class TableSession {
  readonly #plans: MessagePlans;
  readonly #atEnd: readonly TableRule[];
  /** Rules of answers that are late. */
  readonly #late: readonly TableRule[];
  readonly #state: SessionState;
  readonly #onFinding: (finding: TableFinding) => void;
  readonly #partial: PropertyTests | undefined;
  readonly #sightings: Sightings;
  readonly #suspension: Suspension;
  readonly #entities: ReadonlyMap<string, EntityLives>;
  readonly #places: ReferencePlaces;
  readonly #typed: TypedRules;
  /** By rule and number of a request, how many items its answer should have. */
  readonly #counts = new Map<TableRule, LatestEntries<number, number>>();
  #context: IdContext;
  /** When the latest message came. */
  #time: number | undefined;

  constructor(table: RuleTable, state: SessionState, onFinding: (finding: TableFinding) => void) {
    const { protocol, judged, limit } = state;
    this.#state = state;
    this.#onFinding = onFinding;
    this.#partial = table.partial;
    this.#sightings = new Sightings(table);
    this.#plans = new MessagePlans(table, this.#sightings.awaited);
    this.#atEnd = table.rules.filter(isAtEnd);
    this.#late = table.rules.filter(({ laterThan }) => laterThan !== undefined);
    this.#suspension = new Suspension(protocol.conversation, limit);
    this.#entities = new Map(
      Object.entries(table.entities ?? {}).map(([name, entity]) => [
        name,
        new EntityLives(entity, limit, this.#suspension),
      ]),
    );
    this.#places = new ReferencePlaces(protocol, judged.fields, referenceKinds(table));
    this.#typed = new TypedRules(table, judged.definitions);
    for (const rule of table.rules)
      if (rule.count !== undefined) this.#counts.set(rule, new LatestEntries(limit));
    this.#context = { entities: this.#entities, from: "", seen: 0, isWhole: false };
  }

  judge(message: JudgedMessage): void {
    const { from } = message;
    this.#time = message.time ?? this.#time;
    const { isWhole, requests } = this.#state;
    this.#context = { entities: this.#entities, from, seen: requests.seenBy(from), isWhole };
    const plan = this.#plans.planOf(message);
    for (const rule of plan.rules)
      if (rule.count !== undefined) this.#count(rule, message);
      else if (this.#applies(rule, message)) this.#look(rule, message);
    if (message.bytes !== undefined) this.#lookAtBytes(message, plan.ofBytes);
    if (plan.typed.length > 0) this.#lookAtValues(message, plan.typed);
    this.#follow(message, plan);
  }

  /** The session is over. */
  end(): void {
    for (const rule of this.#late) this.#findUnanswered(rule);
    if (!this.#state.isWhole) return;
    for (const rule of this.#atEnd) {
      if (!this.#holds(rule)) continue;
      const unended =
        rule.unended === undefined ? 1 : (this.#entities.get(rule.unended)?.unended ?? 0);
      if (unended === 0) continue;
      const place = this.#sightings.placeOf(listOf(rule.after));
      const where = place === undefined ? {} : { place };
      this.#onFinding({ rule, pointer: "", value: unended, ...where });
    }
  }

  #applies(rule: TableRule, message: JudgedMessage): boolean {
    if (rule.custom === true && message.definition !== undefined) return false;
    if (rule.if !== undefined && this.#placeOf(rule.if, bodyOf(message)) === undefined)
      return false;
    return this.#holds(rule);
  }

  /** The conditions of a rule that hang on what came before. */
  #holds(rule: TableRule): boolean {
    const { before, after, since } = rule;
    const seen = this.#sightings;
    if (before !== undefined && (!this.#state.isWhole || seen.hasAny(before, since))) return false;
    if (after !== undefined && !seen.hasAny(listOf(after), since)) return false;
    if (rule.afterAll !== undefined && !seen.hasAll(rule.afterAll)) return false;
    if (rule.once === true && !seen.hasAny(listOf(rule.message), since)) return false;
    if (rule.during !== undefined && !seen.isPending(rule.during)) return false;
    if (rule.while !== undefined && this.#suspension.isRunning !== (rule.while === "running"))
      return false;
    const { flags } = rule;
    for (const flag in flags) if (!this.#state.capabilities.isMet(flag, flags[flag]!)) return false;
    return true;
  }

  #lookAtBytes(message: JudgedMessage, rules: readonly TableRule[]): void {
    for (const rule of rules.filter((each) => this.#applies(each, message))) {
      const habits = listOf(rule.bytes);
      for (const { habit, offset, pointer = "", value } of message.bytes ?? [])
        if (habits.includes(habit))
          this.#onFinding({ rule, pointer, value, place: { ...placeIn(message), offset } });
    }
  }

  #lookAtValues(message: JudgedMessage, rules: readonly TableRule[]): void {
    const applying = rules.filter((rule) => this.#applies(rule, message));
    this.#typed.visit(message, applying, {
      object: (rule, value, place) => this.#test(rule, value, place),
      value: (rule, value, pointer) => this.#onFinding({ rule, pointer, value }),
    });
  }

  /** What a rule looks at in a message to which it applies. */
  #look(rule: TableRule, message: JudgedMessage): void {
    const { fields, kind, mismatch, request, latency } = message;
    const at = `/${message.payloadField}`;
    const body = bodyOf(message);
    if (rule.envelope !== undefined) {
      const place = this.#placeOf(rule.envelope, fields);
      if (place !== undefined) this.#onFinding({ rule, pointer: place });
    } else if (rule.stray === true) {
      if (kind === "response" && mismatch !== undefined) this.#onFinding({ rule, pointer: "" });
    } else if (rule.laterThan !== undefined) {
      if (request?.isAnswered === false && (latency ?? 0) > rule.laterThan)
        this.#onFinding({ rule, pointer: "" });
    } else if (rule.reference !== undefined) {
      for (const kind of listOf(rule.reference))
        for (const { value, pointer } of this.#places.of(message, kind))
          if (rule.outside === undefined || !patternOf(rule.outside).test(pointer))
            this.#test(rule, value, pointer);
    } else if (rule.distinct !== undefined)
      for (const { value, place } of repeatedItems(rule.distinct, body))
        this.#onFinding({ rule, pointer: at + place, value });
    else if (rule.sorted !== undefined)
      for (const { value, place } of unsortedItems(rule.sorted, body))
        this.#onFinding({ rule, pointer: at + place, value });
    else if (rule.each !== undefined)
      for (const { value, place } of itemsAt(body, rule.each)) this.#test(rule, value, at + place);
    else if (rule.test !== undefined || rule.anyOf !== undefined) {
      // A failure holds no result.
      if (!message.hasFailed) this.#test(rule, body, at);
    } else this.#onFinding({ rule, pointer: "" });
  }

  #test(rule: TableRule, value: unknown, at: string): void {
    for (const tests of rule.anyOf ?? [rule.test ?? {}]) {
      const place = this.#placeOf(tests, value);
      if (place === undefined) continue;
      const path = place.slice(1);
      const absent =
        rule.anyOf && Object.keys(tests).find((each) => valueAt(value, each) === undefined);
      this.#onFinding({
        rule,
        pointer: at + place,
        value: path === "" ? value : partOf(value, place),
        ...(absent === undefined ? {} : { absent }),
      });
    }
  }

  /** Compares the items of an answer with what its request asked for. */
  #count(rule: TableRule, message: JudgedMessage): void {
    const count = rule.count!;
    const body = bodyOf(message);
    const counts = this.#counts.get(rule)!;
    if (message.kind === "request") {
      const expected = expectedCount(count, body);
      if (expected !== undefined) counts.set(message.index, expected);
      return;
    }
    const expected = counts.get(message.request?.index ?? 0);
    const list = valueAt(body, count.each);
    if (message.hasFailed || expected === undefined || !Array.isArray(list)) return;
    const isWrong = count.most === true ? list.length > expected : list.length !== expected;
    if (!isWrong || (count.most === true && expected === 0)) return;
    const pointer = `/${message.payloadField}/${count.each}`;
    this.#onFinding({ rule, pointer, value: `${list.length} instead of ${expected}` });
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

  /** What a message changes. */
  #follow(message: JudgedMessage, { marks, turns }: MessagePlan): void {
    const { index, from } = message;
    for (const { entity, turn, isEnd } of turns) {
      const lives = this.#entities.get(entity)!;
      for (const id of this.#idsOf(turn, message))
        if (isEnd) lives.end(id, index, from);
        else lives.begin(id, index);
    }
    this.#sightings.follow(message, marks);
    this.#suspension.follow(message, (body) =>
      Object.entries(this.#partial ?? {}).some(
        ([path, test]) => this.#placeOf({ [path]: test }, body) !== undefined,
      ),
    );
  }

  /** The ids that a message gives or takes. */
  #idsOf(turn: Turn, message: JudgedMessage): readonly unknown[] {
    if (turn.reference !== undefined)
      return this.#places.of(message, turn.reference).map(({ value }) => value);
    if (turn.own !== undefined) return [message.fields[turn.own]];
    if (message.hasFailed) return [];
    const body = bodyOf(message);
    if (turn.if !== undefined && this.#placeOf(turn.if, body) === undefined) return [];
    const { each, whose, id = "" } = turn;
    const items = each === undefined ? [body] : itemsAt(body, each).map(({ value }) => value);
    return items
      .filter((item) => whose === undefined || this.#placeOf(whose, item) !== undefined)
      .map((item) => valueAt(item, id))
      .filter((found) => found !== undefined);
  }

  #placeOf(tests: PropertyTests, value: unknown): string | undefined {
    return placeOfTests(tests, value, this.#context);
  }
}

function bodyOf({ fields, payloadField }: JudgedMessage): unknown {
  return fields[payloadField] ?? {};
}

/** The references that a table asks for. */
function referenceKinds({ entities = {}, rules }: RuleTable): ReadonlySet<string> {
  const turns = Object.values(entities).flatMap(({ begins, ends = [] }) => [...begins, ...ends]);
  return new Set([
    ...turns.flatMap(({ reference }) => listOf(reference)),
    ...rules.flatMap(({ reference }) => listOf(reference)),
  ]);
}

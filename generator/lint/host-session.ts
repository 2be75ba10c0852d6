import type { Definition } from "../model/types.js";
import { isObject } from "../../runtime/index.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { rememberedKey } from "../session/remembered.js";
import { walkTyped, type Fields } from "../session/typed-walk.js";
import type { HostRule, HostTable, HostTest, HostTests, HostTurn } from "./host-table.js";
import type { LintFinding } from "./rules.js";
import type { JudgedMessage } from "./state/judged-message.js";

interface HostOptions {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** How many ids of each entity are remembered. */
  readonly limit: number;
  readonly onFinding: (
    rule: Required<Pick<LintFinding, "rule" | "severity" | "outcome">>,
    pointer: string,
    text: string,
  ) => void;
}

/** Judges a session by what a host makes of it. */
export class HostSession {
  readonly #table: HostTable;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #onFinding: HostOptions["onFinding"];
  /** Ids of what is there, by entity. */
  readonly #alive = new Map<string, LatestEntries<unknown, true>>();
  /** Messages that a rule waits for, and those of them that have come. */
  readonly #awaited: ReadonlySet<string | undefined>;
  readonly #seen = new Set<string>();

  constructor(table: HostTable, { definitions, limit, onFinding }: HostOptions) {
    this.#table = table;
    this.#definitions = definitions;
    this.#onFinding = onFinding;
    this.#awaited = new Set(table.rules.map(({ after }) => after));
    for (const name of Object.keys(table.entities ?? {}))
      this.#alive.set(name, new LatestEntries(limit));
  }

  judge(message: JudgedMessage): void {
    for (const rule of this.#table.rules)
      if (rule.from === undefined || rule.from === message.from) this.#apply(rule, message);
    this.#follow(message);
    const seen = `${message.kind} ${message.name ?? ""}`;
    if (this.#awaited.has(seen)) this.#seen.add(seen);
  }

  #apply(rule: HostRule, message: JudgedMessage): void {
    const { fields, kind, definition, mismatch, request, latency } = message;
    const report = (pointer = ""): void => this.#report(rule, pointer);
    if (rule.message !== undefined && !isNamed(rule.message, message)) return;
    if (rule.custom === true && definition !== undefined) return;
    if (rule.after !== undefined) {
      if (this.#seen.has(rule.after)) report();
    } else if (rule.stray === true) {
      if (kind === "response" && mismatch !== undefined) report();
    } else if (rule.laterThan !== undefined) {
      const isFirst = request?.isAnswered === false;
      if (isFirst && latency !== undefined && latency > rule.laterThan) report();
    } else if (rule.envelope !== undefined) {
      const place = this.#holds(rule.envelope, fields);
      if (place !== undefined) report(place);
    } else if (rule.numbers !== undefined || rule.unlisted !== undefined)
      this.#values(rule, message);
    else if (rule.definition !== undefined) this.#objects(rule, message);
    else if (rule.test !== undefined || rule.anyOf !== undefined) {
      const body = fields[message.payloadField];
      // A failure holds no result.
      if (message.hasFailed) return;
      const value = isObject(body) ? body : {};
      for (const tests of rule.anyOf ?? [rule.test!]) {
        const place = this.#holds(tests, value);
        if (place === undefined) continue;
        const absent = Object.keys(tests).find((path) => partOf(value, `/${path}`) === undefined);
        this.#report(rule, `/${message.payloadField}${place}`, rule.anyOf && absent);
      }
    } else report();
  }

  /** @param absent What a message would need to hold. */
  #report({ id, outcome, docs }: HostRule, pointer: string, absent?: string): void {
    const { severity, docs: effect } = this.#table.outcomes[outcome]!;
    const what = absent === undefined ? docs : docs.replace(/\.$/, () => `: ${absent}.`);
    this.#onFinding({ rule: id, severity, outcome }, pointer, `${what} ${effect}`);
  }

  /** Rules about every number, or every text of an enumeration. */
  #values({ numbers, unlisted, ...rule }: HostRule, message: JudgedMessage): void {
    if (message.definition === undefined) return;
    walkTyped(this.#definitions, { kind: "reference", name: message.definition }, message.fields, {
      value: (type, value, place) => {
        const isOutside =
          numbers !== undefined &&
          typeof value === "number" &&
          (value < numbers.least || value > numbers.greatest);
        const isUnlisted =
          unlisted !== undefined &&
          type.kind === "enum" &&
          typeof value === "string" &&
          unlisted.except?.includes(place) !== true &&
          !type.values.some((each) => each.value === value);
        if (isOutside || isUnlisted) this.#report(rule, place);
      },
    });
  }

  /** Rules about objects of a definition. */
  #objects(rule: HostRule, message: JudgedMessage): void {
    if (message.definition === undefined) return;
    if (rule.within !== undefined && !rule.within.some((each) => isNamed(each, message))) return;
    walkTyped(this.#definitions, { kind: "reference", name: message.definition }, message.fields, {
      object: (definition, value, place) => {
        if (definition !== rule.definition) return;
        const found = this.#holds(rule.test!, value);
        if (found !== undefined) this.#report(rule, place + found);
      },
    });
  }

  /** Place of the last property that is tested, if all tests hold. */
  #holds(tests: HostTests, value: Fields): string | undefined {
    let place = "";
    for (const [path, test] of Object.entries(tests)) {
      const each = partOf(value, `/${path}`);
      if (!this.#isTrue(test, each)) return undefined;
      place = each === undefined ? "" : `/${path}`;
    }
    return place;
  }

  #isTrue(test: HostTest, value: unknown): boolean {
    if (test.present !== undefined) return test.present === (value !== undefined);
    if (value === undefined) return test.orAbsent === true;
    if (test.is !== undefined) return test.is.includes(value);
    if (test.isNot !== undefined) return !test.isNot.includes(value);
    if (test.unlike !== undefined)
      return typeof value === "string" && !new RegExp(test.unlike).test(value);
    if (test.known !== undefined) return this.#isAlive(test.known, value);
    return test.unknown !== undefined && !this.#isAlive(test.unknown, value);
  }

  #isAlive(entity: string, id: unknown): boolean {
    return this.#alive.get(entity)?.get(rememberedKey(id)) === true;
  }

  /** What comes and goes with a message. */
  #follow(message: JudgedMessage): void {
    for (const [name, { begins, ends = [] }] of Object.entries(this.#table.entities ?? {})) {
      const alive = this.#alive.get(name)!;
      for (const turn of begins) for (const id of this.#idsOf(turn, message)) alive.set(id, true);
      for (const turn of ends) for (const id of this.#idsOf(turn, message)) alive.delete(id);
    }
  }

  #idsOf(turn: HostTurn, message: JudgedMessage): readonly unknown[] {
    const body = message.fields[message.payloadField];
    if (!isNamed(turn.message, message) || !isObject(body)) return [];
    if (turn.if !== undefined && this.#holds(turn.if, body) === undefined) return [];
    const list = turn.each === undefined ? [body] : partOf(body, `/${turn.each}`);
    return (Array.isArray(list) ? (list as unknown[]) : [])
      .map((each) => partOf(each, `/${turn.id}`))
      .filter((id) => id !== undefined)
      .map(rememberedKey);
  }
}

function isNamed(pattern: string, { kind, name }: JudgedMessage): boolean {
  const [wantedKind, wantedName] = pattern.split(" ");
  return wantedKind === kind && (wantedName === "*" || wantedName === name);
}

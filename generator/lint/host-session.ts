import type { Definition } from "../model/types.js";
import { isObject } from "../../runtime/index.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { HostRule, HostTable, HostTest, HostTests, HostTurn } from "./host-table.js";
import { rememberedKey } from "../session/remembered.js";
import { walkTyped, type Fields } from "../session/typed-walk.js";

/** A message as hosts judge it. */
export interface HostedMessage {
  readonly kind: "request" | "event" | "response";
  readonly name: string;
  readonly from: string;
  readonly fields: Fields;
  /** Definition of the message; undefined if the protocol does not define it. */
  readonly definition: string | undefined;
  /** Field with its parameters or its result. */
  readonly part: string;
  /** It is a response that says that the request failed. */
  readonly hasFailed: boolean;
  /** It answers nothing, or names another request than it answers. */
  readonly isStray: boolean;
  /** Milliseconds since its request, if it is a response and that is known. */
  readonly latency: number | undefined;
}

/** Judges a session by what a host makes of it. */
export class HostSession {
  readonly #table: HostTable;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #onFinding: (rule: HostRule, pointer: string, absent?: string) => void;
  /** Ids of what is there, by entity. */
  readonly #alive = new Map<string, LatestEntries<unknown, true>>();
  /** Messages that a rule wants to know of, and those of them that have come. */
  readonly #awaited: ReadonlySet<string | undefined>;
  readonly #seen = new Set<string>();

  /** @param remembered How many ids are remembered at most, of each entity. */
  constructor(
    table: HostTable,
    definitions: ReadonlyMap<string, Definition>,
    remembered: number,
    onFinding: (rule: HostRule, pointer: string, absent?: string) => void,
  ) {
    this.#table = table;
    this.#definitions = definitions;
    this.#onFinding = onFinding;
    this.#awaited = new Set(table.rules.map(({ after }) => after));
    for (const name of Object.keys(table.entities ?? {}))
      this.#alive.set(name, new LatestEntries(remembered));
  }

  judge(message: HostedMessage): void {
    for (const rule of this.#table.rules)
      if (rule.from === undefined || rule.from === message.from) this.#apply(rule, message);
    this.#follow(message);
    const heard = `${message.kind} ${message.name}`;
    if (this.#awaited.has(heard)) this.#seen.add(heard);
  }

  #apply(rule: HostRule, message: HostedMessage): void {
    const { fields, kind, definition, latency } = message;
    const find = (pointer = ""): void => this.#onFinding(rule, pointer);
    if (rule.message !== undefined && !isNamed(rule.message, message)) return;
    if (rule.custom === true && definition !== undefined) return;
    if (rule.after !== undefined) {
      if (this.#seen.has(rule.after)) find();
    } else if (rule.stray === true) {
      if (kind === "response" && message.isStray) find();
    } else if (rule.laterThan !== undefined) {
      if (latency !== undefined && latency > rule.laterThan) find();
    } else if (rule.envelope !== undefined) {
      const place = this.#holds(rule.envelope, fields);
      if (place !== undefined) find(place);
    } else if (rule.numbers !== undefined || rule.unlisted !== undefined)
      this.#values(rule, message);
    else if (rule.definition !== undefined) this.#objects(rule, message);
    else if (rule.test !== undefined || rule.anyOf !== undefined) {
      const body = fields[message.part];
      // A failure holds no result.
      if (message.hasFailed) return;
      const value = isObject(body) ? body : {};
      for (const tests of rule.anyOf ?? [rule.test!]) {
        const place = this.#holds(tests, value);
        if (place === undefined) continue;
        const absent = Object.keys(tests).find((path) => partOf(value, `/${path}`) === undefined);
        this.#onFinding(rule, `/${message.part}${place}`, rule.anyOf && absent);
      }
    } else find();
  }

  /** Rules about every number, or every text of an enumeration. */
  #values({ numbers, unlisted, ...rule }: HostRule, message: HostedMessage): void {
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
        if (isOutside || isUnlisted) this.#onFinding(rule, place);
      },
    });
  }

  /** Rules about objects of a definition. */
  #objects(rule: HostRule, message: HostedMessage): void {
    if (message.definition === undefined) return;
    if (rule.within !== undefined && !rule.within.some((each) => isNamed(each, message))) return;
    walkTyped(this.#definitions, { kind: "reference", name: message.definition }, message.fields, {
      object: (definition, value, place) => {
        if (definition !== rule.definition) return;
        const found = this.#holds(rule.test!, value);
        if (found !== undefined) this.#onFinding(rule, place + found);
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
  #follow(message: HostedMessage): void {
    for (const [name, { begins, ends = [] }] of Object.entries(this.#table.entities ?? {})) {
      const alive = this.#alive.get(name)!;
      for (const turn of begins) for (const id of this.#idsOf(turn, message)) alive.set(id, true);
      for (const turn of ends) for (const id of this.#idsOf(turn, message)) alive.delete(id);
    }
  }

  #idsOf(turn: HostTurn, message: HostedMessage): readonly unknown[] {
    const body = message.fields[message.part];
    if (!isNamed(turn.message, message) || !isObject(body)) return [];
    if (turn.if !== undefined && this.#holds(turn.if, body) === undefined) return [];
    const list = turn.each === undefined ? [body] : partOf(body, `/${turn.each}`);
    return (Array.isArray(list) ? (list as unknown[]) : [])
      .map((each) => partOf(each, `/${turn.id}`))
      .filter((id) => id !== undefined)
      .map(rememberedKey);
  }
}

function isNamed(pattern: string, { kind, name }: HostedMessage): boolean {
  const [wantedKind, wantedName] = pattern.split(" ");
  return wantedKind === kind && (wantedName === "*" || wantedName === name);
}

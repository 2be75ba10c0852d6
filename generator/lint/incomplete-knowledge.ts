import type { Protocol } from "../model/protocol.js";
import type { EntryPlace, JudgedMessage } from "./state/judged-message.js";
import type { PropertyTests, TableRule } from "./table/rule-table.js";

/** Whether a finding is about a part of its message that the source of the recording does not tell. */
export function isUntold(pointer: string, { unknown = [] }: EntryPlace): boolean {
  return unknown.some(
    (each) =>
      pointer === each ||
      pointer.startsWith(`${each}/`) ||
      // What lacks a property may have it.
      (pointer !== "" && each.lastIndexOf("/") === pointer.length && each.startsWith(pointer)),
  );
}

/** Whether a pointer leads to the number that a response repeats because its request has it: the request is judged. */
export function isRepeated(
  pointer: string,
  { request }: Partial<JudgedMessage>,
  { envelope: { replyTo } }: Protocol,
): boolean {
  return request !== undefined && replyTo !== undefined && pointer === `/${replyTo}`;
}

const idTests = ["known", "unknown", "never", "given", "ended", "past", "elsewhere"] as const;

/** Whether a rule compares messages of both sides by their order. */
export function hangsOnOrder(rule: TableRule): boolean {
  const { test, anyOf = [], before, after, afterAll, since, during, settled } = rule;
  const tests = [test, ...anyOf].flatMap((each: PropertyTests = {}) => Object.values(each));
  return (
    [before, after, afterAll, since, during, settled, rule.while].some(
      (each) => each !== undefined,
    ) || tests.some((each) => idTests.some((name) => each[name] !== undefined))
  );
}

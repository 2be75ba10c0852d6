import type { Protocol } from "../model/protocol.js";
import type { EntryPlace, JudgedMessage } from "./state/judged-message.js";

/** Whether a finding is about a part of its message that the source of the recording omits. */
export function isUntold(pointer: string, { unknown = [] }: EntryPlace): boolean {
  return unknown.some(
    (each) =>
      pointer === each ||
      pointer.startsWith(`${each}/`) ||
      // An object that lacks a property in the log may have had it.
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

import type { Protocol } from "../model/protocol.js";
import type { EntryPlace, JudgedMessage } from "./state/judged-message.js";

/** Whether a finding is about a part of its message that the source of the recording omits. */
export function isUntold(pointer: string, { unknown = [] }: EntryPlace): boolean {
  return unknown.some(
    (each) =>
      pointer === each ||
      pointer.startsWith(`${each}/`) ||
      // The log may have omitted the absent property.
      (pointer !== "" && each.lastIndexOf("/") === pointer.length && each.startsWith(pointer)),
  );
}

/**
 * Whether a pointer leads to the field of a response that repeats the id of its request. Issues
 * with that id are reported only for the request.
 */
export function isRepeated(
  pointer: string,
  { request }: Partial<JudgedMessage>,
  { envelope: { replyTo } }: Protocol,
): boolean {
  return request !== undefined && replyTo !== undefined && pointer === `/${replyTo}`;
}

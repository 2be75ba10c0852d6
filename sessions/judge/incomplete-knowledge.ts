import type { Protocol } from "../../generator/model/protocol.js";
import type { EntryPlace, JudgedMessage } from "./state/judged-message.js";

/** Returns whether a finding is about a part of its message that the recording's source omits. */
export function isUntold(pointer: string, { unknown = [] }: EntryPlace): boolean {
  return unknown.some(
    (each) =>
      pointer === each ||
      pointer.startsWith(`${each}/`) ||
      // The log may have left out the absent property.
      (pointer !== "" && each.lastIndexOf("/") === pointer.length && each.startsWith(pointer)),
  );
}

/**
 * Returns whether a pointer leads to the response field that repeats the request id. Issues with
 * that id are reported only for the request.
 */
export function isRepeated(
  pointer: string,
  { request }: Partial<JudgedMessage>,
  { envelope: { replyTo } }: Protocol,
): boolean {
  return request !== undefined && replyTo !== undefined && pointer === `/${replyTo}`;
}

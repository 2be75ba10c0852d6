import { readMilliseconds } from "../base/waiting-limits.js";

/** Milliseconds after which something is given up; 0 and Infinity mean never. @throws RangeError */
export function readTimeout(option: string, timeoutMs: number | undefined): number {
  return timeoutMs === undefined || timeoutMs === 0
    ? Infinity
    : readMilliseconds(option, timeoutMs);
}

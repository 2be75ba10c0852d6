import { readMilliseconds } from "../base/waiting-limits.js";

/**
 * Checks a timeout in milliseconds. 0 and undefined become Infinity.
 *
 * @throws RangeError
 */
export function readTimeout(option: string, timeoutMs: number | undefined): number {
  return timeoutMs === undefined || timeoutMs === 0
    ? Infinity
    : readMilliseconds(option, timeoutMs);
}

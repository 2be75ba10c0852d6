/**
 * Tests the guarantees that the types generated for a JSON-RPC protocol make. Compiling this file
 * is the test.
 */
import {
  isErrorResponse,
  isNotification,
  type ClockToWatcher,
  type ParametersOf,
  type TickerStartResponse,
  type TickerTickNotification,
  type WatcherToClock,
} from "../fixtures/ticker/generated/index.js";
import { validateTickerStartResponse } from "../fixtures/ticker/generated/validators.js";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export function receive(message: ClockToWatcher): void {
  if (isNotification(message, "ticker/tick"))
    assertType<Equal<typeof message, TickerTickNotification>>();
  if ("method" in message && message.method === "watcher/confirm")
    assertType<Equal<typeof message.id, number | string>>();
}

// In the absence of a success field, the error field distinguishes failures from successes.
export function split(response: TickerStartResponse): string {
  if (response.error !== undefined) return response.error.message;
  return response.result.tickerId;
}
export function splitByGuard(response: TickerStartResponse): string {
  return isErrorResponse(response) ? response.error.message : response.result.tickerId;
}

export function validates(value: unknown): string {
  const result = validateTickerStartResponse(value);
  if (!result.ok) return result.issues[0]!.pointer;
  return split(result.value);
}

assertType<Equal<ParametersOf<"watcher/confirm"> extends [unknown?] ? true : false, true>>();
export const start: WatcherToClock = {
  jsonrpc: "2.0",
  id: 1,
  method: "ticker/start",
  params: { interval: 5 },
};
// @ts-expect-error TS2322: the JSON-RPC version is wrong.
export const old: WatcherToClock = { ...start, jsonrpc: "1.0" };

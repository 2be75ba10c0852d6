import { setImmediate as nextTurn } from "node:timers/promises";
import type { LaneError } from "@wirewright/ruby-debug-ide/connection";

export const frames = "<frames></frames>";

export const stopped = {
  element: "suspended",
  body: { file: "a", line: 1, threadId: 1, frames: 1 },
} as const;

/** Returns a promise's result, or the code it was rejected with. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(({ code, name }: LaneError) => code ?? name);
}

/** Returns whether a promise has settled. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const settle = (): void => void (is = true);
  promise.then(settle, settle);
  await nextTurn();
  return is;
}

export const never = (): Promise<void> => new Promise(() => undefined);

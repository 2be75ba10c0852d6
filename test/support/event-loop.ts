/** Waits for a turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until a condition holds, but for at most four seconds. Returns whether it holds. */
export async function becomesTrue(isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + 4_000;
  while (!isTrue() && performance.now() < end) await turn();
  return isTrue();
}

/** Returns a list of the reasons for rejections that nobody has handled, from now on. */
export function collectRejections(): unknown[] {
  const reasons: unknown[] = [];
  process.on("unhandledRejection", (reason) => reasons.push(reason));
  return reasons;
}

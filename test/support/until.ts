import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something holds, for half a minute at most. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Never came true: ${String(holds)}`);
    await sleep(2);
  }
}

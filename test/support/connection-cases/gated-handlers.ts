import { request, type Fields } from "../scripted-connection.js";

/**
 * Creates handlers that complete only when the test releases them, and counts those that are
 * running.
 */
export function gatedHandlers(): {
  readonly handler: () => Promise<never>;
  readonly waiting: (() => void)[];
  readonly most: () => number;
} {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    waiting,
    most: () => most,
    handler: () =>
      new Promise<never>((resolve) => {
        waiting.push(() => resolve({ threads: [] } as never));
        most = Math.max(most, waiting.length);
      }),
  };
}

/** Creates requests of the same name, with ids starting at 1. */
export function requests(count: number, command = "threads"): readonly object[] {
  return Array.from({ length: count }, (_, index) => request(index + 1, command));
}

export function numbersOf(messages: readonly Fields[]): readonly number[] {
  return messages.map((each) => each["request_seq"] as number).sort((one, other) => one - other);
}

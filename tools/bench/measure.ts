/**
 * Runs once and returns a positive number derived from the work, so that none of the work can be
 * optimised away.
 */
export type Work = () => number | Promise<number>;

export interface Turns {
  readonly rounds: number;
  /**
   * Approximate duration of a turn in milliseconds, long enough that the previous turn's effect on
   * the caches does not matter.
   */
  readonly turnMs: number;
  /**
   * Milliseconds of warm-up per contestant, long enough for the engine to compile all of its
   * functions.
   */
  readonly warmMs: number;
  /** Whether to warm up for less than a third of `warmMs`. */
  readonly isQuick?: boolean;
}

/**
 * Returns this process's processor time in nanoseconds, summed over all threads. Other programs on
 * the machine do not count, but the engine's own threads, such as those of the garbage collector,
 * do.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
}

/**
 * Runs contestants in turn. Returns nanoseconds of processor time per call, by contestant and
 * round.
 *
 * The order differs from round to round, but is the same in every run. With a fixed order, a
 * contestant would always pay for the same neighbour's garbage.
 */
export async function measure(
  works: readonly Work[],
  { rounds, turnMs, warmMs, isQuick = false }: Turns,
): Promise<readonly number[][]> {
  const warmNs = warmMs * (isQuick ? 3e5 : 1e6);
  const calls: number[] = [];
  for (const work of works) {
    const start = processorTime();
    do await run(work, 1);
    while (processorTime() - start < warmNs);
    let count = 1;
    let took = await run(work, 1);
    for (; took < turnMs * 5e5; took = await run(work, count)) count *= 2;
    calls.push(Math.max(1, Math.round((count * turnMs * 1e6) / took)));
  }
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const index of turnsOf(works.length, round))
      times[index]!.push((await run(works[index]!, calls[index]!)) / calls[index]!);
  return times;
}

/** Calls a contestant `count` times. Returns the processor time in nanoseconds. */
async function run(work: Work, calls: number): Promise<number> {
  let sum = 0;
  const start = processorTime();
  for (let call = 0; call < calls; call++) {
    const result = work();
    sum += typeof result === "number" ? result : await result;
  }
  const took = processorTime() - start;
  if (!(sum > 0)) throw new Error("a contestant has done nothing");
  return took;
}

/** Returns a round's permutation of 0 to `count` - 1. */
export function turnsOf(count: number, round: number): number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  let state = (round + 1) * 0x9e3779b9;
  for (let last = count - 1; last > 0; last--) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    const swapped = ((state ^ (state >>> 13)) >>> 0) % (last + 1);
    [places[last], places[swapped]] = [places[swapped]!, places[last]!];
  }
  return places;
}

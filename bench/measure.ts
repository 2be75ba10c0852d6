/** Takes a turn; answers something above 0 that comes from the work, so that none of it can be left out. */
export type Work = () => number | Promise<number>;

export interface Turns {
  readonly rounds: number;
  /** Milliseconds of one turn, about: long enough for what the one before has left in the caches not to count. */
  readonly turnMs: number;
  /** Milliseconds before the first turn, for each contestant: until all its functions are compiled. */
  readonly warmMs: number;
}

/**
 * Lets contestants take turns. Answers the nanoseconds that one call took, by contestant and round.
 *
 * Who always came behind the same neighbour would pay for its garbage, or find the caches as it left them. So
 * the order differs from round to round; it is the same in every run.
 */
export async function measure(
  works: readonly Work[],
  { rounds, turnMs, warmMs }: Turns,
): Promise<readonly number[][]> {
  const calls: number[] = [];
  for (const work of works) {
    const start = performance.now();
    do await run(work, 1);
    while (performance.now() - start < warmMs);
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

/** Nanoseconds of so many calls. */
async function run(work: Work, calls: number): Promise<number> {
  let sum = 0;
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) {
    const result = work();
    sum += typeof result === "number" ? result : await result;
  }
  const took = Number(process.hrtime.bigint() - start);
  if (!(sum > 0)) throw new Error("a contestant has done nothing");
  return took;
}

/** The places from 0 to `count` - 1 in an order of their own for each round. */
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

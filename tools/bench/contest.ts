import { measure, type Turns, type Work } from "./measure.js";
import { figureOf, ratioOf } from "./report.js";
import type { Figure } from "./results.js";

/**
 * Measures contestants alternately. Returns the nanoseconds that the first contestant takes for
 * each of `count` units. For every other contestant, returns its time as a multiple of the first
 * contestant's time.
 */
export async function contest(
  works: Readonly<Record<string, Work>>,
  count: number,
  turns: Turns,
): Promise<Readonly<Record<string, Figure>>> {
  const names = Object.keys(works);
  const times = await measure(Object.values(works), turns);
  const [first] = times;
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      index === 0 ? figureOf(first!.map((time) => time / count)) : ratioOf(times[index]!, first!),
    ]),
  );
}

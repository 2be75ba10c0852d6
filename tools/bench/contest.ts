import { measure, type Turns, type Work } from "./measure.js";
import { figureOf, ratioOf } from "./report.js";
import type { Figure } from "./results.js";

/**
 * Measures contestants in turn. Returns the first contestant's time per unit (there are `count`
 * units), in nanoseconds, and every other contestant's time as a multiple of that.
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

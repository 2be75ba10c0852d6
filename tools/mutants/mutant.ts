/** A single change to a source file. */
export interface Mutant {
  /** The id that activates the mutant. */
  readonly id: string;
  /** Path of the file, relative to the root. */
  readonly file: string;
  readonly mutator: string;
  /** Line where the change starts, counted from 1. */
  readonly line: number;
  /** The affected lines before and after the change, each joined into a single line. */
  readonly before: string;
  readonly after: string;
}

export interface Position {
  /** Line number, counted from 0; so is `column`. */
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the lines that a replacement affects, before and after. White space is collapsed so that
 * a mutant is still recognised after reformatting.
 */
export function touchedLines(
  source: string,
  start: Position,
  end: Position,
  replacement: string,
): { before: string; after: string } {
  const lines = source.split("\n").slice(start.line, end.line + 1);
  const head = lines[0]!.slice(0, start.column);
  const tail = lines.at(-1)!.slice(end.column);
  return {
    before: oneLine(lines.join("\n")),
    after: oneLine(`${head}${replacement}${tail}`),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns a random sample in the original order. It depends only on the seed. */
export function sampleMutants(
  mutants: readonly Mutant[],
  count: number,
  seed: number,
): readonly Mutant[] {
  const order = mutants.map((_, at) => at);
  let state = seed >>> 0;
  for (let last = order.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const swapped = Math.floor((state / 2 ** 32) * (last + 1));
    [order[last], order[swapped]] = [order[swapped]!, order[last]!];
  }
  const taken = new Set(order.slice(0, count));
  return mutants.filter((_, at) => taken.has(at));
}

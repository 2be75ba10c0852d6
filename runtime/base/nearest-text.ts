/**
 * The candidate that differs in the fewest letters, if it is near enough to have been meant. Case does not count.
 *
 * @param most Letters in which it may differ. Default: a third of them.
 */
export function nearestText(
  text: string,
  candidates: Iterable<string>,
  most: number = Math.max(1, Math.floor(text.length / 3)),
): string | undefined {
  let nearest: string | undefined;
  let limit = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= limit) continue;
    const distance = editDistance(text.toLowerCase(), candidate.toLowerCase());
    if (distance >= limit) continue;
    limit = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Letters to insert, remove, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

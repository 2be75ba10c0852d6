/**
 * Returns the candidate that differs in the fewest letters, ignoring case, or undefined if the
 * difference is too large for a typo.
 *
 * @param most Maximum number of differing letters. Default: a third of the letters in `text`.
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

/**
 * Returns how many letters must be inserted, removed, replaced, or swapped with a neighbour to turn
 * one text into the other.
 */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = (rows[i] = [i]);
    for (let j = 1; j <= b.length; j++)
      row[j] =
        i === 0
          ? j
          : Math.min(
              rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
              rows[i - 1]![j]! + 1,
              row[j - 1]! + 1,
              i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
                ? rows[i - 2]![j - 2]! + 1
                : Infinity,
            );
  }
  return rows[a.length]![b.length]!;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the two values that separate the lowest and the highest quarter. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

/** Returns a quantile, interpolating between the two nearest values. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)]!;
  return low + (sorted[Math.ceil(place)]! - low) * (place % 1);
}

/** Returns the lines of an aligned Markdown table. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}

/** Prints rows as an aligned Markdown table. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(head, rows)) console.log(line);
}

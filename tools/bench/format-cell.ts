import type { Cell } from "./results.js";

/**
 * Formats cells in a common unit: `680 / 498 / 489 ns`, or a single value if they are all the same.
 */
export function formatCells(cells: readonly (Cell | null)[], unit: string | undefined): string {
  const medians = cells.flatMap((cell) =>
    cell === null || typeof cell === "string" ? [] : cell[0],
  );
  const texts = cells.map((cell) => formatCell(cell, unit, false, Math.max(...medians)));
  if (texts.every((text) => text === texts[0])) return texts[0] ?? "";
  const [, ending = ""] = /^[\d.,]+( .+)$/.exec(texts[0]!) ?? [];
  return texts.every((text) => text.endsWith(ending))
    ? texts.map((text) => text.slice(0, text.length - ending.length)).join(" / ") + ending
    : texts.join(" / ");
}

/** Formats a cell: `1.30`, `250 ns` or, with its spread, `1.30 ±2%`. */
export function formatCell(
  cell: Cell | null,
  unit: string | undefined,
  withSpread = false,
  beside?: number,
): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  const [median, spread] = cell;
  const text = formatQuantity(median, unit, beside);
  return withSpread && spread > 0 ? `${text} ±${Math.ceil(spread * 100)}%` : text;
}

const scales = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "us"],
  [1, "ns"],
] as const;

/** Converts nanoseconds to a unit in which at least one of the numbers is short. */
export function formatQuantity(value: number, unit: string | undefined, beside = value): string {
  if (unit === undefined) return formatNumber(value);
  if (unit === "") return value.toLocaleString("en");
  const [first, ...rest] = unit.split(" ");
  if (first !== "ns") return `${formatNumber(value)} ${unit}`;
  const [scale, name] = scales.find(([scale]) => beside >= scale) ?? [1, "ns"];
  return [formatNumber(value / scale), name, ...rest].join(" ");
}

/**
 * Formats a number with at most three digits. For values above a tenth, at most two of them come
 * after the decimal point.
 */
export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  if (value >= 10) return value.toFixed(value % 1 === 0 ? 0 : 1);
  if (value >= 0.1 || value === 0) return value.toFixed(2);
  return value.toPrecision(1);
}

/** The growth curves on the benchmarks page, drawn from `tools/bench/results`. */
import { formatQuantity } from "../format-cell.js";
import type { Cell, Results } from "../results.js";
import { drawCurves, type Curve } from "./draw-curves.js";

type AllResults = ReadonlyMap<string, Results>;
type Row = Results["tables"][string]["rows"][number];

const multipliers: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6 };

/** Returns the number in a label such as `50 ×`, `64 kB` or `1,000`. */
function sizeOf(label: string): number {
  const [number = "", unit = ""] = label.split(" ");
  return Number(number.replaceAll(",", "")) * (multipliers[unit] ?? 1);
}

function rowsOf(results: AllResults, file: string, table: string): readonly Row[] {
  return results.get(file)?.tables[table]?.rows ?? [];
}

/**
 * Returns a column's values for the newest version of Node, keyed by the size given in the row's
 * label.
 */
function curve(name: string, rows: readonly Row[], column: string): Curve {
  const points = rows.flatMap(({ labels, cells }): [number, number][] => {
    const cell: Cell | null | undefined = cells[column]?.at(-1);
    return Array.isArray(cell) ? [[sizeOf(labels[0]!), cell[0] as number]] : [];
  });
  return { name, points };
}

const time = (value: number): string => formatQuantity(value, "ns");
const megabytes = (value: number): string => `${value.toLocaleString("en")} MB`;
const bytes = (value: number): string => (value >= 1e6 ? `${value / 1e6} MB` : `${value / 1e3} kB`);

function toolCurves(results: AllResults, column: string): readonly Curve[] {
  const rows = rowsOf(results, "generate", "generating");
  return ["wirewright, whole package", "json-schema-to-typescript", "quicktype"].map((tool) => {
    const own = rows.filter(({ labels }) => labels[1] === tool);
    return curve(tool === "quicktype" ? tool : tool.replace("wirewright, ", ""), own, column);
  });
}

/** Functions that draw a chart as SVG, keyed by the chart's file path. */
export const charts: Readonly<Record<string, (results: AllResults) => string>> = {
  "docs/benchmarks/schemas.svg": (results) =>
    drawCurves({
      title: "Processor time by size of the schema",
      curves: [
        ...toolCurves(results, "time"),
        curve("diff", rowsOf(results, "diff", "growth"), "time"),
      ],
      x: (factor) => `${factor} ×`,
      y: time,
    }),
  "docs/benchmarks/schemas-memory.svg": (results) =>
    drawCurves({
      title: "Peak memory by size of the schema",
      curves: toolCurves(results, "peak"),
      x: (factor) => `${factor} ×`,
      y: megabytes,
    }),
  "docs/benchmarks/bodies.svg": (results) =>
    drawCurves({
      title: "Processor time by size of the body",
      curves: ["decode", "encode", "validate", "JSON.parse", "JSON.stringify"].map((name) =>
        curve(name, rowsOf(results, "growth", "bodies"), name),
      ),
      x: bytes,
      y: time,
    }),
  "docs/benchmarks/sessions.svg": (results) =>
    drawCurves({
      title: "Processor time by messages of a session",
      curves: ["lint", "decode", "encode", "validate"].map((name) =>
        curve(name, rowsOf(results, "growth", "sessions"), name),
      ),
      x: (count) => count.toLocaleString("en"),
      y: time,
    }),
};

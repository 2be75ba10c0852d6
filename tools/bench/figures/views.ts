/** The content of marked sections in pages. */
import { formatCells, formatNumber } from "../format-cell.js";
import type { Cell, Results, Table } from "../results.js";
import { tableLines } from "../../../test/support/table.js";
import { mappedPrograms } from "../bundled-modules.js";
import { compilerTable, hostTable } from "./platforms.js";

type AllResults = ReadonlyMap<string, Results>;
type View = (results: AllResults) => string;
type Cells = readonly (Cell | null)[];

interface Selection {
  /** Columns by heading. Default: all columns. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Row labels, joined with a slash. Default: all rows. */
  readonly rows?: readonly string[];
}

/** Thrown by a view that has no stored results. */
class NotMeasured extends Error {}

function fileOf(results: AllResults, name: string): Results {
  const found = results.get(name);
  if (found !== undefined) return found;
  throw new NotMeasured(`Not measured yet: run \`npm run bench -- ${name} --save\` to measure it.`);
}

function tableOf(results: AllResults, file: string, name: string): Table<Cells> {
  const found = fileOf(results, file).tables[name];
  if (found === undefined) throw new Error(`tools/bench/results/${file}.json has no table ${name}`);
  return found;
}

/** Returns the chosen rows that exist, in the chosen order. */
function choose(
  rows: Table<Cells>["rows"],
  chosen: readonly string[] | undefined,
): Table<Cells>["rows"] {
  if (chosen === undefined) return rows;
  return chosen.flatMap((labels) => rows.filter((row) => row.labels.join("/") === labels));
}

/** Returns a table in which every cell shows one value per version of Node. */
function table(file: string, name: string, { columns, rows }: Selection = {}): View {
  return (results) => {
    const { labels, units, rows: all } = tableOf(results, file, name);
    const shown =
      columns ?? Object.fromEntries(Object.keys(all[0]!.cells).map((column) => [column, column]));
    const chosen = choose(all, rows);
    return tableLines(
      [...labels, ...Object.keys(shown)],
      chosen.map(({ labels, cells }) => [
        ...labels,
        ...Object.values(shown).map((column) => formatCells(cells[column] ?? [], units[column])),
      ]),
    ).join("\n");
  };
}

/**
 * Returns the content of the marked section with this name: a view, or a whole table for
 * `FILE/TABLE`.
 */
export function show(name: string, results: AllResults): string {
  try {
    return views[name]?.(results) ?? wholeTable(results, name);
  } catch (error) {
    if (error instanceof NotMeasured) return error.message;
    throw error;
  }
}

function wholeTable(results: AllResults, name: string): string {
  const [file = "", ...rest] = name.split("/");
  return table(file, rest.join("/"))(results);
}

/**
 * Returns the smallest and the largest ratio in the given rows, across all versions of Node:
 * `1.2 to 1.9`.
 */
function range(file: string, name: string, column: string, rows?: readonly string[]): View {
  return (results) => {
    const { rows: all } = tableOf(results, file, name);
    const values = choose(all, rows)
      .flatMap(({ cells }) => cells[column] ?? [])
      .flatMap((cell) => (Array.isArray(cell) ? [cell[0] as number] : []));
    const [low, high] = [Math.min(...values), Math.max(...values)].map((value) =>
      value >= 10 ? formatNumber(Math.round(value)) : value.toFixed(1),
    );
    return low === high ? low! : `${low} to ${high}`;
  };
}

/** Modules smaller than this, in kB, are not listed. */
const minListed = 0.2;

/** Lists the modules in a program's bundle. */
function bundleOf(program: string): View {
  return (results) => {
    const { rows } = tableOf(results, "size", "modules");
    const modules = rows
      .filter(({ labels }) => labels[0] === program)
      .map(({ labels, cells }) => ({
        module: labels[1]!,
        importer: String(cells["first importer"]?.[0] ?? ""),
        size: Number([cells["minified"]?.[0] ?? 0].flat()[0]),
      }));
    const total = modules.reduce((sum, { size }) => sum + size, 0);
    const listed = modules.filter(({ size }) => size >= minListed);
    const lines = tableLines(
      ["module", "minified", "first importer"],
      listed.map(({ module, importer, size }) => [
        `\`${module}.ts\``,
        `${formatNumber(size)} kB`,
        importer === "program" ? importer : `\`${importer}.ts\``,
      ]),
    );
    return [`${modules.length} modules, ${formatNumber(total)} kB.`, "", ...lines].join("\n");
  };
}

/** Returns the Node versions in a results file: `22.23.3, 24.21.0 and 26.10.0`. */
function nodes(file: string): View {
  return (results) => {
    const all = fileOf(results, file).nodes;
    return all.length < 2 ? all.join() : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
  };
}

const decodedRows = [
  ...["64 KiB", "1,460 B", "64 B"].map((chunk) => `tiny messages/${chunk}`),
  ...["64 KiB", "1,460 B"].map((chunk) => `output events/${chunk}`),
  ...["64 KiB", "1,460 B"].map((chunk) => `output events, non-ASCII/${chunk}`),
  "stack trace of 20 frames/64 KiB",
  ...["64 KiB", "1,460 B", "1 B"].map((chunk) => `mixed session/${chunk}`),
  ...["64 KiB", "64 B"].map((chunk) => `1 MB of variables/${chunk}`),
];

/** The views, by the names used in pages. */
const views: Readonly<Record<string, View>> = {
  "platforms/hosts": hostTable,
  "platforms/compilers": compilerTable,
  "Node versions": nodes("front-doors"),
  "reading and checking": table("front-doors", "from bytes to checked messages", {
    columns: {
      "wirewright, per message": "decoder and isValid",
      "official library and ajv": "official and ajv",
      "official library, unchecked": "official, no check",
    },
  }),
  "reading and checking, range": range(
    "front-doors",
    "from bytes to checked messages",
    "official and ajv",
  ),
  "whole messages": table("front-doors", "whole messages"),
  decoding: table("codec", "decoding", {
    columns: {
      official: "official",
      "vscode-jsonrpc": "vscode-jsonrpc",
      "floor A": "floor A",
      "floor B": "floor B",
      bare: "bare",
    },
    rows: decodedRows,
  }),
  encoding: table("encode", "encoding", {
    columns: {
      official: "official",
      "vscode-jsonrpc": "vscode-jsonrpc",
      "`JSON.stringify` alone": "JSON.stringify alone",
    },
  }),
  "renumbering, range": range("encode", "forwarding", "parse, renumber, stringify, frame"),
  validating: table("validate", "validating", {
    columns: {
      wirewright: "wirewright",
      "ajv at run time": "ajv at run time",
      TypeBox: "TypeBox",
      zod: "zod",
      valibot: "valibot",
    },
  }),
  ...Object.fromEntries(mappedPrograms.map((name) => [`bundle of ${name}`, bundleOf(name)])),
  start: table("validator-start", "start"),
  requests: table("connection", "requests"),
  tap: table("tap", "between two programs"),
  lint: table("lint", "sessions"),
  generating: table("generate", "generating"),
  diff: table("diff", "growth"),
  sessions: table("session", "messages of the adapter"),
  blocks: table("session", "blocks of the event loop"),
};

/**
 * The part of each benchmark that `npm run test:long` runs in about a second, and how its ratios
 * are computed. A ratio is the fastest peer's time relative to ours, measured in the same run.
 * Below 1, the peer is faster.
 */
import { browser } from "../../test/support/headless-browser.js";
import { withoutBenchPeers } from "./bench-peers.js";
import type { benches } from "./benches.js";
import type { Cell, Printed, Row } from "./results.js";

export interface QuickRun {
  readonly rounds: number;
  /** Runs only rows whose labels contain one of these strings. */
  readonly only?: readonly string[];
  readonly args?: readonly string[];
  /**
   * Computes the ratios. Absent if the benchmark has no peers; then it only runs and checks its
   * results.
   */
  readonly ratios?: (tables: Printed["tables"]) => Ratios;
  /** The reason the benchmark cannot run here. */
  readonly missing?: () => string | undefined;
}

/** Ratios by table and row labels. */
export type Ratios = Readonly<Record<string, number>>;

export const quickRuns: Readonly<Record<keyof typeof benches, QuickRun>> = {
  codec: {
    rounds: 5,
    only: ["mixed session 64 KiB"],
    ratios: multiples("decoding", ["official", "testsupport", "vscode-jsonrpc"]),
  },
  encode: {
    rounds: 5,
    only: ["encode mixed", "forward output events"],
    ratios: (tables) => ({
      ...multiples("encoding", ["official", "vscode-jsonrpc"])(tables),
      ...multiples("forwarding", ["parse, renumber, stringify, frame"])(tables),
    }),
  },
  validate: {
    rounds: 5,
    only: ["valid: medium, one key set"],
    ratios: speeds("validating", "wirewright"),
  },
  "validator-start": {
    rounds: 1,
    only: ["ajv standalone", "isValid bundled"],
    ratios: rows("start", "first verdict", "wirewright, isValid bundled", ["ajv standalone"]),
  },
  connection: {
    rounds: 3,
    only: ["stack traces of 20 frames, 64 at once"],
    ratios: multiples("requests", ["vscode-jsonrpc", "official"]),
  },
  "front-doors": {
    rounds: 5,
    only: ["isValid valid: mixed"],
    ratios: multiples("whole messages", ["ajv, switched by name"]),
  },
  generate: {
    rounds: 1,
    only: ["1 ×"],
    ratios: rows("generating", "time", "1 ×, wirewright, whole package", [
      "1 ×, json-schema-to-typescript",
    ]),
  },
  diff: { rounds: 1, only: ["pairs"] },
  "start-up": { rounds: 1, only: ["--help"] },
  tap: {
    rounds: 1,
    only: ["between a script that copies", "between tap --quiet"],
    ratios: rows("between two programs", "5 MB", "tap --quiet", ["a script that copies"]),
  },
  lint: {
    rounds: 1,
    args: ["3000"],
    ratios: columns("sessions", "per message", "parsing, per message"),
  },
  session: { rounds: 2, only: ["messages breakpoint"] },
  growth: {
    rounds: 3,
    only: ["body 64 kB"],
    ratios: (tables) => ({
      ...columns("bodies", "decode", "JSON.parse")(tables),
      ...columns("bodies", "encode", "JSON.stringify")(tables),
    }),
  },
  size: { rounds: 1, only: ["createDecoder"] },
  compile: {
    rounds: 1,
    only: ["generate --only types", "json-schema-to-typescript"],
    missing: withoutBenchPeers,
    ratios: rows("compiling", "time", "wirewright generate --only types", [
      "json-schema-to-typescript",
    ]),
  },
  editor: {
    rounds: 1,
    only: ["a type of"],
    missing: () => (process.platform === "linux" ? withoutBenchPeers() : "needs Linux"),
    ratios: rows("editing", "open", "a type of @wirewright/dap", [
      "a type of @vscode/debugprotocol",
    ]),
  },
  "connection-hostile": { rounds: 1, only: ["asked, never answered"] },
  hostile: { rounds: 1, only: ["header of endless lines"] },
  leak: { rounds: 1, args: ["200000"] },
  recording: { rounds: 1, args: ["1"] },
  batch: { rounds: 1, args: ["1"] },
  view: {
    rounds: 1,
    args: ["200"],
    missing: () => (browser === undefined ? "needs Chromium" : undefined),
  },
  // A quick run compares this checkout with itself.
  revisions: { rounds: 3, args: ["."], only: ["isValid tiny"] },
};

/** Computes ratios from tables whose other columns are multiples of the first column's time. */
function multiples(table: string, peers: readonly string[]): QuickRun["ratios"] & object {
  return eachRow(table, ({ cells }) => least(peers.map((peer) => cells[peer])));
}

/** Computes ratios from tables whose columns are multiples of the first contestant's speed. */
function speeds(table: string, own: string): QuickRun["ratios"] & object {
  return eachRow(table, ({ cells }) => {
    const others = Object.keys(cells)
      .slice(1)
      .filter((name) => name !== own);
    return numberOf(cells[own]) / Math.max(1, ...others.map((name) => numberOf(cells[name])));
  });
}

/** Computes ratios from tables with one column per contestant. */
function columns(table: string, own: string, peer: string): QuickRun["ratios"] & object {
  return (tables) => {
    const found = eachRow(
      table,
      ({ cells }) => numberOf(cells[peer]) / numberOf(cells[own]),
    )(tables);
    return Object.fromEntries(
      Object.entries(found).map(([row, ratio]) => [`${row}, ${own}`, ratio]),
    );
  };
}

/** Computes ratios from tables with one row per contestant. */
function rows(
  table: string,
  column: string,
  own: string,
  peers: readonly string[],
): QuickRun["ratios"] & object {
  return (tables) => {
    const cell = (row: string): Cell | undefined =>
      tables[table]?.rows.find(({ labels }) => labels.join(", ") === row)?.cells[column];
    return { [`${table}: ${own}`]: least(peers.map(cell)) / numberOf(cell(own)) };
  };
}

function eachRow(table: string, ratioOf: (row: Row<Cell>) => number): QuickRun["ratios"] & object {
  return (tables) =>
    Object.fromEntries(
      (tables[table]?.rows ?? []).map((row) => [
        `${table}: ${row.labels.join(", ")}`,
        ratioOf(row),
      ]),
    );
}

const least = (cells: readonly (Cell | undefined)[]): number => Math.min(...cells.map(numberOf));

/** Returns the number in a cell, or NaN if the contestant fails. */
function numberOf(cell: Cell | undefined): number {
  return typeof cell === "object" ? cell[0] : NaN;
}

import { createHash } from "node:crypto";
import type { Finding } from "./outcome.js";
import type { Stats } from "./stats.js";
import { literalOf } from "./literal.js";
import type { SessionResult } from "./session.js";
import { oracles } from "./target.js";

/**
 * Formats a finding as a row for `test/tools/fuzz-findings.test.ts`, with the failure as a comment.
 */
export function printFinding({ target, oracle, detail, input, salt }: Finding): string {
  const seen = detail
    .split("\n")
    .map((line) => `// ${line}`)
    .join("\n");
  return `// ${oracles[oracle]}
${seen}
["${target}", ${literalOf(input)}], // choice ${salt}`;
}

/** Returns a file name for a finding, derived from the input. */
export function findingFile({ oracle, input }: Finding): string {
  return `${oracle}-${createHash("sha256").update(input).digest("hex").slice(0, 12)}`;
}

const columns = [
  ["target", 18],
  ["seed", 10],
  ["seconds", 7],
  ["executions", 10],
  ["/s", 7],
  ["edges", 13],
  ["corpus", 6],
  ["findings", 8],
  ["most steps per byte", 20],
] as const;

export function printHead(): string {
  return columns
    .map(([name, width], index) => (index === 0 ? name.padEnd(width) : name.padStart(width)))
    .join("  ");
}

export function printRow({ target, seed, seconds, stats }: SessionResult): string {
  const { executions, edges, totalEdges, corpus, findings, slowest } = stats;
  const cells = [
    target,
    seed,
    seconds.toFixed(1),
    executions,
    Math.round(executions / seconds),
    `${edges}/${totalEdges}`,
    corpus,
    findings,
    `${slowest.perByte} (${slowest.length} bytes)`,
  ];
  return cells
    .map((cell, index) => {
      const [, width] = columns[index]!;
      return index === 0 ? String(cell).padEnd(width) : String(cell).padStart(width);
    })
    .join("  ");
}

/** Formats the input with the most steps per byte. */
export function printSlowest({ target, stats: { slowest } }: SessionResult): string {
  return `${target}: ${slowest.perByte} steps per byte: "${slowest.input}"`;
}

export function printProgress(target: string, stats: Stats): string {
  return `${target}: ${stats.executions} executions, ${stats.edges} edges, ${stats.findings} findings`;
}

import type { CapabilityResult } from "../run/run-suite.js";
import { labelOf, type AdapterResults } from "../report/adapter-results.js";
import { table } from "../report/report-markdown.js";

/**
 * The table of capabilities and adapters. A cell is `absent` if the adapter does not announce the
 * capability; otherwise, it contains the result of the checks.
 */
export type CapabilityTable = Readonly<
  Record<string, Readonly<Record<string, CapabilityResult["status"] | "absent">>>
>;

/** Creates the table of capabilities by adapter, in machine-readable form. */
export function capabilityTable(all: readonly AdapterResults[]): CapabilityTable {
  const names = [...new Set(all.flatMap(({ uses }) => Object.keys(uses)))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(
        all.map(({ adapter, uses }) => [adapter.name, uses[name]?.status ?? "absent"]),
      ),
    ]),
  );
}

const marks = { working: "✓", failing: "✗", untried: "○", absent: "" } as const;

/** Prints `docs/capabilities.md`. */
export function printCapabilitiesPage(all: readonly AdapterResults[]): string {
  const rows = Object.entries(capabilityTable(all))
    .filter(([name]) => /^supports?[A-Z]|^exceptionBreakpointFilters$/.test(name))
    .map(([name, cells]) => [
      `\`${name}\``,
      ...all.map(({ adapter }) => marks[cells[adapter.name] ?? "absent"]),
    ]);
  return `# Capabilities of debug adapters

Use this table to see which adapters support which capabilities of the Debug Adapter Protocol, and whether these capabilities work. The [conformance suite](conformance.md) produced these results.

✓ announced, and its checks pass · ✗ announced, and a check fails or its request is refused · ○ announced, and no check applies · empty: not announced

${table(["capability", ...all.map(labelOf)], rows)}
A failing capability may still work in part. [conformance/results](https://github.com/wirewright/wirewright/blob/HEAD/conformance/results) lists the checks for each mark. Its file \`capabilities.json\` contains the table in machine-readable form.
`;
}

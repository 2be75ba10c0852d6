import { checks, clientChecks, type Check } from "../checks.js";
import { countsOf, labelOf, statuses, type AdapterResults } from "../report/adapter-results.js";
import { basisOf, scoreTable, table } from "../report/report-markdown.js";
import type { CapabilityResult, CheckResult } from "../run/run-suite.js";

/** Why adapters fail checks. */
export interface Causes {
  /** The folder of each adapter's source code, as a URL with the version that was tested. */
  readonly sources: Readonly<Record<string, string>>;
  /** The line that causes a failure, such as `src/adapter.ts#L12`, by check, cause and adapter. */
  readonly causes: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >;
}

/**
 * Returns published results with the titles, levels and sentences of today's checks. The verdicts
 * stay as they were, and checks that no longer exist are left out.
 */
export function inTodaysTerms(results: AdapterResults, today: readonly Check[]): AdapterResults {
  const checks = today.flatMap(({ id, title, level, stated, sentence }): readonly CheckResult[] => {
    const result = results.checks.find(({ check }) => check === id);
    return result === undefined ? [] : [{ ...result, title, level, stated, sentence }];
  });
  return { ...results, checks, counts: countsOf(checks) };
}

/**
 * Whether results were made by a suite whose checks differ from today's, so that the adapter has to
 * be tested again.
 */
export function isOutdated({ checks, run }: AdapterResults, today: readonly Check[]): boolean {
  const made = new Map(checks.map((result) => [result.check, result]));
  const isSame = ({ id, ...check }: Check): boolean =>
    (["title", "level", "stated", "sentence"] as const).every(
      (part) => made.get(id)?.[part] === check[part],
    );
  return run === undefined || !today.every(isSame);
}

/** When and where results were made. */
function madeBy(results: AdapterResults, today: readonly Check[]): string {
  const { run } = results;
  const made = run === undefined ? "" : `${run.date}, suite ${run.suite}, ${run.platform}`;
  return isOutdated(results, today) ? `${made === "" ? "" : `${made}; `}by an earlier suite` : made;
}

/** Prints `docs/conformance.md`. */
export function printConformancePage(
  publishedAdapters: readonly AdapterResults[],
  publishedClients: readonly AdapterResults[],
  causes: Causes,
): string {
  const adapters = publishedAdapters.map((results) => inTodaysTerms(results, checks));
  const clients = publishedClients.map((results) => inTodaysTerms(results, clientChecks));
  return `# Conformance of debug adapters and clients

These are the results of the [conformance suite](https://github.com/wirewright/wirewright/blob/HEAD/conformance/README.md) for the Debug Adapter Protocol. To test your own program, see [Test your adapter](guides/test-your-adapter.md) and [Test your client](guides/test-your-client.md).

Each cell shows how many scored checks pass, and how many apply. Checks for optional behaviour are not scored. A check does not apply if the adapter does not announce its capability. A failure means that a program deviates from a sentence in the protocol. It says nothing about the quality of the debugger.

Before a failure counts, its case runs again twice, alone. A verdict that differs between the runs is inconclusive and not scored.

## Adapters

${scoreTable(adapters)}
${originTable(publishedAdapters, checks)}
${changeList(adapters)}To reproduce a row, install the adapters with \`node build/conformance/adapters/install.js FOLDER\`. Then set \`WIREWRIGHT_ADAPTERS\` to the folder, and run the command. [conformance/results](https://github.com/wirewright/wirewright/blob/HEAD/conformance/results) contains each verdict, along with the expected and actual values. [Capabilities](capabilities.md) shows which capabilities work.

## Checks of adapters

The "pass" column shows how many of the adapters to which a check applies pass it. Checks with the level \`info\` are not scored.

${checkTable(adapters)}
### Causes of failures

Each cause was identified from the session's messages and the adapter's source code. All of them are adapter deviations, not mistakes in the suite.

${adapters.map((results) => causeList(results, causes)).join("\n")}
## Clients

${scoreTable(clients)}
${originTable(publishedClients, clientChecks)}
${clients.map(clientFailures).join("")}`;
}

/** Creates the table that says where the programs come from, and how their results were made. */
function originTable(all: readonly AdapterResults[], today: readonly Check[]): string {
  const rows = all.map((results) => {
    const { name, released, source = "" } = results.adapter;
    return [
      `${labelOf(results)}${released === undefined ? "" : ` (${released})`}`,
      source,
      madeBy(results, today),
      `\`node build/conformance/published/cli.js ${name}\``,
    ];
  });
  return table(["version (released)", "source", "made", "reproduce"], rows);
}

/**
 * Creates the table of checks. Each check's id is an anchor, because pages about messages link to
 * it.
 */
function checkTable(all: readonly AdapterResults[]): string {
  const rows = checks.map(({ id: check, title, level, stated, sentence }) => {
    const withStatus = (status: string): readonly AdapterResults[] =>
      all.filter(({ checks }) =>
        checks.some((result) => result.check === check && result.status === status),
      );
    const failing = withStatus("fail");
    const passing = withStatus("pass").length;
    const applies = passing + failing.length;
    return [
      { markdown: `\`${check}\`<a id="${check}"></a>` },
      title,
      level,
      basisOf(stated, sentence),
      applies === 0 ? "–" : `${passing} of ${applies}`,
      failing.map(labelOf).join(", "),
    ];
  });
  const head = ["check", "expected behaviour", "level", "stated in", "pass", "fails in"];
  return table(head, rows);
}

/** Lists the verdicts that changed since the run before, or returns an empty string. */
function changeList(all: readonly AdapterResults[]): string {
  const items = all.flatMap((results) => {
    const { version = "", date = "", verdicts = {} } = results.earlier ?? {};
    const changes = results.checks.flatMap(({ check, status }) =>
      verdicts[check] === undefined
        ? []
        : `\`${check}\` ${statuses[verdicts[check]].word} → ${statuses[status].word}`,
    );
    return changes.length === 0
      ? []
      : `- ${labelOf(results)}, since version ${version} on ${date}: ${changes.join(", ")}\n`;
  });
  return items.length === 0
    ? ""
    : `Changes since the previous run, in checks of all levels:\n\n${items.join("")}\n`;
}

/** Lists the causes of an adapter's failures, with links to its source code. */
function causeList(results: AdapterResults, { sources, causes }: Causes): string {
  const { name } = results.adapter;
  const items = failedChecks([results]).flatMap((check) =>
    Object.entries(causes[check] ?? {}).flatMap(([cause, { [name]: line }]) =>
      line === undefined
        ? []
        : `- \`${check}\`: ${cause} [\`${line.replace("#L", ":")}\`](${sources[name]}${line})\n`,
    ),
  );
  return `#### ${labelOf(results)}\n\n${items.join("")}`;
}

/** Returns the scored checks that fail in any of the adapters, in order. */
export function failedChecks(all: readonly AdapterResults[]): readonly string[] {
  const failed = all.flatMap(({ checks }) =>
    checks.filter(({ status, level }) => status === "fail" && level !== "info"),
  );
  return [...new Set(failed.map(({ check }) => check))].sort();
}

function clientFailures(results: AdapterResults): string {
  const failures = results.checks.filter(({ status }) => status === "fail");
  if (failures.length === 0) return `${labelOf(results)} passes all checks that apply.\n\n`;
  const rows = failures.map(({ check, title, level, actual }) => [
    `\`${check}\``,
    `${title} (${level})`,
    actual ?? "",
  ]);
  return `### ${labelOf(results)}\n\n${table(["check", "expected behaviour", "actual"], rows)}\n`;
}

/**
 * The table of capabilities and adapters. A cell is `absent` if the adapter does not announce the
 * capability; otherwise, it contains the result of the checks.
 */
type CapabilityTable = Readonly<
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

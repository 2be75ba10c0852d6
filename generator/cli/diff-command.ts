import { parseArgs } from "node:util";
import { acceptFindings, judgeFindings, type Acceptance } from "../diff/accepted-findings.js";
import { diffProtocols } from "../diff/diff-protocols.js";
import { levels, type Level, type ProtocolDiff } from "../diff/finding.js";
import { reportGithub, reportJunit, reportSarif } from "../diff/report-annotations.js";
import { reportHtml } from "../diff/report-html.js";
import { reportErrorJson, reportJson, reportRangeJson } from "../diff/report-json.js";
import { reportMarkdown } from "../diff/report-markdown.js";
import { reportRangeMarkdown, reportRangeText } from "../diff/report-range.js";
import { reportText, type DiffReport } from "../diff/report-text.js";
import { rules } from "../diff/rules.js";
import { findingsFrom, selectFindings, type Selection } from "../diff/select-findings.js";
import { adviseBump } from "../diff/version-bump.js";
import { compareVersions } from "../diff/version-range.js";
import { formatInputError, InputError } from "../input-error.js";
import { check } from "../read/description.js";
import { readJsonInput } from "../read/input-source.js";
import { openProtocolSource } from "../read/protocol-source.js";
import { describedVersions, readProtocol } from "../read/read-protocol.js";
import { writeTextFile } from "../write-output.js";
import { explainRule, listRules } from "./diff-rules.js";
import { oneOf, unknownRule } from "./option-values.js";
import { paint, type Terminal } from "./terminal.js";

const formats = ["text", "json", "markdown", "html", "github", "sarif", "junit"] as const;
type Format = (typeof formats)[number];
const readers = ["strict", "schema", "tolerant"] as const;

/** The text of `--help`. */
export const diffHelp = (): string => `Usage: wirewright diff OLD NEW [options]
       wirewright diff --range FROM..TO [options]
       wirewright diff rules
       wirewright diff explain RULE

Says what a new version of a protocol breaks, for whom, and with which message.

  OLD, NEW              dap@1.65.0 (a bundled version), a schema file, - for standard input, an
                        https: URL, REF:path or git:FOLDER#REF:path (a git revision), a .d.ts file,
                        or a package in node_modules such as @vscode/debugprotocol

Options:
  --protocol NAME       protocol that schemas and declarations belong to (default: dap)
  --range FROM..TO      compare all bundled versions between two with each other
  --reader POLICY       ${readers.join(", ")}: what readers make of the unexpected (default: tolerant)
  --pair PAIR           judge one meeting only, such as new-client/old-adapter
  --side ROLE           judge for one side that becomes new, such as client
  --severity RULE=LEVEL a level of your own for a rule, or off; may be given several times
  --format FORMAT       ${formats.join(", ")} (default: text)
  --out FILE            write the report there
  --level LEVEL         least level to print as text (default: doc)
  --expand              list every member of a group
  --fail-on LEVEL       ${levels.join(", ")}, or never (default: breaking)
  --accept FILE         findings to live with: {"accept": [{"id", "at", "reason", "until"?}]}
  --write-accept FILE   write that file for what would fail now
  --help                show this text

Exit status: 0 nothing at or above --fail-on, 1 something is, 2 the versions cannot be compared.`;

const options = {
  protocol: { type: "string" },
  range: { type: "string" },
  reader: { type: "string" },
  pair: { type: "string" },
  side: { type: "string" },
  severity: { type: "string", multiple: true },
  format: { type: "string" },
  out: { type: "string" },
  level: { type: "string" },
  expand: { type: "boolean" },
  "fail-on": { type: "string" },
  accept: { type: "string" },
  "write-accept": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/** `wirewright diff`. Returns the exit status. */
export async function runDiff(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    terminal.out(diffHelp());
    return 0;
  }
  if (positionals[0] === "rules" && positionals.length === 1) {
    terminal.out(listRules(terminal));
    return 0;
  }
  if (positionals[0] === "explain") {
    terminal.out(explainRule(positionals[1] ?? "", terminal));
    return 0;
  }
  const format = oneOf("--format", values.format ?? "text", formats);
  try {
    return values.range === undefined
      ? await compareTwo(positionals, values, format, terminal)
      : await compareRange(values.range, positionals, values, format, terminal);
  } catch (error) {
    if (format !== "json" || !(error instanceof InputError)) throw error;
    terminal.out(reportErrorJson(error));
    terminal.error(formatInputError(error));
    return 2;
  }
}

async function compareTwo(
  specs: readonly string[],
  values: Values,
  format: Format,
  terminal: Terminal,
): Promise<number> {
  if (specs.length !== 2)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare ${specs.length} version${specs.length === 1 ? "" : "s"}: give two, the old one first`,
      {},
      "See wirewright diff --help",
    );
  const [oldSpec, newSpec] = specs as [string, string];
  if (oldSpec === "-" && newSpec === "-")
    throw new InputError("ERR_ARGUMENT", "Cannot read both versions from standard input");
  const protocol = values.protocol ?? "dap";
  const [before, after] = [
    await openProtocolSource(oldSpec, protocol),
    await openProtocolSource(newSpec, protocol),
  ];
  const diff = diffProtocols(before.protocol, after.protocol, {
    reader: oneOf("--reader", values.reader ?? "tolerant", readers),
    locateBefore: (pointer) => ({ pointer, ...before.schema.locate(pointer) }),
    locateAfter: (pointer) => ({ pointer, ...after.schema.locate(pointer) }),
  });
  const failOn = oneOf("--fail-on", values["fail-on"] ?? "breaking", [...levels, "never"] as const);
  const selected = selectFindings(diff, selection(values, diff));
  const acceptances = values.accept === undefined ? [] : await readAcceptances(values.accept);
  const judgement = judgeFindings(selected.findings, acceptances, today());
  if (values["write-accept"] !== undefined) {
    const level = failOn === "never" ? "breaking" : failOn;
    const kept = acceptances.filter((each) => !judgement.expired.includes(each));
    const accept = acceptFindings(selected.findings, level, kept);
    await writeTextFile(values["write-accept"], `${JSON.stringify({ accept }, null, 2)}\n`);
    terminal.error(`${values["write-accept"]}: ${accept.length} accepted; give each its reason`);
    return 0;
  }
  const report: DiffReport = { diff: selected, bump: adviseBump(selected), judgement };
  await print(renderReport(report, format, failOn, values, terminal), values.out, terminal);
  return failOn !== "never" && findingsFrom(judgement.open, failOn).length > 0 ? 1 : 0;
}

function renderReport(
  report: DiffReport,
  format: Format,
  failOn: Level | "never",
  values: Values,
  terminal: Terminal,
): string {
  const from = oneOf("--level", values.level ?? "doc", levels);
  switch (format) {
    case "text":
      return reportText(report, {
        paint: (colour, text) => (values.out === undefined ? paint(terminal, colour, text) : text),
        expand: values.expand === true,
        from,
        width: terminal.columns,
      });
    case "json":
      return reportJson(report);
    case "markdown":
      return reportMarkdown(report);
    case "html":
      return reportHtml(report);
    case "github":
      return reportGithub(report, values.level === undefined ? "lossy" : from);
    case "sarif":
      return reportSarif(report);
    case "junit":
      return reportJunit(report, failOn === "never" ? "breaking" : failOn);
  }
}

async function compareRange(
  range: string,
  positionals: readonly string[],
  values: Values,
  format: Format,
  terminal: Terminal,
): Promise<number> {
  if (positionals.length > 0)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare "${positionals[0]}" and a range`,
      {},
      "Give two versions, or --range FROM..TO",
    );
  const protocol = values.protocol ?? "dap";
  const known = await describedVersions(protocol);
  const [from, to] = rangeEnds(range, known);
  const protocols = [];
  for (const version of known.slice(known.indexOf(from), known.indexOf(to) + 1))
    protocols.push(await readProtocol(protocol, { version }));
  const compared = compareVersions(protocols, {
    reader: oneOf("--reader", values.reader ?? "tolerant", readers),
    select: (diff) => selectFindings(diff, selection(values, diff)),
  });
  const rendered =
    format === "json"
      ? reportRangeJson(compared)
      : format === "markdown"
        ? reportRangeMarkdown(compared)
        : format === "text"
          ? reportRangeText(
              compared,
              (colour, text) => (values.out === undefined ? paint(terminal, colour, text) : text),
              values.expand === true,
            )
          : undefined;
  if (rendered === undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot print a range as ${format}`,
      {},
      "Use text, json or markdown",
    );
  await print(rendered, values.out, terminal);
  const failOn = oneOf("--fail-on", values["fail-on"] ?? "breaking", [...levels, "never"] as const);
  const bad = failOn === "never" ? [] : levels.slice(0, levels.indexOf(failOn) + 1);
  return compared.pairs.some(({ counts }) => bad.some((level) => counts[level] > 0)) ? 1 : 0;
}

function rangeEnds(range: string, known: readonly string[]): readonly [string, string] {
  const [from = "", to = ""] = range.split("..");
  const ends = [from === "" ? known[0]! : from, to === "" ? known.at(-1)! : to] as const;
  for (const end of ends) {
    if (known.includes(end)) continue;
    throw new InputError(
      "ERR_UNKNOWN_VERSION",
      `Cannot find version "${end}"`,
      {},
      `Known: ${known.join(", ")}`,
    );
  }
  if (!range.includes("..") || known.indexOf(ends[0]) > known.indexOf(ends[1]))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot take "${range}" for a range`,
      {},
      `Write the older version first, as in ${known[0]}..${known.at(-1)}`,
    );
  return ends;
}

function selection(values: Values, diff: ProtocolDiff): Selection {
  const { pair, side, severity = [] } = values;
  const own = severity.map((text): readonly [string, Level | "off"] => {
    const [id = "", level = ""] = text.split("=");
    if (!rules.has(id)) throw unknownRule(id, rules.keys());
    return [id, oneOf(`--severity ${id}`, level, [...levels, "off"] as const)];
  });
  return {
    ...(pair === undefined || pair === "both" ? {} : { pair: oneOf("--pair", pair, diff.pairs) }),
    ...(side === undefined ? {} : { side: oneOf("--side", side, diff.roles) }),
    severity: Object.fromEntries(own),
  };
}

async function readAcceptances(path: string): Promise<readonly Acceptance[]> {
  const file = await readJsonInput(path);
  check(file, "accept", "ERR_CONFIG");
  return (file.value as unknown as { readonly accept: readonly Acceptance[] }).accept;
}

async function print(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) terminal.out(text);
  else await writeTextFile(out, text.endsWith("\n") ? text : `${text}\n`);
}

/** The day in UTC, so that an acceptance ends everywhere at once. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

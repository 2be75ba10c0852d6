import { relative } from "node:path";
import { parseArgs } from "node:util";
import { acceptFindings, judgeFindings, type Acceptance } from "../diff/accepted-findings.js";
import { diffProtocols } from "../diff/diff-protocols.js";
import { levels, type Finding, type Level, type ProtocolDiff } from "../diff/finding.js";
import type { DiffReport } from "../diff/report/report-text.js";
import { rules } from "../diff/compare/rules.js";
import { findingsFrom, onlyFor, selectFindings, type Selection } from "../diff/select-findings.js";
import { adviseBump, isVersionNumber } from "../diff/version-bump.js";
import { formatInputError, InputError } from "../base/input-error.js";
import { defaultProtocol } from "../base/bundled.js";
import { check } from "../read/description/description.js";
import { readJsonInput } from "../read/source/input-source.js";
import { openProtocolSource } from "../read/protocol-source.js";
import type { ProtocolSource } from "../read/read-protocol.js";
import { printJson } from "../print/json-text.js";
import { visible } from "../base/visible-text.js";
import { writeTextFile } from "../output/write-output.js";
import { oneOf, unknownRule } from "./option-values.js";
import { formats, renderReport, type Format } from "./diff-report.js";
import type { Terminal } from "../base/terminal.js";

const readers = ["strict", "schema", "tolerant"] as const;

/** The text of `--help`. */
export const diffHelp = (): string => `Usage: wirewright diff OLD NEW [options]
       wirewright diff --range FROM..TO [options]
       wirewright diff rules
       wirewright diff explain RULE

Says what a new version of a protocol breaks, for whom, and with which message.

  OLD, NEW              NAME@VERSION (a bundled version), a schema file, - for standard input, an
                        https: URL, REF:path or git:FOLDER#REF:path (a git revision), a .d.ts file,
                        or a package in node_modules such as @vscode/debugprotocol or @wirewright/dap

Options:
  --protocol NAME       protocol that schemas and declarations belong to (default: ${defaultProtocol()})
  --range FROM..TO      compare all bundled versions between two with each other
  --reader POLICY       ${readers.join(", ")}: what readers make of the unexpected (default: tolerant)
  --pair PAIR           judge one meeting only, such as new-client/old-adapter
  --side ROLE           judge for one side that becomes new, such as client
  --for ROLE            as --side, and show that side's part only
  --session RECORDING   only what a recorded session would have met, with the line; may be given twice,
                        once for each direction
  --from CODE           only what TypeScript in a file, a folder or a tsconfig.json has to do with, with
                        the lines
  --severity RULE=LEVEL a level of your own for a rule, or off; may be given several times
  --format FORMAT       ${formats.join(", ")} (default: text)
  --out FILE            write the report there
  --level LEVEL         least level to print as text (default: doc)
  --expand              list every member of a group
  --fail-on LEVEL       ${levels.join(", ")}, or never (default: breaking)
  --accept FILE         findings to live with: {"accept": [{"id", "at", "reason", "until"?}]}
  --claimed VERSION     version number that the new one is to get, to judge whether the step suffices
  --write-accept FILE   write that file for what would fail now
  --help                show this text

Exit status: 0 nothing at or above --fail-on, 1 something is or the claimed step is too small, 2 the versions cannot be compared.`;

const options = {
  protocol: { type: "string" },
  range: { type: "string" },
  reader: { type: "string" },
  pair: { type: "string" },
  side: { type: "string" },
  for: { type: "string" },
  session: { type: "string", multiple: true },
  from: { type: "string" },
  severity: { type: "string", multiple: true },
  format: { type: "string" },
  out: { type: "string" },
  level: { type: "string" },
  expand: { type: "boolean" },
  "fail-on": { type: "string" },
  accept: { type: "string" },
  "write-accept": { type: "string" },
  claimed: { type: "string" },
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
    terminal.out((await import("./diff-rules.js")).listRules(terminal));
    return 0;
  }
  if (positionals[0] === "explain") {
    const [, rule, ...more] = positionals;
    if (rule === undefined || more.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        "Cannot tell which rule to explain: give one",
        {},
        "wirewright diff explain RULE; wirewright diff rules lists them",
      );
    const { explainRule } = await import("./diff-rules.js");
    terminal.out(explainRule(rule, terminal));
    return 0;
  }
  const format = oneOf("--format", values.format ?? "text", formats);
  try {
    if (values.range === undefined) return await compareTwo(positionals, values, format, terminal);
    if (positionals.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot compare "${positionals[0]}" and a range`,
        {},
        "Give two versions, or --range FROM..TO",
      );
    const { compareRange } = await import("./diff-range.js");
    const { text, counts } = await compareRange(
      values.range,
      values.protocol ?? defaultProtocol(),
      format,
      {
        reader: oneOf("--reader", values.reader ?? "tolerant", readers),
        select: (diff) => selectFindings(diff, selection(values, diff)),
        expand: values.expand === true,
        terminal: values.out === undefined ? terminal : plain,
        onProgress: terminal.progress,
      },
    );
    await print(text, values.out, terminal);
    const failOn = failLevel(values);
    const bad = failOn === "never" ? [] : levels.slice(0, levels.indexOf(failOn) + 1);
    return bad.some((level) => counts[level] > 0) ? 1 : 0;
  } catch (error) {
    if (format !== "json" || !(error instanceof InputError)) throw error;
    const { reportErrorJson } = await import("../diff/report/report-json.js");
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
  const protocol = values.protocol ?? defaultProtocol();
  const [before, after] = [
    await openProtocolSource(oldSpec, protocol, { patterns: true }),
    await openProtocolSource(newSpec, protocol, { patterns: true }),
  ];
  const diff = diffProtocols(before.protocol, after.protocol, {
    reader: oneOf("--reader", values.reader ?? "tolerant", readers),
  });
  const failOn = failLevel(values);
  const chosen = selectFindings(diff, selection(values, diff));
  const selected = values.for === undefined ? chosen : onlyFor(chosen, values.for);
  const acceptances = values.accept === undefined ? [] : await readAcceptances(values.accept);
  const judged = judgeFindings(selected.findings, acceptances, today());
  const judgement = { ...judged, open: await seenFindings(judged.open, values, before, after) };
  if (values["write-accept"] !== undefined) {
    const level = failOn === "never" ? "breaking" : failOn;
    const kept = acceptances.filter((each) => !judgement.expired.includes(each));
    const accept = acceptFindings(selected.findings, level, kept);
    await writeTextFile(values["write-accept"], `${printJson({ accept })}\n`);
    terminal.error(
      `${visible(values["write-accept"])}: ${accept.length} accepted; give each its reason`,
    );
    return 0;
  }
  const bump = adviseBump(selected, values.claimed);
  if (values.claimed !== undefined && bump.claimed === undefined)
    throw unjudged(values.claimed, diff);
  const seenIn = values.session?.join(" ") ?? values.from;
  const report: DiffReport = {
    diff: selected,
    bump,
    judgement,
    ...(seenIn === undefined ? {} : { seenIn }),
  };
  const text = await renderReport(report, format, {
    before: before.schema,
    after: after.schema,
    failOn: failOn === "never" ? "breaking" : failOn,
    from: values.level === undefined ? undefined : oneOf("--level", values.level, levels),
    expand: values.expand === true,
    terminal: values.out === undefined ? terminal : plain,
  });
  await print(text, values.out, terminal);
  const isTooSmall = values.claimed !== undefined && bump.suffices === false;
  return isTooSmall || (failOn !== "never" && findingsFrom(judgement.open, failOn).length > 0)
    ? 1
    : 0;
}

/** The findings that somebody has to do with, if that is asked. */
async function seenFindings(
  findings: readonly Finding[],
  { session, from }: Values,
  before: ProtocolSource,
  after: ProtocolSource,
): Promise<readonly Finding[]> {
  if (session !== undefined && from !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot look through a session and code at the same time",
      {},
      "Give --session or --from",
    );
  if (from !== undefined) {
    const { findUses } = await import("../diff/find-uses.js");
    return (await findUses(from, findings)).map(withShortNames);
  }
  if (session === undefined) return findings;
  const { findingsInSession } = await import("./diff-session.js");
  return findingsInSession(session, before.protocol, after.protocol, findings);
}

/** Files of code by their paths from here. */
function withShortNames(finding: Finding): Finding {
  const { seen = [] } = finding;
  return {
    ...finding,
    seen: seen.map((place) => ({ ...place, file: relative(process.cwd(), place.file) })),
  };
}

/** Why a claimed version cannot be judged. */
function unjudged(claimed: string, { before }: ProtocolDiff): InputError {
  return isVersionNumber(claimed)
    ? new InputError(
        "ERR_ARGUMENT",
        `Cannot judge the step to ${claimed}: the old side has no version number`,
        {},
        `Name the file after its version, or give a bundled version instead of "${before}"`,
      )
    : new InputError(
        "ERR_ARGUMENT",
        `Cannot use --claimed "${claimed}"`,
        {},
        "Give a version number such as 1.72.0",
      );
}

function failLevel(values: Values): Level | "never" {
  return oneOf("--fail-on", values["fail-on"] ?? "breaking", [...levels, "never"] as const);
}

/** Options for output to files. */
const plain = { colours: false, columns: 100 };

function selection(values: Values, diff: ProtocolDiff): Selection {
  const { pair, severity = [] } = values;
  const option = values.for === undefined ? "--side" : "--for";
  const side = values.for ?? values.side;
  if (values.for !== undefined && values.side !== undefined && values.for !== values.side)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot judge for the ${values.side} and show the part of the ${values.for}`,
      {},
      "Give --side or --for",
    );
  const own = severity.map((text): readonly [string, Level | "off"] => {
    const [id = "", level = ""] = text.split("=");
    if (!rules.has(id)) throw unknownRule(id, rules.keys(), "diff");
    return [id, oneOf(`--severity ${id}`, level, [...levels, "off"] as const)];
  });
  return {
    ...(pair === undefined || pair === "both" ? {} : { pair: oneOf("--pair", pair, diff.pairs) }),
    ...(side === undefined ? {} : { side: oneOf(option, side, diff.roles) }),
    severity: Object.fromEntries(own),
  };
}

async function readAcceptances(path: string): Promise<readonly Acceptance[]> {
  const file = await readJsonInput(path);
  check(file, "accept", "ERR_CONFIG");
  const { accept } = file.value as unknown as { readonly accept: readonly Acceptance[] };
  for (const { id } of accept) if (!rules.has(id)) throw unknownRule(id, rules.keys(), "diff");
  return accept;
}

async function print(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) terminal.out(text);
  else await writeTextFile(out, text.endsWith("\n") ? text : `${text}\n`);
}

/** The current day in UTC, so that an acceptance expires everywhere at the same time. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

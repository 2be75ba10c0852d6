import { relative } from "node:path";
import { parseArgs } from "node:util";
import { judgeFindings } from "../diff/accepted-findings.js";
import { diffProtocols } from "../diff/diff-protocols.js";
import { levels, type Finding, type Level } from "../diff/finding.js";
import type { DiffReport } from "../diff/report/report-text.js";
import { findingsFrom, onlyFor, selectFindings } from "../diff/select-findings.js";
import { adviseBump } from "../diff/version-bump.js";
import { formatInputError, InputError } from "../base/input-error.js";
import { defaultProtocol } from "../base/bundled.js";
import { openProtocolSource } from "../read/protocol-source.js";
import type { ProtocolSource } from "../read/read-protocol.js";
import { readDiffSettings, readers, selectionOf, type DiffSettings } from "./diff-settings.js";
import { refuseClaim, smallStepText, statusOf, today, writeAccepted } from "./diff-outcome.js";
import { oneOf } from "./option-values.js";
import { projectFileName } from "./project-file.js";
import { formats, renderReport, type Format } from "./diff-report.js";
import type { Terminal } from "../base/terminal.js";

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
  --fail-on-step        fail if the step between the two version numbers is too small for the changes
  --claimed VERSION     version number that the new one is to get, in place of its own: 1.72.0, 1.71.0..1.72.0,
                        or the step: major, minor, patch. Fails if that is too small
  --accept FILE         findings to live with: {"accept": [{"id", "at", "reason", "until"?}]}
  --fail-on-stale       fail if a finding is accepted that is not found
  --write-accept FILE   add to that file what would fail now
  --config FILE         project file whose part "diff" has settings (default: ./${projectFileName})
  --help                show this text

Exit status: 0 nothing at or above --fail-on, 1 something is, or a step or an acceptance fails, 2 the versions cannot be compared.`;

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
  config: { type: "string" },
  "fail-on-stale": { type: "boolean" },
  "fail-on-step": { type: "boolean" },
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
    const settings = await readDiffSettings(values);
    if (values.range === undefined)
      return await compareTwo(positionals, values, settings, format, terminal);
    if (positionals.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot compare "${positionals[0]}" and a range`,
        {},
        "Give two versions, or --range FROM..TO",
      );
    return await compareAll(values.range, values, settings, format, terminal);
  } catch (error) {
    if (format !== "json" || !(error instanceof InputError)) throw error;
    const { reportErrorJson } = await import("../diff/report/report-json.js");
    terminal.out(reportErrorJson(error));
    terminal.error(formatInputError(error));
    return 2;
  }
}

async function compareAll(
  range: string,
  values: Values,
  settings: DiffSettings,
  format: Format,
  terminal: Terminal,
): Promise<number> {
  const alone = (["claimed", "session"] as const).find((option) => values[option] !== undefined);
  if (alone !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use --${alone} with a range`,
      {},
      alone === "claimed"
        ? "Compare two versions, or judge the steps of the range with --fail-on-step"
        : "Compare two versions",
    );
  const { compareRange } = await import("./diff-range.js");
  const judged = await compareRange(range, settings, {
    format,
    from: leastLevel(values),
    expand: values.expand === true,
    terminal: values.out === undefined ? terminal : plain,
    onProgress: terminal.progress,
    today: today(),
  });
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, judged.findings, settings, terminal);
  await print(judged.text, values.out, terminal);
  const { failOn } = settings;
  const bad = failOn === "never" ? [] : levels.slice(0, levels.indexOf(failOn) + 1);
  return statusOf(
    {
      findings: bad.some((level) => judged.counts[level] > 0),
      smallSteps: settings.failOnStep ? judged.smallSteps : [],
      stale: settings.failOnStale ? judged.stale : [],
    },
    terminal,
  );
}

function leastLevel({ level }: Values): Level | undefined {
  return level === undefined ? undefined : oneOf("--level", level, levels);
}

async function compareTwo(
  specs: readonly string[],
  values: Values,
  settings: DiffSettings,
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
  const { protocol, reader, failOn, acceptances } = settings;
  const [before, after] = [
    await openProtocolSource(oldSpec, protocol, { modules: false }),
    await openProtocolSource(newSpec, protocol, { modules: false }),
  ];
  const diff = diffProtocols(before.protocol, after.protocol, { reader });
  const chosen = selectFindings(diff, selectionOf(settings, diff));
  const selected = settings.part === undefined ? chosen : onlyFor(chosen, settings.part);
  const judged = judgeFindings(selected.findings, acceptances, today());
  const judgement = { ...judged, open: await seenFindings(judged.open, values, before, after) };
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, selected.findings, settings, terminal);
  const judgesStep = values.claimed !== undefined || settings.failOnStep;
  if (judgesStep) refuseClaim(values.claimed ?? diff.after, diff, values.claimed !== undefined);
  const bump = adviseBump(selected, values.claimed);
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
    from: leastLevel(values),
    expand: values.expand === true,
    terminal: values.out === undefined ? terminal : plain,
  });
  await print(text, values.out, terminal);
  const isSmall = judgesStep && bump.suffices === false;
  return statusOf(
    {
      findings: failOn !== "never" && findingsFrom(judgement.open, failOn).length > 0,
      smallSteps: isSmall ? [smallStepText(selected, bump)] : [],
      stale: settings.failOnStale ? judgement.stale : [],
    },
    terminal,
  );
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

/** Options for output to files. */
const plain = { colours: false, columns: 100 };

async function print(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) terminal.out(text);
  else {
    const { writeTextFile } = await import("../output/write-output.js");
    await writeTextFile(out, text.endsWith("\n") ? text : `${text}\n`);
  }
}

import { dirname, isAbsolute, join } from "node:path";
import { acceptFindings, type Acceptance } from "../diff/accepted-findings.js";
import { readerPolicies, readOutcomes, type ReaderPolicy } from "../diff/compare/outcomes.js";
import type { Compiles } from "../diff/compare/rule-family.js";
import { rules } from "../diff/compare/rules.js";
import {
  diffSeverities,
  type Finding,
  type ProtocolDiff,
  type DiffSeverity,
} from "../diff/finding.js";
import { findingsFrom } from "../diff/select-findings.js";
import { checkClaim, type BumpAdvice } from "../diff/version-bump.js";
import { defaultProtocol, bundledProtocols } from "../generator/base/bundled.js";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { printJson } from "../generator/print/json-text.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine, type OptionValues, oneOf } from "./command-line.js";
import { diffRange, diffVersions, today, type JudgingOptions } from "./diff-versions.js";
import {
  diffFormats,
  isBrief,
  printRange,
  printDiff,
  type PrintDiffOptions,
} from "./print-diff.js";
import { projectFileName, findProjectFile } from "./project-file.js";
import { unknownRule } from "./shared-options.js";
import { existsSync } from "node:fs";
import { check } from "../generator/read/description/check-file.js";
import { readJsonInput } from "../generator/read/source/input-source.js";
import { isJsonObject, joinPointer, type JsonFile } from "../generator/read/source/json-text.js";

export const diffCommand = describeCommand({
  name: "diff",
  forms: ["OLD NEW [options]", "--range FROM..TO [options]", "rules", "explain RULE"],
  about:
    "Compares two versions of a protocol, and reports the breaking changes, the affected sides, and example messages. The second form compares all versions in a range with each other. The other forms explain the rules.",
  operands: [
    [
      "OLD, NEW",
      "NAME@VERSION (a bundled version, or a version in a folder with a protocol.json), a protocol.json or its folder, a schema file, - for standard input, an https: URL, a .d.ts file, or a package in node_modules such as @vscode/debugprotocol or @wirewright/dap. REF:path or git:FOLDER#REF:path is a file or folder at a git revision",
    ],
  ],
  options: {
    protocol: {
      value: "NAME",
      help: "protocol to which the schemas or declarations belong",
      otherwise: defaultProtocol,
    },
    overlay: {
      multiple: true,
      value: "FILE",
      help: "file with messages and properties to add to both versions",
    },
    range: { value: "FROM..TO", help: "compare all bundled versions from FROM to TO" },
    reader: {
      value: "POLICY",
      help: "how readers react to unexpected values",
      choices: readerPolicies,
      otherwise: "tolerant",
    },
    pair: {
      value: "PAIR",
      help: "consider only one pair of versions, such as new-client/old-adapter",
    },
    side: {
      value: "ROLE",
      help: "consider only the side that moves to the new version, such as client",
    },
    for: { value: "ROLE", help: "like --side, but show only that side's tasks" },
    session: {
      multiple: true,
      value: "RECORDING",
      help: "show only findings that affect a recorded session, with the first affected line. Give one file, or one for each direction",
    },
    from: {
      value: "CODE",
      help: "compile the TypeScript code in a file, a folder or a tsconfig.json project with the types of both versions, and show only the new errors",
    },
    severity: {
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set the severity of a rule, or turn it off",
    },
    format: { value: "FORMAT", help: "", choices: diffFormats, default: "text" },
    out: { value: "FILE", help: "file to write the report to", otherwise: "standard output" },
    "at-least": {
      value: "SEVERITY",
      help: "lowest severity to print as text",
      choices: diffSeverities,
      otherwise: "doc",
    },
    expand: { help: "list every member of a group of findings" },
    "fail-on": {
      value: "SEVERITY",
      help: "lowest severity that makes the command fail",
      choices: [...diffSeverities, "never"],
      otherwise: "breaking",
    },
    "fail-on-step": { help: "fail if the version step is too small for the changes" },
    claimed: {
      value: "VERSION",
      help: "planned version number, such as 1.72.0 or 1.71.0..1.72.0, or planned step: major, minor or patch. Fails if the step is too small",
    },
    accept: {
      value: "FILE",
      help: 'file of accepted findings: {"accept": [{"rule", "at", "reason", "until"?}]}',
    },
    "fail-on-stale": { help: "fail if an accepted finding no longer occurs" },
    "write-accept": {
      value: "FILE",
      help: "accept the findings that make the command fail, by adding them to this file",
    },
    config: {
      value: "FILE",
      help: 'project file with settings under "diff"',
      otherwise: `./${projectFileName}`,
    },
  },
  examples: [
    ["diff dap@1.70.0 dap@1.71.0 --for adapter", "list the tasks for an adapter"],
    ["diff @vscode/debugprotocol dap", "compare the package that you use with the newest version"],
    ["diff origin/main:protocol protocol --fail-on risky", "check your own protocol in CI"],
  ],
  status:
    "0 if no finding reaches --fail-on, 1 if one does, or if the version step or the accepted findings fail their check, 2 if the versions cannot be compared.",
});

export type DiffValues = OptionValues<typeof diffCommand.options>;

/** Runs `wirewright diff`. Returns the exit status. */
export async function runDiff(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(diffCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const [first, rule, ...more] = positionals;
  if (first === "rules" && rule === undefined) {
    terminal.out(listRules(terminal));
    return 0;
  }
  if (first === "explain") {
    if (rule === undefined || more.length > 0)
      throw argumentError(
        "Cannot explain a rule: no rule is given",
        "Call wirewright diff explain RULE; wirewright diff rules lists the rules",
      );
    terminal.out(explainRule(rule, terminal));
    return 0;
  }
  try {
    const settings = await readDiffSettings(values);
    return values.range === undefined
      ? await compareTwo(positionals, values, settings, terminal)
      : await compareAll(values.range, positionals, values, settings, terminal);
  } catch (error) {
    if (values.format !== "json" || !(error instanceof InputError)) throw error;
    const { reportErrorJson } = await import("../diff/report/report-json.js");
    terminal.out(reportErrorJson(error));
    terminal.error(formatInputError(error));
    return 2;
  }
}

async function compareAll(
  range: string,
  versions: readonly string[],
  values: DiffValues,
  settings: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  if (versions.length > 0)
    throw argumentError(
      `Cannot compare "${versions[0]}" and a range`,
      "Give two versions, or --range FROM..TO",
    );
  refuseInRange(values);
  const diff = await diffRange(range, {
    ...settings.judging,
    findings: values.expand === true || !isBrief(values.format),
    onProgress: (done, all) => terminal.progress(done < all ? `${done} of ${all} pairs` : ""),
  });
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, diff.findings, settings, terminal);
  const text = await printRange(diff, values.format, printOptions(values, settings, terminal));
  await print(text, values.out, terminal);
  const { failOn } = settings;
  const failing =
    failOn === "never" ? [] : diffSeverities.slice(0, diffSeverities.indexOf(failOn) + 1);
  return statusOf(
    {
      findings: failing.some((severity) => diff.counts[severity] > 0),
      smallSteps: settings.failOnStep ? diff.smallSteps.map(smallStepText) : [],
      stale: settings.failOnStale ? diff.stale : [],
    },
    terminal,
  );
}

/**
 * If the call compares a range, rejects options that apply only to a comparison of two versions.
 */
function refuseInRange(values: DiffValues): void {
  const refused = (["claimed", "session", "from", "overlay"] as const).find(
    (option) => values[option] !== undefined,
  );
  if (refused === undefined) return;
  throw argumentError(
    `Cannot use --${refused} with a range`,
    refused === "claimed"
      ? "Compare two versions, or check the steps of the range with --fail-on-step"
      : "Compare two versions",
  );
}

async function compareTwo(
  versions: readonly string[],
  values: DiffValues,
  settings: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  const [before, after] = versions;
  if (before === undefined || after === undefined || versions.length > 2)
    throw argumentError(
      `Cannot compare ${versions.length} version${versions.length === 1 ? "" : "s"}: give two versions, the old one first`,
      "See wirewright diff --help",
    );
  const { claimed, session, from, overlay } = values;
  if (session !== undefined && from !== undefined)
    throw argumentError(
      "Cannot filter by a session and by code at the same time",
      "Give --session or --from",
    );
  const diff = await diffVersions(before, after, {
    ...settings.judging,
    claimed,
    session,
    code: from,
    overlays: overlay,
    onWarning: (warning) => {
      // Other warnings are about the schema itself, which generate reports.
      if (warning.code !== "ERR_REF" && warning.code !== "ERR_COMPILE") return;
      const label = paint({ colours: terminal.errorColours }, "yellow", "warning");
      terminal.error(`${label}: ${formatInputError(warning)}`);
    },
  });
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, diff.diff.findings, settings, terminal);
  const judgesStep = claimed !== undefined || settings.failOnStep;
  if (judgesStep && claimed === undefined) checkClaim(diff.diff.after, diff.diff, false);
  const text = await printDiff(diff, values.format, printOptions(values, settings, terminal));
  await print(text, values.out, terminal);
  const { failOn, failOnStale } = settings;
  return statusOf(
    {
      findings: failOn !== "never" && findingsFrom(diff.findings, failOn).length > 0,
      smallSteps: judgesStep && diff.bump.suffices === false ? [smallStepText(diff)] : [],
      stale: failOnStale ? diff.stale : [],
    },
    terminal,
  );
}

function printOptions(
  { "at-least": from, expand = false, out }: DiffValues,
  { failOn }: DiffSettings,
  { colours, columns }: Terminal,
): PrintDiffOptions {
  return {
    failOn: failOn === "never" ? "breaking" : failOn,
    from,
    expand,
    colours: out === undefined && colours,
    columns: out === undefined ? columns : undefined,
  };
}

async function print(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) terminal.out(text);
  else {
    const { writeTextFile } = await import("../generator/output/write-output.js");
    await writeTextFile(out, text.endsWith("\n") ? text : `${text}\n`);
  }
}

/** Why a `diff` call fails. */
interface Failures {
  readonly findings: boolean;
  /** Version steps that are too small, as printed by `smallStepText`. */
  readonly smallSteps: readonly string[];
  readonly stale: readonly Acceptance[];
}

/** Returns the exit status, and prints any reasons for failure that the report does not show. */
function statusOf({ findings, smallSteps, stale }: Failures, terminal: Terminal): number {
  for (const step of smallSteps) terminal.error(`The version step is too small: ${visible(step)}`);
  for (const { rule, at } of stale)
    terminal.error(`Accepted finding no longer occurs: ${visible(`${rule} ${at}`)}`);
  return findings || smallSteps.length > 0 || stale.length > 0 ? 1 : 0;
}

/** Describes a claimed version step that is too small, along with the required step. */
function smallStepText({
  diff: { before, after },
  bump,
}: {
  readonly diff: ProtocolDiff;
  readonly bump: BumpAdvice;
}): string {
  return `${before} to ${after} is "${bump.claimed}", but the changes require "${bump.needed}"`;
}

/** Accepts the findings that would cause a failure, by adding them to an acceptance file. */
async function writeAccepted(
  path: string,
  findings: readonly Finding[],
  { failOn, judging }: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  const severity = failOn === "never" ? "breaking" : failOn;
  const existing = unique([...(await readPresentAcceptances(path)), ...judging.accept]);
  const accept = acceptFindings(findings, severity, existing, today());
  const { writeTextFile } = await import("../generator/output/write-output.js");
  await writeTextFile(path, `${printJson({ accept })}\n`);
  const added = accept.filter((acceptance) => !existing.includes(acceptance)).length;
  terminal.error(
    `${visible(path)}: ${accept.length} accepted, ${added} of them new; add a reason to each`,
  );
  return 0;
}

/** Keeps only the first acceptance for each rule and location. */
function unique(acceptances: readonly Acceptance[]): readonly Acceptance[] {
  const seen = new Set<string>();
  return acceptances.filter(({ rule, at }) => {
    const size = seen.size;
    return seen.add(`${rule} ${at}`).size > size;
  });
}

/** Prints the list of rules for `wirewright diff rules`. */
function listRules(terminal: Terminal): string {
  const width = Math.max(...[...rules.keys()].map((id) => id.length));
  const head = `${"RULE".padEnd(width)}  ${"OLD TO NEW".padEnd(11)} ${"NEW TO OLD".padEnd(11)} CHANGE`;
  const rows = [...rules.values()].map(
    ({ id, title, oldToNew, newToOld }) =>
      `${paint(terminal, "bold", id.padEnd(width))}  ${oldToNew.padEnd(11)} ${newToOld.padEnd(11)} ${title}`,
  );
  return [paint(terminal, "dim", head), ...rows].join("\n");
}

/** Runs `wirewright diff explain RULE`. */
function explainRule(id: string, terminal: Terminal): string {
  const rule = rules.get(id);
  if (rule === undefined) throw unknownRule(id, rules.keys(), "diff");
  return [
    `${paint(terminal, "bold", rule.id)}: ${rule.title}`,
    "",
    rule.reason
      .replaceAll("{gate}", "its capability")
      .replaceAll("{before}", "the old one")
      .replaceAll("{after}", "the new one"),
    "",
    `  written by the old version, read by the new one: ${readOutcomes[rule.oldToNew].docs}`,
    `  written by the new version, read by the old one: ${readOutcomes[rule.newToOld].docs}`,
    `  old code that builds it, with the new types:     ${compilesText(rule.producer)}`,
    `  old code that reads it, with the new types:      ${compilesText(rule.consumer)}`,
    ...(rule.exhaustive ? ["  exhaustive switches and total maps stop compiling"] : []),
    "",
    `The opposite change: ${rule.mirror}`,
  ].join("\n");
}

function compilesText({ compiles, error, when }: Compiles): string {
  if (compiles) return "compiles";
  const where = {
    always: "",
    "direct-use": ", where code uses it by name",
    "whole-value": ", where code does not distinguish the alternatives",
    sometimes: ", depending on the types",
  };
  return `fails (${error})${where[when ?? "always"]}`;
}

/** The lowest severity at which a finding causes a failure, or `never`. */
type FailSeverity = DiffSeverity | "never";

/** The settings of a call. Command line options take precedence over the project file. */
interface DiffSettings {
  /** Settings that affect findings. */
  readonly judging: JudgingOptions & { readonly accept: readonly Acceptance[] };
  readonly failOn: FailSeverity;
  /** Whether to fail if an acceptance matches no finding. */
  readonly failOnStale: boolean;
  /** Whether to fail if a version step is too small. */
  readonly failOnStep: boolean;
}

/** The `diff` section of a project file, as described in `schema/formats/config.schema.json`. */
interface ConfiguredDiff {
  readonly protocol?: string;
  readonly reader?: ReaderPolicy;
  readonly pair?: string;
  readonly side?: string;
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
  readonly failOn?: FailSeverity;
  readonly failOnStale?: boolean;
  readonly failOnStep?: boolean;
  readonly accept?: string | readonly Acceptance[];
}

/**
 * Reads the settings for a comparison. @throws InputError `ERR_ARGUMENT`, `ERR_CONFIG` or
 * `ERR_READ`.
 */
async function readDiffSettings(values: DiffValues): Promise<DiffSettings> {
  const path = values.config ?? findProjectFile();
  const configured = path === undefined ? {} : await readConfiguredDiff(path);
  const severity = (values.severity ?? []).map(readSeverity);
  return {
    judging: {
      protocol: values.protocol ?? configured.protocol ?? defaultProtocol(),
      reader: values.reader ?? configured.reader ?? "tolerant",
      pair: values.pair ?? configured.pair,
      side: values.side ?? configured.side,
      part: readPart(values),
      severity: { ...configured.severity, ...Object.fromEntries(severity) },
      accept:
        values.accept === undefined
          ? await configuredAcceptances(configured)
          : await readAcceptances(values.accept),
    },
    failOn: values["fail-on"] ?? configured.failOn ?? "breaking",
    failOnStale: values["fail-on-stale"] ?? configured.failOnStale ?? false,
    failOnStep: values["fail-on-step"] ?? configured.failOnStep ?? false,
  };
}

function readPart({ side, for: part }: DiffValues): string | undefined {
  if (part === undefined || side === undefined || part === side) return part;
  throw argumentError(`Cannot use --side ${side} with --for ${part}`, "Use one of the two");
}

/** Reads an acceptance file. @throws InputError `ERR_READ`, `ERR_JSON` or `ERR_CONFIG`. */
export async function readAcceptances(path: string): Promise<readonly Acceptance[]> {
  const file = await readJsonInput(path);
  check(file, "accept", "ERR_CONFIG");
  const { accept } = file.value as unknown as { readonly accept: readonly Acceptance[] };
  refuseUnknownRules(accept, file, "/accept");
  return accept;
}

/**
 * Reads the acceptances in a file that will be overwritten. Resolves to an empty array if the file
 * does not exist yet.
 */
async function readPresentAcceptances(path: string): Promise<readonly Acceptance[]> {
  return existsSync(path) ? readAcceptances(path) : [];
}

/**
 * Reads the `diff` section of a project file. A file that lacks this section is not validated,
 * because it is meant for other commands.
 */
async function readConfiguredDiff(path: string): Promise<ConfiguredDiff> {
  const file = await readJsonInput(path);
  if (isJsonObject(file.value) && !Object.hasOwn(file.value, "diff")) return {};
  check(file, "config", "ERR_CONFIG");
  const { diff } = file.value as unknown as { readonly diff: ConfiguredDiff };
  const { severity = {}, accept, protocol } = diff;
  for (const id of Object.keys(severity))
    if (!rules.has(id))
      throw unknownRule(id, rules.keys(), "diff", file.locate(joinPointer("/diff/severity", id)));
  if (typeof accept === "object") refuseUnknownRules(accept, file, "/diff/accept");
  const besideFile = (name: string): string =>
    isAbsolute(name) ? name : join(dirname(path), name);
  return {
    ...diff,
    ...(protocol === undefined || bundledProtocols().includes(protocol)
      ? {}
      : { protocol: besideFile(protocol) }),
    ...(typeof accept === "string" ? { accept: besideFile(accept) } : {}),
  };
}

async function configuredAcceptances({
  accept = [],
}: ConfiguredDiff): Promise<readonly Acceptance[]> {
  return typeof accept === "string" ? readAcceptances(accept) : accept;
}

function refuseUnknownRules(accept: readonly Acceptance[], file: JsonFile, pointer: string): void {
  accept.forEach(({ rule }, index) => {
    if (!rules.has(rule))
      throw unknownRule(
        rule,
        rules.keys(),
        "diff",
        file.locate(joinPointer(pointer, index, "rule")),
      );
  });
}

function readSeverity(text: string): readonly [string, DiffSeverity | "off"] {
  const [id = "", severity = ""] = text.split("=");
  if (!rules.has(id)) throw unknownRule(id, rules.keys(), "diff");
  return [id, oneOf(`--severity ${id}`, severity, [...diffSeverities, "off"] as const)];
}

import { relative } from "node:path";
import { defaultProtocol } from "../generator/base/bundled.js";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import { readerPolicies } from "../diff/compare/outcomes.js";
import { diffSeverities, type Finding } from "../diff/finding.js";
import { findingsFrom } from "../diff/select-findings.js";
import { checkClaim } from "../diff/version-bump.js";
import { diffVersions, type VersionDiff } from "./diff-versions.js";
import { diffFormats, printDiff, type PrintDiffOptions } from "./print-diff.js";
import { describeCommand, readCommandLine, type OptionValues } from "./command-line.js";
import { smallStepText, statusOf, writeAccepted } from "./diff-outcome.js";
import { judgingOptions, readDiffSettings, type DiffSettings } from "./diff-settings.js";
import { projectFileName } from "./project-file.js";

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
      type: "string",
      value: "NAME",
      help: "protocol to which the schemas or declarations belong",
      otherwise: defaultProtocol,
    },
    range: {
      type: "string",
      value: "FROM..TO",
      help: "compare all bundled versions from FROM to TO",
    },
    reader: {
      type: "string",
      value: "POLICY",
      help: "how readers react to unexpected values",
      choices: readerPolicies,
      otherwise: "tolerant",
    },
    pair: {
      type: "string",
      value: "PAIR",
      help: "consider only one pair of versions, such as new-client/old-adapter",
    },
    side: {
      type: "string",
      value: "ROLE",
      help: "consider only the side that moves to the new version, such as client",
    },
    for: {
      type: "string",
      value: "ROLE",
      help: "like --side, but show only that side's tasks",
    },
    session: {
      type: "string",
      multiple: true,
      value: "RECORDING",
      help: "show only findings that affect a recorded session, with the first affected line. Give one file, or one for each direction",
    },
    from: {
      type: "string",
      value: "CODE",
      help: "show only findings that affect the TypeScript code in a file, a folder or a tsconfig.json project, with the affected lines",
    },
    severity: {
      type: "string",
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set the severity of a rule, or turn it off",
    },
    format: { type: "string", value: "FORMAT", help: "", choices: diffFormats, default: "text" },
    out: {
      type: "string",
      value: "FILE",
      help: "file to write the report to",
      otherwise: "standard output",
    },
    "at-least": {
      type: "string",
      value: "SEVERITY",
      help: "lowest severity to print as text",
      choices: diffSeverities,
      otherwise: "doc",
    },
    expand: { type: "boolean", help: "list every member of a group of findings" },
    "fail-on": {
      type: "string",
      value: "SEVERITY",
      help: "lowest severity that makes the command fail",
      choices: [...diffSeverities, "never"],
      otherwise: "breaking",
    },
    "fail-on-step": {
      type: "boolean",
      help: "fail if the version step is too small for the changes",
    },
    claimed: {
      type: "string",
      value: "VERSION",
      help: "planned version number, such as 1.72.0 or 1.71.0..1.72.0, or planned step: major, minor or patch. Fails if the step is too small",
    },
    accept: {
      type: "string",
      value: "FILE",
      help: 'file of accepted findings: {"accept": [{"rule", "at", "reason", "until"?}]}',
    },
    "fail-on-stale": { type: "boolean", help: "fail if an accepted finding no longer occurs" },
    "write-accept": {
      type: "string",
      value: "FILE",
      help: "accept the findings that make the command fail, by adding them to this file",
    },
    config: {
      type: "string",
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

type Values = OptionValues<typeof diffCommand.options>;

/** Runs `wirewright diff`. Returns the exit status. */
export async function runDiff(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(diffCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const [first, rule, ...more] = positionals;
  if (first === "rules" && rule === undefined) {
    terminal.out((await import("./diff-rules.js")).listRules(terminal));
    return 0;
  }
  if (first === "explain") {
    if (rule === undefined || more.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        "Cannot explain a rule: no rule is given",
        {},
        "Call wirewright diff explain RULE; wirewright diff rules lists the rules",
      );
    terminal.out((await import("./diff-rules.js")).explainRule(rule, terminal));
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
  specs: readonly string[],
  values: Values,
  settings: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  if (specs.length > 0)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare "${specs[0]}" and a range`,
      {},
      "Give two versions, or --range FROM..TO",
    );
  refuseInRange(values);
  const { diffRange } = await import("./diff-range.js");
  const { isBrief, printRange } = await import("./print-range.js");
  const diff = await diffRange(range, {
    ...judgingOptions(settings),
    findings: values.expand === true || !isBrief(values.format),
    onProgress: (done, all) => terminal.progress(done < all ? `${done} of ${all} pairs` : ""),
  });
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, diff.findings, settings, terminal);
  const text = await printRange(diff, values.format, printOptions(values, settings, terminal));
  await print(text, values.out, terminal);
  const { failOn } = settings;
  const bad = failOn === "never" ? [] : diffSeverities.slice(0, diffSeverities.indexOf(failOn) + 1);
  return statusOf(
    {
      findings: bad.some((severity) => diff.counts[severity] > 0),
      smallSteps: settings.failOnStep ? diff.smallSteps.map(smallStepText) : [],
      stale: settings.failOnStale ? diff.stale : [],
    },
    terminal,
  );
}

/**
 * If the call compares a range, rejects options that apply only to a comparison of two versions.
 */
function refuseInRange(values: Values): void {
  const alone = (["claimed", "session", "from"] as const).find(
    (option) => values[option] !== undefined,
  );
  if (alone === undefined) return;
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use --${alone} with a range`,
    {},
    alone === "claimed"
      ? "Compare two versions, or check the steps of the range with --fail-on-step"
      : "Compare two versions",
  );
}

async function compareTwo(
  specs: readonly string[],
  values: Values,
  settings: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  const [before, after] = specs;
  if (before === undefined || after === undefined || specs.length > 2)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare ${specs.length} version${specs.length === 1 ? "" : "s"}: give two versions, the old one first`,
      {},
      "See wirewright diff --help",
    );
  const { claimed, session, from } = values;
  if (session !== undefined && from !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot filter by a session and by code at the same time",
      {},
      "Give --session or --from",
    );
  const diff = await diffVersions(before, after, {
    ...judgingOptions(settings),
    ...(claimed === undefined ? {} : { claimed }),
    ...(session === undefined ? {} : { session }),
    ...(from === undefined ? {} : { code: from }),
  });
  const path = values["write-accept"];
  if (path !== undefined) return writeAccepted(path, diff.diff.findings, settings, terminal);
  const judgesStep = claimed !== undefined || settings.failOnStep;
  if (judgesStep && claimed === undefined) checkClaim(diff.diff.after, diff.diff, false);
  const text = await printDiff(
    from === undefined ? diff : withShortNames(diff),
    values.format,
    printOptions(values, settings, terminal),
  );
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
  { "at-least": from, expand = false, out }: Values,
  { failOn }: DiffSettings,
  { colours, columns }: Terminal,
): PrintDiffOptions {
  return {
    failOn: failOn === "never" ? "breaking" : failOn,
    from,
    expand,
    ...(out === undefined ? { colours, columns } : {}),
  };
}

/** Makes code file paths relative to the current folder. */
function withShortNames(diff: VersionDiff): VersionDiff {
  const findings = diff.findings.map(({ seen = [], ...finding }): Finding => ({
    ...finding,
    seen: seen.map((place) => ({ ...place, file: relative(process.cwd(), place.file) })),
  }));
  return { ...diff, findings };
}

async function print(text: string, out: string | undefined, terminal: Terminal): Promise<void> {
  if (out === undefined) terminal.out(text);
  else {
    const { writeTextFile } = await import("../generator/output/write-output.js");
    await writeTextFile(out, text.endsWith("\n") ? text : `${text}\n`);
  }
}

import { existsSync } from "node:fs";
import { toolHomepage, toolVersion } from "../generator/base/bundled.js";
import { paint } from "../generator/base/paint.js";
import type { Severity } from "../generator/base/severity.js";
import type { Terminal } from "../generator/base/terminal.js";
import { readCommentedFile, type CommentedFile } from "../launch/commented-json.js";
import {
  configurationFormats,
  printConfigurationGithub,
  printConfigurationJson,
  printConfigurationSarif,
  printConfigurationText,
  reportOf,
  type ConfigurationReport,
} from "../launch/configuration-report.js";
import { configurationRules, type ConfigurationFinding } from "../launch/configuration-rules.js";
import type { ConfigurationSource } from "../launch/configuration-set.js";
import { judgeLaunchFile } from "../launch/judge-launch-file.js";
import { judgeSource } from "../launch/judge-source.js";
import { readConfigurations } from "../launch/read-configurations.js";
import { isManifest } from "../launch/read-manifest.js";
import { argumentError } from "./argument-error.js";
import { oneOf } from "./command-line.js";
import { findProjectFile, readConfigurationSources } from "./project-file.js";
import { isFailure, readSeverities } from "./shared-options.js";

/** `wirewright lint` options for checking configurations. */
interface LintConfigurationValues {
  readonly configuration: string;
  readonly against?: readonly string[];
  readonly format: string;
  readonly severity?: readonly string[];
  readonly "fail-on": Severity | "never";
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** Runs `wirewright lint --configuration`. Returns the exit status. */
export async function lintConfiguration(
  values: LintConfigurationValues,
  terminal: Terminal,
): Promise<number> {
  const format = oneOf("--format", values.format, configurationFormats);
  const severities = readSeverities(
    values.severity,
    () => new Map(Object.entries(configurationRules)),
  );
  const file = await readCommentedFile(values.configuration);
  const sources = isManifest(file.value)
    ? [await readConfigurations(values.configuration)]
    : await readSources(values.against);
  const unrated = isManifest(file.value)
    ? judgeSource(sources[0]!)
    : judgeLaunchFile(
        file,
        sources.flatMap(({ sets }) => sets),
      );
  const findings = unrated.flatMap((finding): ConfigurationFinding[] => {
    const severity = severities.get(finding.rule) ?? finding.severity;
    return severity === "off" ? [] : [{ ...finding, severity }];
  });
  const report = reportOf(
    shownName(file),
    sources.map((source) => source.file),
    findings,
  );
  print(report, format, terminal);
  return isFailure(report.counts, values["fail-on"]) ? 1 : 0;
}

function shownName({ name }: CommentedFile): string {
  return name === "-" ? "<stdin>" : name;
}

function print(
  report: ConfigurationReport,
  format: (typeof configurationFormats)[number],
  terminal: Terminal,
): void {
  if (format === "json") terminal.out(printConfigurationJson(report));
  else if (format === "sarif") {
    const tool = { version: toolVersion(), homepage: toolHomepage() };
    terminal.out(printConfigurationSarif(report, tool, process.cwd()));
  } else if (format === "text")
    terminal.out(
      printConfigurationText(report, (severity, text) => paint(terminal, colours[severity], text)),
    );
  else if (report.findings.length > 0) terminal.out(printConfigurationGithub(report));
}

/**
 * Returns the sources to check against: those on the command line, or else those in the project
 * file, or else the folder's package.json.
 */
async function readSources(
  given: readonly string[] | undefined,
): Promise<readonly ConfigurationSource[]> {
  if (given !== undefined) return Promise.all(given.map(readConfigurations));
  const project = findProjectFile();
  const configured = project === undefined ? [] : await readConfigurationSources(project);
  if (configured.length > 0) return Promise.all(configured.map(readConfigurations));
  const manifest = "package.json";
  if (existsSync(manifest) && isManifest((await readCommentedFile(manifest)).value))
    return [await readConfigurations(manifest)];
  throw argumentError(
    "Cannot check configurations: no VS Code extension is given, and there is no package.json here",
    "Give its package.json with --against",
  );
}

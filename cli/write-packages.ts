import { watch } from "node:fs";
import { join, dirname } from "node:path";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { paint } from "../generator/base/paint.js";
import { countText } from "../generator/base/plural.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import type { Protocol } from "../generator/model/protocol.js";
import { formatPackage } from "../generator/output/format-package.js";
import { compareOutput, writeOutput } from "../generator/output/write-output.js";
import { findDescription } from "../generator/read/read-protocol.js";
import type { ConfigurationFinding } from "../launch/configuration-rules.js";
import type { DerivedFile } from "../launch/derived-files.js";
import { generate } from "./generate.js";
import type { PackageJob, ProjectJobs } from "./project-file.js";
import { importExtensionFor, notesFor } from "./user-project.js";

/**
 * Writes packages and other files. If one package cannot be generated or written, continues with the
 * next.
 * Returns the exit status.
 */
export async function writeJobs(
  { packages: jobs, derived }: ProjectJobs,
  force: boolean,
  terminal: Terminal,
): Promise<number> {
  const stale = await filesOf(derived);
  let status = 0;
  const notes = new Set<string>();
  for (const [index, job] of jobs.entries()) {
    if (jobs.length > 1) terminal.progress(`package ${index + 1} of ${jobs.length}`);
    try {
      const { files, contents } = await packageOf(job, terminal);
      const written = await writeOutput(job.out, files, { force });
      const what =
        written === 0
          ? paint(terminal, "dim", "up to date")
          : `${written} file${written === 1 ? "" : "s"} written`;
      const note = paint(terminal, "dim", `(${contents})`);
      terminal.out(`${paint(terminal, "bold", visible(job.out))}: ${what} ${note}`);
      if (written > 0) for (const note of notesFor(job)) notes.add(note);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      terminal.error(formatInputError(error));
      status = 2;
    }
  }
  terminal.progress("");
  for (const note of notes) terminal.error(note);
  for (const [index, files] of stale.entries()) {
    const { writeDerivedFiles } = await import("../launch/derived-files.js");
    await writeDerivedFiles(files);
    for (const { path } of files)
      terminal.out(`${paint(terminal, "bold", visible(path))}: written`);
    if (files.length === 0)
      terminal.out(
        `${paint(terminal, "bold", visible(derived[index]!.source))}: ${paint(terminal, "dim", "up to date")}`,
      );
  }
  return status;
}

/** Maximum number of warnings to show per schema. */
const maxWarnings = 20;

/**
 * Creates the launch configuration files to write, by job. Loads the required code only if there is
 * such a job.
 */
async function filesOf(
  derived: ProjectJobs["derived"],
): Promise<readonly (readonly DerivedFile[])[]> {
  if (derived.length === 0) return [];
  const { derivedFiles } = await import("../launch/derived-files.js");
  return Promise.all(derived.map(derivedFiles));
}

/** Generates and formats a package's files. Prints the warnings about its schema. */
async function packageOf(
  job: PackageJob,
  terminal: Terminal,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly contents: string }> {
  const warnings: InputError[] = [];
  const { protocol: name, out, format = true, ...options } = job;
  const {
    protocol,
    files,
    notes = [],
  } = await generate(name, {
    ...options,
    importExtension: options.importExtension ?? importExtensionFor(out),
    onWarning: (warning) => warnings.push(warning),
  });
  const label = paint({ colours: terminal.errorColours }, "yellow", "warning");
  for (const line of await noteLines(notes)) terminal.error(`${label} ${line}`);
  for (const warning of warnings.slice(0, maxWarnings))
    terminal.error(`${label}: ${formatInputError(warning)}`);
  if (warnings.length > maxWarnings)
    terminal.error(`${warnings.length - maxWarnings} more warnings about this schema`);
  const contents = contentsOf(protocol, files);
  if (!format) return { files, contents };
  const { files: formatted, note } = await formatPackage(out, files);
  if (note !== undefined) terminal.error(`${visible(out)}: ${note}`);
  return { files: formatted, contents };
}

/** Prints a short summary of a package's contents. */
function contentsOf(
  { title, version, messages, definitions }: Protocol,
  files: ReadonlyMap<string, string>,
): string {
  const hasValidators = files.has("validators.ts") || files.has("validators.js");
  const validators = hasValidators ? " with validators" : "";
  return `${visible(title)} ${visible(version)}: ${countText(messages.length, "message")}, ${countText(definitions.length, "type")}${validators}`;
}

export async function checkJobs(
  { packages: jobs, derived }: ProjectJobs,
  terminal: Terminal,
): Promise<number> {
  let stale = 0;
  for (const { path, state } of (await filesOf(derived)).flat()) {
    stale++;
    terminal.out(`${visible(path)}: ${paint(terminal, "yellow", state)}`);
  }
  for (const [index, job] of jobs.entries()) {
    if (jobs.length > 1) terminal.progress(`package ${index + 1} of ${jobs.length}`);
    const { files } = await packageOf(job, terminal);
    for (const { path, state } of await compareOutput(job.out, files)) {
      stale++;
      terminal.out(`${visible(join(job.out, path))}: ${paint(terminal, "yellow", state)}`);
    }
  }
  if (stale === 0) {
    terminal.out(
      paint(
        terminal,
        "green",
        [
          ...(jobs.length === 0 ? [] : [`${jobs.length} package${jobs.length === 1 ? "" : "s"}`]),
          ...derived.map(({ source }) => `the files of ${visible(source)}`),
        ].join(", ") + " up to date",
      ),
    );
    return 0;
  }
  terminal.error(
    `${stale} file${stale === 1 ? " is" : "s are"} not up to date: run wirewright generate with the same arguments, without --check`,
  );
  return 1;
}

/** Writes the packages once, and again whenever an input changes, until the process ends. */
export async function watchJobs(
  jobs: ProjectJobs,
  force: boolean,
  terminal: Terminal,
): Promise<number> {
  const write = async (): Promise<void> => {
    try {
      await writeJobs(jobs, force, terminal);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      terminal.error(formatInputError(error));
    }
  };
  await write();
  const trees = new Set(jobs.packages.flatMap(inputTrees));
  const folders = new Set([
    ...trees,
    ...jobs.packages.flatMap(inputFolders),
    ...jobs.derived.flatMap(({ source, manifest }) => [dirname(source), dirname(manifest)]),
  ]);
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    for (const folder of folders) {
      const fail = ({ message }: Error): void =>
        reject(new InputError("ERR_READ", `Cannot watch the folder: ${message}`, { file: folder }));
      try {
        const watcher = watch(
          folder,
          { signal: end.signal, recursive: trees.has(folder) },
          (_event, name) => {
            if (name !== null && !/\.(json|ts|md)$/.test(name)) return;
            // Wait a moment before writing again, because editors often save a file in several
            // steps.
            clearTimeout(timer);
            timer = setTimeout(() => void write().catch(reject), 100);
          },
        );
        watcher.on("error", fail);
      } catch (error) {
        return fail(error as Error);
      }
    }
    terminal.out(visible(`Watching ${[...folders].join(", ")}`));
  });
  return failed.finally(() => end.abort());
}

/**
 * Returns the schema's folder, if the schema may reference other files. All files in this folder
 * and its subfolders count as inputs.
 */
function inputTrees({ schema, protocol, files = false }: PackageJob): readonly string[] {
  const [main = findDescription(protocol)] = [schema ?? []].flat();
  return files && !/^(?:-$|https:)/i.test(main) ? [dirname(main)] : [];
}

function inputFolders({
  protocol,
  schema,
  overlays,
  configuration,
}: PackageJob): readonly string[] {
  const description = findDescription(protocol);
  const files = [
    description,
    ...[schema ?? []].flat().filter((path) => path !== "-" && !/^https:/i.test(path)),
    ...(overlays ?? []),
    ...(configuration === undefined || configuration === "-" ? [] : [configuration]),
  ];
  return files.map((file) => dirname(file));
}

/** Maximum number of locations to list per warning. */
const maxPlaces = 3;

/**
 * Prints warnings about launch configurations. Identical warnings share one line, which lists their
 * locations.
 */
async function noteLines(notes: readonly ConfigurationFinding[]): Promise<readonly string[]> {
  if (notes.length === 0) return [];
  const { findingText, placeText } = await import("../launch/configuration-report.js");
  const groups = new Map<string, ConfigurationFinding[]>();
  for (const note of notes) {
    const text = findingText(note);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [note]);
    else group.push(note);
  }
  return [...groups].map(([text, [first, ...others]]) => {
    const line = `${placeText(first!)}: ${text}`;
    if (others.length === 0) return line;
    const more = others.slice(0, maxPlaces).map(({ place }) => visible(place.pointer ?? ""));
    const rest = others.length > maxPlaces ? ", …" : "";
    const places = others.length === 1 ? "location" : "locations";
    return `${line}\n  also at ${others.length} other ${places}: ${more.join(", ")}${rest}`;
  });
}

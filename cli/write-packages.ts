import { join } from "node:path";
import type { Protocol } from "../generator/model/protocol.js";
import { generate } from "./generate.js";
import { moduleNote } from "./module-note.js";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { visible } from "../generator/base/visible-text.js";
import { formatPackage } from "../generator/output/format-package.js";
import { compareOutput, writeOutput } from "../generator/output/write-output.js";
import { type PackageJob, type ProjectJobs } from "./project-file.js";
import type { DerivedFile } from "../launch/derived-files.js";
import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";

/**
 * Writes packages and other files. If one package cannot be written, continues with the next.
 * Returns the exit status.
 */
export async function writeJobs(
  { packages: jobs, derived }: ProjectJobs,
  force: boolean,
  terminal: Terminal,
): Promise<number> {
  // Generate all packages before writing any of them, so that an error in one leaves all of them
  // unchanged.
  const packages = await Promise.all(
    jobs.map(async (job) => ({ job, ...(await packageOf(job, terminal)) })),
  );
  const stale = await filesOf(derived);
  let status = 0;
  for (const { job, files, contents } of packages) {
    try {
      const written = await writeOutput(job.out, files, { force });
      const what =
        written === 0
          ? paint(terminal, "dim", "up to date")
          : `${written} file${written === 1 ? "" : "s"} written`;
      const note = paint(terminal, "dim", `(${contents})`);
      terminal.out(`${paint(terminal, "bold", visible(job.out))}: ${what} ${note}`);
      const advice = written === 0 ? undefined : moduleNote(job.out);
      if (advice !== undefined) terminal.error(`${visible(job.out)}: ${advice}`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      terminal.error(formatInputError(error));
      status = 2;
    }
  }
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
const shownWarnings = 20;

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
  const { protocol: name, out, format = true, checkTypes = false, ...options } = job;
  const {
    protocol,
    files,
    notes = [],
  } = await generate(name, {
    ...options,
    trusted: !checkTypes,
    onWarning: (warning) => warnings.push(warning),
  });
  const label = paint({ colours: terminal.errorColours }, "yellow", "warning");
  if (notes.length > 0) {
    const { noteLines } = await import("./configuration-notes.js");
    for (const line of noteLines(notes)) terminal.error(`${label} ${line}`);
  }
  for (const warning of warnings.slice(0, shownWarnings))
    terminal.error(`${label}: ${formatInputError(warning)}`);
  if (warnings.length > shownWarnings)
    terminal.error(`${warnings.length - shownWarnings} more warnings about this schema`);
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
  return `${visible(title)} ${visible(version)}: ${messages.length} messages, ${definitions.length} types${validators}`;
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
  for (const job of jobs) {
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

import { watch } from "node:fs";
import { dirname, join } from "node:path";
import type { Protocol } from "../model/protocol.js";
import { generate } from "../library/generate.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { moduleNote } from "./module-note.js";
import { formatInputError, InputError } from "../base/input-error.js";
import { bundledProtocols } from "../base/bundled.js";
import { findDescription } from "../read/read-protocol.js";
import { visible } from "../base/visible-text.js";
import { formatPackage } from "../output/format-package.js";
import { compareOutput, writeOutput } from "../output/write-output.js";
import { generatedParts } from "../emit/package-parts.js";
import { jobsOf } from "./generate-jobs.js";
import { projectFileName, type PackageJob, type ProjectJobs } from "./project-file.js";
import { findingText, placeText } from "../configuration/configuration-report.js";
import { derivedFiles, writeDerivedFiles } from "../configuration/derived-files.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";

export const generateCommand = describeCommand({
  name: "generate",
  forms: [
    "[PROTOCOL] [options]",
    "--configuration FILE [--manifest FILE] [--zed DIR] [--nvim FILE] [--table FILE]",
  ],
  about: `Writes the typed package of a protocol. Without a protocol, writes everything that ${projectFileName} lists. The second form writes launch configurations for editors and pages. Packages of bundled protocols are also published, compiled, with all parts: npm install @wirewright/dap.`,
  operands: [
    [
      "PROTOCOL",
      () =>
        `${bundledProtocols().join(", ")}, or the path of a protocol.json or of its folder; NAME@VERSION for another bundled version`,
    ],
  ],
  options: {
    schema: {
      type: "string",
      multiple: true,
      value: "FILE|URL|-",
      help: "schema to read instead of the bundled one, or one of its files",
    },
    version: { type: "string", value: "VERSION", help: "bundled version to use" },
    out: {
      type: "string",
      value: "DIR",
      help: "folder to write into",
      otherwise: "generated/PROTOCOL",
    },
    overlay: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "messages and properties of your own",
    },
    runtime: {
      type: "string",
      value: "SPEC",
      help: '"embed" to include the runtime, or the module or ./folder to import it from',
      otherwise: "embed",
    },
    only: {
      type: "string",
      value: "PARTS",
      help: () =>
        `parts of the package, with commas between them: ${generatedParts.join(", ")}, entries of hand-written code such as session, or all`,
      otherwise: "the parts that a build step needs; all for a protocol of your own",
    },
    "check-types": {
      type: "boolean",
      help: "let compilers check all modules of the package, not only its types",
    },
    package: { type: "string", value: "NAME", help: "name of the npm package" },
    "strict-schema": {
      type: "boolean",
      help: "fail if a schema has an unknown keyword or contradicts itself, instead of a warning",
    },
    since: {
      type: "boolean",
      help: "document with @since the bundled version that introduced each name",
    },
    configuration: {
      type: "string",
      value: "FILE",
      help: 'launch configurations to include in the package: the package.json of an extension, a JSON Schema, or a .ts file with interfaces whose "type" and "request" are literals',
    },
    manifest: {
      type: "string",
      value: "FILE",
      help: "package.json whose configurationAttributes to replace by those of --configuration",
    },
    zed: {
      type: "string",
      value: "DIR",
      help: "folder for the schemas of Zed, one file for each type of debugger",
    },
    nvim: {
      type: "string",
      value: "FILE",
      help: "file for the schema of a launch.json, for Neovim and other editors",
    },
    table: {
      type: "string",
      value: "FILE",
      help: "page in which to write tables, between <!--\u00a0configuration: TYPE\u00a0REQUEST\u00a0--> and <!--\u00a0/configuration\u00a0-->",
    },
    config: {
      type: "string",
      value: "FILE",
      help: "project file",
      otherwise: `./${projectFileName}`,
    },
    check: {
      type: "boolean",
      help: "write nothing; exit with 1 and list the files if any is not up to date",
    },
    watch: { type: "boolean", help: "keep running, and write again whenever an input changes" },
    "no-format": { type: "boolean", help: "do not format with the prettier of the project" },
    force: {
      type: "boolean",
      help: "overwrite files that were not generated, and packages of other protocols",
    },
  },
  examples: [
    ["generate dap --out src/dap", "the newest bundled version"],
    ["generate dap@1.65.0 --package my-dap", "an older version, under your own name"],
    ["generate --check", `in CI: is everything in ${projectFileName} up to date?`],
  ],
  status: "0 done or up to date, 1 not up to date (--check), 2 the input or the call is wrong.",
});

/** `wirewright generate`. Returns the exit status. */
export async function runGenerate(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(generateCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  if (positionals.length > 1)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot generate "${positionals[1]}" too: one protocol at a time`,
      {},
      `List several packages in ${projectFileName}`,
    );
  const [protocol] = positionals;
  const { packages, derived } = await jobsOf(protocol, values);
  const jobs: ProjectJobs = {
    derived,
    packages: packages.map((job) => ({
      ...job,
      ...(values["no-format"] === true ? { format: false } : {}),
      ...(values["strict-schema"] === true ? { strictSchema: true } : {}),
    })),
  };
  if (values.check === true) return checkJobs(jobs, terminal);
  if (values.watch !== true) return writeJobs(jobs, values.force === true, terminal);
  return watchJobs(jobs, values.force === true, terminal);
}

/** Writes packages. Continues if one of them cannot be written. Returns the exit status. */
async function writeJobs(
  { packages: jobs, derived }: ProjectJobs,
  force: boolean,
  terminal: Terminal,
): Promise<number> {
  // Generate all packages before writing any, so that an error in one leaves all unchanged.
  const packages = await Promise.all(
    jobs.map(async (job) => ({ job, ...(await packageOf(job, terminal)) })),
  );
  const stale = await Promise.all(derived.map(derivedFiles));
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

/** Number of warnings to show of a schema. */
const shownWarnings = 20;

/** Generates and formats the files of a package, and shows the warnings of its schema. */
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
    onWarning: (warning) => warnings.push(warning),
  });
  const label = paint({ colours: terminal.errorColours }, "yellow", "warning");
  for (const note of notes) terminal.error(`${label} ${placeText(note)}: ${findingText(note)}`);
  for (const warning of warnings.slice(0, shownWarnings))
    terminal.error(`${label}: ${formatInputError(warning)}`);
  if (warnings.length > shownWarnings)
    terminal.error(`${warnings.length - shownWarnings} more warnings of this schema`);
  const contents = contentsOf(protocol, files);
  if (!format) return { files, contents };
  const { files: formatted, note } = await formatPackage(out, files);
  if (note !== undefined) terminal.error(`${visible(out)}: ${note}`);
  return { files: formatted, contents };
}

/** The contents of a package in a few words. */
function contentsOf(
  { title, version, messages, definitions }: Protocol,
  files: ReadonlyMap<string, string>,
): string {
  const validators = files.has("validators.ts") ? " with validators" : "";
  return `${visible(title)} ${visible(version)}: ${messages.length} messages, ${definitions.length} types${validators}`;
}

async function checkJobs(
  { packages: jobs, derived }: ProjectJobs,
  terminal: Terminal,
): Promise<number> {
  let stale = 0;
  for (const { path, state } of (await Promise.all(derived.map(derivedFiles))).flat()) {
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

/** Writes once, and again after each change of an input, until the process ends. */
async function watchJobs(jobs: ProjectJobs, force: boolean, terminal: Terminal): Promise<number> {
  const write = async (): Promise<void> => {
    try {
      await writeJobs(jobs, force, terminal);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      terminal.error(formatInputError(error));
    }
  };
  await write();
  const folders = new Set([
    ...jobs.packages.flatMap(inputFolders),
    ...jobs.derived.flatMap(({ source, manifest, table }) =>
      [source, manifest, table].flatMap((file) => (file === undefined ? [] : [dirname(file)])),
    ),
  ]);
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    for (const folder of folders) {
      const fail = ({ message }: Error): void =>
        reject(new InputError("ERR_READ", `Cannot watch the folder: ${message}`, { file: folder }));
      try {
        const watcher = watch(folder, { signal: over.signal }, (_event, name) => {
          if (name !== null && !/\.(json|ts|md)$/.test(name)) return;
          // Wait a moment, because editors save a file in several steps.
          clearTimeout(timer);
          timer = setTimeout(() => void write().catch(reject), 100);
        });
        watcher.on("error", fail);
      } catch (error) {
        return fail(error as Error);
      }
    }
    terminal.out(visible(`Watching ${[...folders].join(", ")}`));
  });
  return failed.finally(() => over.abort());
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

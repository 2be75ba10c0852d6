import { describeCommand, readCommandLine } from "./command-line.js";
import { InputError } from "../base/input-error.js";
import { bundledProtocols } from "../base/bundled.js";
import { packageTargets } from "../emit/package-files.js";
import { generatedParts } from "../emit/package-parts.js";
import { jobsOf } from "./generate-jobs.js";
import { projectFileName, type ProjectJobs } from "./project-file.js";
import type { Terminal } from "../base/terminal.js";
import { checkJobs, writeJobs } from "./write-packages.js";
import { watchJobs } from "./watch-packages.js";

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
    target: {
      type: "string",
      value: "TARGET",
      help: '"ts": modules that are compiled with your program; "js+dts": JavaScript and declarations, which need no compiling',
      choices: packageTargets,
      otherwise: "ts",
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
    ["generate dap --target js+dts", "JavaScript and declarations, which need no compiling"],
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

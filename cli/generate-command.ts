import { basename, join } from "node:path";
import { bundledProtocols } from "../generator/base/bundled.js";
import type { InputError } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import { emitTargets, importExtensions } from "../generator/emit/emit-package.js";
import { generatedParts } from "../generator/emit/package-parts.js";
import { readVersionName } from "../generator/read/read-protocol.js";
import type { DerivedJob } from "../launch/derived-files.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine, type OptionValues } from "./command-line.js";
import {
  projectFileName,
  type ProjectJobs,
  findProjectFile,
  readProjectFile,
  runtimeFrom,
  type PackageJob,
} from "./project-file.js";
import { protocolOperand, readingOptions } from "./shared-options.js";
import { checkJobs, writeJobs, watchJobs } from "./write-packages.js";

export const generateCommand = describeCommand({
  name: "generate",
  forms: ["[PROTOCOL] [options]", "--configuration FILE --manifest FILE"],
  about: `Writes typed modules for a protocol. Without a protocol, writes everything listed in ${projectFileName}. The second form writes launch configurations to the manifest of a VS Code extension. Compiled packages for the bundled protocols are also published: npm install @wirewright/dap.`,
  operands: [protocolOperand],
  options: {
    schema: readingOptions.schema,
    version: readingOptions.version,
    out: { value: "DIR", help: "folder to write into", otherwise: "generated/PROTOCOL" },
    overlay: readingOptions.overlay,
    runtime: {
      value: "SPEC",
      help: "module to import the runtime from, or the ./folder of a copy",
      otherwise: "@wirewright/runtime",
    },
    only: {
      value: "PARTS",
      help: () => `parts to write, separated by commas: ${generatedParts.join(", ")}`,
      otherwise: "all",
    },
    target: {
      value: "TARGET",
      help: '"ts": TypeScript modules, compiled with your program; "js+dts": JavaScript and declarations, ready to use',
      choices: emitTargets,
      otherwise: "ts",
    },
    "import-extension": {
      value: "EXT",
      help: 'how TypeScript modules import each other: "js", "ts" (for Node, Deno and Bun without a compiler) or "none"',
      choices: importExtensions,
      otherwise: "what the nearest tsconfig.json allows",
    },
    package: {
      value: "NAME",
      help: "write an npm package of this name, with a package.json, a README and compiler settings",
    },
    "strict-schema": {
      help: "fail, instead of printing a warning, if a schema has an unknown keyword or contradicts itself",
    },
    since: { help: "add @since tags with the first bundled version that contains each name" },
    configuration: {
      value: "FILE",
      help: 'launch configurations to include in the package: the package.json of a VS Code extension, a JSON Schema, or a .ts file with interfaces that have literal "type" and "request" properties',
    },
    manifest: {
      value: "FILE",
      help: "package.json in which to replace configurationAttributes with the attributes from --configuration",
    },
    config: { value: "FILE", help: "project file", otherwise: `./${projectFileName}` },
    check: { help: "write nothing; if any files are out of date, list them and exit with 1" },
    watch: { help: "keep running, and write the package again when an input changes" },
    "no-format": { help: "do not format the files with the project's prettier" },
    force: { help: "overwrite files that were not generated, and packages of other protocols" },
  },
  examples: [
    ["generate dap --out src/dap", "the newest bundled version"],
    ["generate dap@1.65.0 --package my-dap", "an older version, with your own package name"],
    ["generate dap --target js+dts", "JavaScript and declarations, ready to use"],
    ["generate --check", "fail in CI if a file is not up to date"],
  ],
  status:
    "0 on success, 1 if files are not up to date (--check), 2 if the arguments or the input are invalid.",
});

/** Runs `wirewright generate`. Returns the exit status. */
export async function runGenerate(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(generateCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  if (positionals.length > 1)
    throw argumentError(
      `Cannot generate "${positionals[1]}" in the same call: give only one protocol`,
      `List several packages in ${projectFileName}`,
    );
  const { packages, derived } = await jobsOf(positionals[0], values);
  const jobs: ProjectJobs = {
    derived,
    packages: packages.map((job) => ({
      ...job,
      format: values["no-format"] === true ? false : job.format,
      strictSchema: values["strict-schema"] ?? job.strictSchema,
    })),
  };
  if (values.check === true) return checkJobs(jobs, terminal);
  if (values.watch !== true) return writeJobs(jobs, values.force === true, terminal);
  return watchJobs(jobs, values.force === true, terminal);
}

type GenerateValues = OptionValues<typeof generateCommand.options>;

/** The options that apply to a package. */
const packageKeys = [
  "schema",
  "version",
  "out",
  "overlay",
  "runtime",
  "package",
  "since",
  "only",
  "target",
  "import-extension",
] as const;

/**
 * Determines which packages and files to write. @throws InputError `ERR_ARGUMENT`, or an error in
 * the project file.
 */
async function jobsOf(protocol: string | undefined, values: GenerateValues): Promise<ProjectJobs> {
  if (protocol === undefined)
    return values.configuration === undefined
      ? configuredJobs(values)
      : { packages: [], derived: [derivedJob(values.configuration, values)] };
  if (values.manifest !== undefined)
    throw argumentError(
      "Cannot use --manifest with a protocol",
      `Call wirewright generate --configuration FILE --manifest ${values.manifest}, or list both in ${projectFileName}`,
    );
  return { packages: [singleJob(protocol, values)], derived: [] };
}

function derivedJob(source: string, values: GenerateValues): DerivedJob {
  const { manifest } = values;
  for (const key of packageKeys) if (values[key] !== undefined) throw withoutProtocol(key);
  if (manifest === undefined)
    throw argumentError(
      "Cannot generate configurations: no output is given",
      "Name a protocol, as in wirewright generate dap --configuration package.json, or use --manifest",
    );
  return { source, manifest };
}

function withoutProtocol(key: string): InputError {
  return argumentError(
    `Cannot use --${key} without a protocol`,
    `Name the protocol, or set it in ${projectFileName}`,
  );
}

async function configuredJobs(values: GenerateValues): Promise<ProjectJobs> {
  for (const key of packageKeys) if (values[key] !== undefined) throw withoutProtocol(key);
  if (values.manifest !== undefined)
    throw argumentError(
      "Cannot use --manifest without --configuration",
      "Name the source of the configurations",
    );
  const path = values.config ?? findProjectFile();
  if (path === undefined)
    throw argumentError(
      `Cannot generate anything: no protocol is given and there is no ${projectFileName} here`,
      `Bundled protocols: ${bundledProtocols().join(", ")}`,
    );
  return readProjectFile(path);
}

function singleJob(name: string, values: GenerateValues): PackageJob {
  const { only, schema, overlay, runtime, target, since, configuration } = values;
  const { protocol, version } = readVersionName(name, values.version);
  const out =
    values.out ?? join("generated", basename(protocol.replace(/[\\/]?protocol\.json$/, "")));
  return {
    protocol,
    version,
    out,
    schema,
    only: only?.split(",").map((part) => part.trim()),
    target,
    importExtension: values["import-extension"],
    overlays: overlay,
    runtime: runtime === undefined ? undefined : runtimeFrom(runtime, ".", out),
    packageName: values.package,
    since,
    configuration,
  };
}

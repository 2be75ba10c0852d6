import { basename, join } from "node:path";
import { bundledProtocols } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import type { DerivedJob } from "../launch/derived-files.js";
import type { PackageTarget } from "../generator/emit/package-files.js";
import { defaultParts } from "./default-parts.js";
import { readVersionName } from "../generator/read/read-protocol.js";
import {
  findProjectFile,
  projectFileName,
  readProjectFile,
  runtimeFrom,
  type PackageJob,
  type ProjectJobs,
} from "./project-file.js";

/** `wirewright generate` options that select the output. */
export interface GenerateValues {
  readonly schema?: readonly string[];
  readonly version?: string;
  readonly out?: string;
  readonly overlay?: readonly string[];
  readonly runtime?: string;
  readonly package?: string;
  readonly since?: boolean;
  readonly only?: string;
  readonly target?: PackageTarget;
  readonly "check-types"?: boolean;
  readonly configuration?: string;
  readonly manifest?: string;
  readonly zed?: string;
  readonly nvim?: string;
  readonly table?: string;
  readonly config?: string;
}

/**
 * Names of the options that apply to a package. `derivedKeys` lists the options for files that are
 * derived from launch configurations.
 */
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
  "check-types",
] as const;
const derivedKeys = ["manifest", "zed", "nvim", "table"] as const;

/**
 * Determines which packages and files to write. @throws InputError `ERR_ARGUMENT`, or an error in
 * the project file.
 */
export async function jobsOf(
  protocol: string | undefined,
  values: GenerateValues,
): Promise<ProjectJobs> {
  if (protocol === undefined)
    return values.configuration === undefined
      ? configuredJobs(values)
      : { packages: [], derived: [derivedJob(values.configuration, values)] };
  for (const key of derivedKeys)
    if (values[key] !== undefined)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot use --${key} with a protocol`,
        {},
        `Call wirewright generate --configuration FILE --${key} ${values[key]}, or list both in ${projectFileName}`,
      );
  return { packages: [singleJob(protocol, values)], derived: [] };
}

function derivedJob(source: string, values: GenerateValues): DerivedJob {
  const { manifest, zed, nvim, table } = values;
  for (const key of packageKeys) if (values[key] !== undefined) throw withoutProtocol(key);
  if ((manifest ?? zed ?? nvim ?? table) === undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot generate configurations: no output is given",
      {},
      "Name a protocol, as in wirewright generate dap --configuration package.json, or use --manifest, --zed, --nvim or --table",
    );
  return {
    source,
    manifest,
    zed,
    nvim,
    table,
  };
}

function withoutProtocol(key: string): InputError {
  return new InputError(
    "ERR_ARGUMENT",
    `Cannot use --${key} without a protocol`,
    {},
    `Name the protocol, or set it in ${projectFileName}`,
  );
}

async function configuredJobs(values: GenerateValues): Promise<ProjectJobs> {
  for (const key of packageKeys) if (values[key] !== undefined) throw withoutProtocol(key);
  for (const key of derivedKeys)
    if (values[key] !== undefined)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot use --${key} without --configuration`,
        {},
        "Name the source of the configurations",
      );
  const path = values.config ?? findProjectFile();
  if (path === undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot generate anything: no protocol is given and there is no ${projectFileName} here`,
      {},
      `Bundled protocols: ${bundledProtocols().join(", ")}`,
    );
  return readProjectFile(path);
}

function singleJob(name: string, values: GenerateValues): PackageJob {
  const { schema, overlay, runtime, only, target, since, configuration } = values;
  const { protocol, version } = readVersionName(name, values.version);
  const out =
    values.out ?? join("generated", basename(protocol.replace(/[\\/]?protocol\.json$/, "")));
  return {
    protocol,
    out,
    only: only?.split(",").map((part) => part.trim()) ?? defaultParts(protocol, configuration),
    target,
    checkTypes: values["check-types"],
    schema,
    version,
    overlays: overlay,
    runtime: runtime === undefined ? undefined : runtimeFrom(runtime, ".", out),
    packageName: values.package,
    since,
    configuration,
  };
}

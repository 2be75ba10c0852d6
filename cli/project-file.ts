import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { bundledProtocols } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import { check } from "../generator/read/description/check-file.js";
import { readVersionName } from "../generator/read/read-protocol.js";
import { readJsonInput } from "../generator/read/source/input-source.js";
import type { JsonFile } from "../generator/read/source/json-text.js";
import type { DerivedJob } from "../launch/derived-files.js";
import type { GenerateOptions } from "./generate.js";

export const projectFileName = "wirewright.config.json";

/** One package to generate. Relative paths are relative to the current folder. */
export interface PackageJob extends GenerateOptions {
  readonly protocol: string;
  readonly out: string;
  /**
   * Whether to format the package with the prettier that is installed in its project. Default:
   * true.
   */
  readonly format?: boolean;
}

interface ProjectFile {
  readonly format?: boolean;
  readonly packages?: readonly (Omit<PackageJob, "packageName" | "format" | "strictSchema"> & {
    readonly package?: string;
  })[];
  readonly configurations?: readonly DerivedJob[];
}

/** The contents of a project file. */
export interface ProjectJobs {
  readonly packages: readonly PackageJob[];
  readonly derived: readonly DerivedJob[];
}

/**
 * Reads the jobs in a project file.
 *
 * @throws InputError `ERR_CONFIG` with the location of the first error.
 */
export async function readProjectFile(path: string): Promise<ProjectJobs> {
  const file = await readJsonInput(path);
  check(file, "config", "ERR_CONFIG");
  const { packages, configurations } = file.value as unknown as ProjectFile;
  if (packages === undefined && configurations === undefined)
    throw new InputError(
      "ERR_CONFIG",
      'The key "packages" is missing',
      file.locate(""),
      "List the packages to generate, or name a protocol on the command line",
    );
  return { packages: packageJobs(file, path), derived: derivedJobs(file, path) };
}

/** Reads the configuration sources in a project file. */
export async function readConfigurationSources(path: string): Promise<readonly string[]> {
  const file = await readJsonInput(path);
  check(file, "config", "ERR_CONFIG");
  return [
    ...new Set([
      ...packageJobs(file, path).flatMap(({ configuration }) => configuration ?? []),
      ...derivedJobs(file, path).map(({ source }) => source),
    ]),
  ];
}

/**
 * Returns a function that converts a path relative to the project file to a path relative to the
 * current folder.
 */
function resolverOf(path: string): (name: string) => string {
  const folder = dirname(path);
  return (name) =>
    isAbsolute(name) || name === "-" || /^https:/i.test(name) ? name : join(folder, name);
}

function derivedJobs(file: JsonFile, path: string): readonly DerivedJob[] {
  const { configurations = [] } = file.value as unknown as ProjectFile;
  const resolve = resolverOf(path);
  return configurations.map(
    (job) =>
      Object.fromEntries(
        Object.entries(job).map(([key, name]: [string, string]) => [key, resolve(name)]),
      ) as unknown as DerivedJob,
  );
}

function packageJobs(file: JsonFile, path: string): readonly PackageJob[] {
  const { packages = [], format } = file.value as unknown as ProjectFile;
  const folder = dirname(path);
  const resolve = resolverOf(path);
  const outs = new Set<string>();
  return packages.map(({ package: packageName, ...job }, index) => {
    const out = resolve(job.out);
    if (outs.has(out))
      throw new InputError(
        "ERR_CONFIG",
        `Cannot write two packages into "${job.out}"`,
        file.locate(`/packages/${index}/out`),
      );
    outs.add(out);
    const { protocol, version } = readVersionName(job.protocol, job.version);
    return {
      ...job,
      out,
      protocol: bundledProtocols().includes(protocol) ? protocol : resolve(protocol),
      version,
      schema: job.schema === undefined ? undefined : [job.schema].flat().map(resolve),
      configuration: job.configuration === undefined ? undefined : resolve(job.configuration),
      overlays: job.overlays?.map(resolve),
      runtime: job.runtime === undefined ? undefined : runtimeFrom(job.runtime, folder, out),
      packageName,
      format,
    };
  });
}

/**
 * Returns the specifier under which generated modules import the runtime. A folder is given relative
 * to `base`, and is returned relative to `out`.
 */
export function runtimeFrom(runtime: string, base: string, out: string): string {
  if (!/^\.\.?\//.test(runtime)) return runtime;
  const path = relative(out, join(base, runtime)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Returns the path of the project file in the current folder, if there is one. */
export function findProjectFile(): string | undefined {
  return existsSync(projectFileName) ? projectFileName : undefined;
}

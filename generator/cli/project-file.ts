import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { InputError } from "../base/input-error.js";
import { bundledProtocols } from "../base/bundled.js";
import { check } from "../read/description/description.js";
import { readVersionName } from "../read/read-protocol.js";
import { readJsonInput } from "../read/source/input-source.js";

export const projectFileName = "wirewright.config.json";

/** One package to generate. Relative paths are relative to the current folder. */
export interface PackageJob {
  readonly protocol: string;
  readonly out: string;
  readonly schema?: string | readonly string[];
  readonly version?: string;
  readonly overlays?: readonly string[];
  readonly runtime?: string;
  readonly packageName?: string;
  readonly since?: boolean;
  /** Whether to format the package with the prettier of the project that contains it. Default: true. */
  readonly format?: boolean;
  /** Whether an unknown keyword or a contradiction of the schema is an error. Default: false. */
  readonly strictSchema?: boolean;
}

interface ProjectFile {
  readonly format?: boolean;
  readonly packages?: readonly (Omit<PackageJob, "packageName" | "format" | "strictSchema"> & {
    readonly package?: string;
  })[];
}

/**
 * Reads a project file into jobs.
 *
 * @throws InputError `ERR_CONFIG` with the place of the first fault.
 */
export async function readProjectFile(path: string): Promise<readonly PackageJob[]> {
  const file = await readJsonInput(path);
  check(file, "config", "ERR_CONFIG");
  const { packages, format } = file.value as unknown as ProjectFile;
  if (packages === undefined)
    throw new InputError(
      "ERR_CONFIG",
      'Cannot do without the key "packages"',
      file.locate(""),
      "List the packages to generate, or name a protocol on the command line",
    );
  const folder = dirname(path);
  const resolve = (name: string): string =>
    isAbsolute(name) || name === "-" || /^https:/i.test(name) ? name : join(folder, name);
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
      ...(version === undefined ? {} : { version }),
      ...(job.schema === undefined ? {} : { schema: [job.schema].flat().map(resolve) }),
      ...(job.overlays === undefined ? {} : { overlays: job.overlays.map(resolve) }),
      ...(job.runtime === undefined ? {} : { runtime: runtimeFrom(job.runtime, folder, out) }),
      ...(packageName === undefined ? {} : { packageName }),
      ...(format === undefined ? {} : { format }),
    };
  });
}

/**
 * The specifier from which a package re-exports the runtime. Converts a folder relative to `base` to one relative to
 * the package's `runtime/` folder.
 */
export function runtimeFrom(runtime: string, base: string, out: string): string {
  if (!/^\.\.?\//.test(runtime)) return runtime;
  const path = relative(join(out, "runtime"), join(base, runtime)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** The project file of the current folder, if there is one. */
export function findProjectFile(): string | undefined {
  return existsSync(projectFileName) ? projectFileName : undefined;
}

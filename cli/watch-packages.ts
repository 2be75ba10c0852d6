import { watch } from "node:fs";
import { dirname } from "node:path";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { findDescription } from "../generator/read/read-protocol.js";
import { visible } from "../generator/base/visible-text.js";
import { type PackageJob, type ProjectJobs } from "./project-file.js";
import type { Terminal } from "../generator/base/terminal.js";
import { writeJobs } from "./write-packages.js";

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
        const watcher = watch(
          folder,
          { signal: over.signal, recursive: trees.has(folder) },
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
  return failed.finally(() => over.abort());
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

import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "./input-error.js";

/** Lists what a folder holds of ours, so that a later run removes what it no longer writes. */
export const manifestName = ".wirewright.json";

export interface Staleness {
  readonly path: string;
  readonly state: "missing" | "changed" | "left over";
}

/** Writes one file, all of it or nothing. @throws InputError `ERR_OUTPUT`. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const staged = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(staged, text);
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot write the file: ${(error as Error).message.split(", ")[0]}`,
      {
        file: path,
      },
    );
  }
}

/** Compares a folder with what should be in it. Files that were never generated are not looked at. */
export async function compareOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly Staleness[]> {
  const wanted = withManifest(files);
  const stale: Staleness[] = [];
  for (const [path, text] of wanted) {
    const found = await readIfThere(join(folder, path));
    if (found !== text) stale.push({ path, state: found === undefined ? "missing" : "changed" });
  }
  for (const path of await readManifest(folder)) {
    if (!wanted.has(path) && (await readIfThere(join(folder, path))) !== undefined)
      stale.push({ path, state: "left over" });
  }
  return stale.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes a package into a folder, all of it or nothing: everything is staged first and then moved into
 * place, and a failure moves the old files back. Files of earlier runs that are no longer wanted go.
 *
 * @returns how many files were written, changed ones only.
 * @throws InputError `ERR_OUTPUT` if a file is in the way that was not generated, or the folder cannot be written.
 */
export async function writeOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
  force: boolean,
): Promise<number> {
  const stale = await compareOutput(folder, files);
  if (stale.length === 0) return 0;
  const wanted = withManifest(files);
  const ours = new Set(await readManifest(folder));
  const foreign = stale.find(
    ({ path, state }) => state === "changed" && path !== manifestName && !ours.has(path),
  );
  if (foreign !== undefined && !force) {
    throw new InputError(
      "ERR_OUTPUT",
      "Cannot overwrite a file that was not generated",
      { file: join(folder, foreign.path) },
      "Choose another folder with --out, or pass --force",
    );
  }
  const moved: { readonly from: string; readonly to: string }[] = [];
  const written: string[] = [];
  let staging: string | undefined;
  try {
    await mkdir(folder, { recursive: true });
    staging = await mkdtemp(join(folder, ".wirewright-"));
    for (const { path, state } of stale) {
      if (state === "left over") continue;
      await mkdir(dirname(join(staging, "new", path)), { recursive: true });
      await writeFile(join(staging, "new", path), wanted.get(path)!);
    }
    for (const { path, state } of stale) {
      const target = join(folder, path);
      if (state !== "missing") {
        const backup = join(staging, "old", path);
        await mkdir(dirname(backup), { recursive: true });
        await rename(target, backup);
        moved.push({ from: backup, to: target });
      }
      if (state === "left over") continue;
      await mkdir(dirname(target), { recursive: true });
      await rename(join(staging, "new", path), target);
      written.push(target);
    }
  } catch (error) {
    for (const target of written) await rm(target, { force: true });
    for (const { from, to } of moved) await rename(from, to);
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot write the package: ${(error as Error).message}`,
      { file: folder },
      "The old files are as they were",
    );
  } finally {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true });
  }
  for (const { path, state } of stale)
    if (state === "left over") await rmdir(dirname(join(folder, path))).catch(() => undefined);
  return stale.length;
}

function withManifest(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const manifest = {
    "//": "Files that wirewright generated here. Do not edit.",
    files: [...files.keys()],
  };
  return new Map([...files, [manifestName, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

/** Paths that an earlier run wrote; whatever is odd about the file, only plain paths inside the folder count. */
async function readManifest(folder: string): Promise<readonly string[]> {
  try {
    const { files } = JSON.parse((await readIfThere(join(folder, manifestName))) ?? "{}") as {
      files?: unknown;
    };
    if (!Array.isArray(files)) return [];
    return files.filter(
      (path): path is string =>
        typeof path === "string" && !path.startsWith("/") && !path.split(/[\\/]/).includes(".."),
    );
  } catch {
    return [];
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "EISDIR")
      throw new InputError("ERR_OUTPUT", "Cannot write a file where a folder is", { file: path });
    throw new InputError("ERR_OUTPUT", `Cannot read what is there: ${(error as Error).message}`, {
      file: path,
    });
  }
}

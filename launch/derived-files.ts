import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeTextFile } from "../generator/output/write-output.js";
import * as option from "../runtime/base/check-options.js";
import { readTextFile } from "../generator/read/source/input-source.js";
import { readConfigurations } from "./read-configurations.js";
import { writeManifest } from "./write-manifest.js";

/**
 * The files to write from a single source of launch configurations. Paths are relative to the
 * current folder.
 */
export interface DerivedJob {
  /** A schema, TypeScript interfaces, or the package.json of a VS Code extension. */
  readonly source: string;
  /** A VS Code extension's package.json, whose attributes are to be replaced. */
  readonly manifest: string;
}

const checks: option.OptionChecks<DerivedJob> = {
  source: option.text,
  manifest: option.text,
};

/** A file that differs from the output generated from its source. */
export interface DerivedFile {
  readonly path: string;
  readonly text: string;
  readonly state: "changed";
}

/**
 * Returns the job's files that are out of date and so need to be written.
 *
 * @throws InputError if the source or one of the files cannot be read. TypeError for an unknown
 * property.
 */
export async function derivedFiles(job: DerivedJob): Promise<readonly DerivedFile[]> {
  option.checkOptions("derivedFiles", job, checks);
  const source = await readConfigurations(job.source);
  const stale: DerivedFile[] = [];
  for (const [path, text] of await writeManifest(job.manifest, source)) {
    if (!isSame(await readTextFile(path), text)) stale.push({ path, text, state: "changed" });
  }
  return stale;
}

/** Returns whether a JSON file is up to date. Formatting is ignored. */
function isSame(before: string, text: string): boolean {
  const existing = before.replace(/^\uFEFF/, "");
  if (existing === text) return true;
  try {
    // Compare the order of keys too, because people see it.
    return JSON.stringify(JSON.parse(existing)) === JSON.stringify(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Writes files. Each file is written either in full or not at all.
 *
 * @throws InputError `ERR_OUTPUT`.
 */
export async function writeDerivedFiles(files: readonly DerivedFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeTextFile(path, text);
  }
}

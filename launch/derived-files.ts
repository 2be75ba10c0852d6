import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeTextFile } from "../generator/output/write-output.js";
import * as option from "../runtime/base/check-options.js";
import type { Json } from "../generator/model/types.js";
import { readTextFile } from "../generator/read/source/input-source.js";
import { writeTables } from "./attribute-table.js";
import { launchFileSchema, zedSchema } from "./editor-schemas.js";
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
  readonly manifest?: string;
  /** Folder for Zed schemas, one file for each debug type. */
  readonly zed?: string;
  /** File for the launch.json schema. */
  readonly nvim?: string;
  /** Page with markers between which the attribute tables are written. */
  readonly table?: string;
}

const checks: option.OptionChecks<DerivedJob> = {
  source: option.text,
  manifest: option.text,
  zed: option.text,
  nvim: option.text,
  table: option.text,
};

/** A file that differs from the output generated from its source. */
export interface DerivedFile {
  readonly path: string;
  readonly text: string;
  readonly state: "missing" | "changed";
}

/**
 * Returns the job's files that are missing or out of date and so need to be written.
 *
 * @throws InputError if the source or one of the files cannot be read. TypeError for an unknown
 * property.
 */
export async function derivedFiles(job: DerivedJob): Promise<readonly DerivedFile[]> {
  option.checkOptions("derivedFiles", job, checks);
  const source = await readConfigurations(job.source);
  const files = new Map<string, string>();
  if (job.manifest !== undefined)
    for (const [path, text] of await writeManifest(job.manifest, source)) files.set(path, text);
  if (job.zed !== undefined)
    for (const type of new Set(source.sets.map((set) => set.type)))
      files.set(
        join(job.zed, `${type.replaceAll(/[^\w.-]/g, "-")}.json`),
        jsonText(zedSchema(source, type)),
      );
  if (job.nvim !== undefined) files.set(job.nvim, jsonText(launchFileSchema(source)));
  if (job.table !== undefined)
    files.set(job.table, writeTables(await readTextFile(job.table), job.table, source));
  const stale: DerivedFile[] = [];
  for (const [path, text] of files) {
    if (!existsSync(path)) stale.push({ path, text, state: "missing" });
    else if (!isSame(await readTextFile(path), text, path))
      stale.push({ path, text, state: "changed" });
  }
  return stale;
}

/** Returns whether a file is up to date. Formatting is ignored in JSON files. */
function isSame(before: string, text: string, path: string): boolean {
  const own = before.replace(/^\uFEFF/, "");
  if (own === text) return true;
  if (!path.endsWith(".json")) return false;
  try {
    // Compare the order of keys too, because people see it.
    return JSON.stringify(JSON.parse(own)) === JSON.stringify(JSON.parse(text));
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

function jsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

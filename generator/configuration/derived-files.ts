import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeTextFile } from "../output/write-output.js";
import * as option from "../../runtime/base/check-options.js";
import type { Json } from "../model/types.js";
import { readTextFile } from "../read/source/input-source.js";
import { writeTables } from "./attribute-table.js";
import { launchFileSchema, zedSchema } from "./editor-schemas.js";
import { readConfigurations } from "./read-configurations.js";
import { writeManifest } from "./write-manifest.js";

/**
 * Files to write from one source of launch configurations. Paths are relative to the current
 * folder.
 */
export interface DerivedJob {
  /** A schema, TypeScript interfaces, or the package.json of a VS Code extension. */
  readonly source: string;
  /** The package.json of a VS Code extension. Its attributes are replaced. */
  readonly manifest?: string;
  /** Folder for the schemas of Zed. It gets one file for each debug type. */
  readonly zed?: string;
  /** File for the schema of a launch.json. */
  readonly nvim?: string;
  /** Page with marks. The tables of attributes are written between them. */
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
 * The files of a job that are missing or have changed, and must be written.
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

/** Whether a file is up to date. The formatting of a schema does not matter. */
function isSame(before: string, text: string, path: string): boolean {
  const own = before.replace(/^\uFEFF/, "");
  if (own === text) return true;
  if (!path.endsWith(".json")) return false;
  try {
    // Compare the order of keys, because people see it.
    return JSON.stringify(JSON.parse(own)) === JSON.stringify(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Writes files. Each file is written completely or not at all. @throws InputError `ERR_OUTPUT`. */
export async function writeDerivedFiles(files: readonly DerivedFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeTextFile(path, text);
  }
}

function jsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

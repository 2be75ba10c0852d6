import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { text } from "../../runtime/base/check-options.js";
import { checkArguments, fileTexts } from "../base/check-arguments.js";
import { InputError } from "../base/input-error.js";
import { FormatCache } from "./format-cache.js";
import { withManifest } from "./manifest.js";

/** A formatted package that is ready to be written. */
export interface FormattedPackage {
  readonly files: ReadonlyMap<string, string>;
  /**
   * A sentence that explains why the package is not formatted even though the project has a
   * prettier configuration.
   */
  readonly note?: string;
}

/** The parts of prettier's API that this module uses. They exist in version 2 and later. */
interface Prettier {
  readonly version: string;
  clearConfigCache(): void | Promise<void>;
  resolveConfig(
    path: string,
    options: { readonly editorconfig: boolean },
  ): Promise<Readonly<Record<string, unknown>> | null>;
  resolveConfigFile(path: string): Promise<string | null>;
  getFileInfo(
    path: string,
    options: { readonly ignorePath?: string },
  ): Promise<{ readonly ignored: boolean; readonly inferredParser: string | null }>;
  format(text: string, options: object): string | Promise<string>;
}

/**
 * Formats a package with prettier if the project in which it is generated has a prettier
 * configuration. Files that prettier would ignore there are left unchanged.
 *
 * @param folder The package's folder, which need not exist yet.
 * @throws InputError `ERR_CONFIG` if prettier fails, for example because of its configuration.
 */
export async function formatPackage(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<FormattedPackage> {
  checkArguments("formatPackage", { folder: [folder, text], files: [files, fileTexts] });
  const absolute = resolve(folder);
  const configured = findConfiguration(absolute);
  if (configured === undefined) return { files };
  const prettier = findPrettier(absolute);
  if (prettier === undefined)
    return {
      files,
      note: "not formatted, because prettier is configured but not installed: run npm install --save-dev prettier, or pass --no-format",
    };
  try {
    await prettier.clearConfigCache();
    return { files: await formatFiles(prettier, absolute, withManifest(files)) };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const config = await prettier.resolveConfigFile(join(absolute, "index.ts")).catch(() => null);
    throw new InputError(
      "ERR_CONFIG",
      `Cannot format with prettier ${prettier.version}: ${firstLine(error)}`,
      { file: config ?? configured },
      "Correct its configuration, or pass --no-format",
    );
  }
}

async function formatFiles(
  prettier: Prettier,
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const ignoreFiles = ancestorsOf(folder)
    .flatMap((each) => [".prettierignore", ".gitignore"].map((name) => join(each, name)))
    .filter((path) => existsSync(path));
  const isIgnored = async (path: string): Promise<boolean> => {
    for (const ignorePath of ignoreFiles)
      if ((await prettier.getFileInfo(path, { ignorePath })).ignored) return true;
    return false;
  };
  const cache = FormatCache.open(folder);
  const formatted = new Map<string, string>();
  for (const [name, text] of files) {
    const path = join(folder, name);
    const isUnknown = (await prettier.getFileInfo(path, {})).inferredParser === null;
    const options =
      isUnknown || (await isIgnored(path))
        ? null
        : await prettier.resolveConfig(path, { editorconfig: true });
    if (options === null) {
      formatted.set(name, text);
      continue;
    }
    const print = async (): Promise<string> =>
      prettier.format(text, { ...options, filepath: path });
    // Do not cache the output of plugins, because it may change with their versions.
    const hasPlugins = Array.isArray(options["plugins"]) && options["plugins"].length > 0;
    const input = JSON.stringify([prettier.version, options, text]);
    formatted.set(name, hasPlugins ? await print() : await cache.get(name, input, print));
  }
  cache.save();
  return formatted;
}

/** Finds the file that configures prettier for a folder. */
function findConfiguration(folder: string): string | undefined {
  for (const each of ancestorsOf(folder)) {
    for (const name of namesIn(each)) {
      const path = join(each, name);
      if (/^(\.prettierrc(\..+)?|prettier\.config\.[cm]?[jt]s)$/.test(name)) return path;
      if (name === "package.json" && /"prettier"\s*:\s*["{]/.test(readText(path)))
        if (isConfigured(path)) return path;
      if (name === "package.yaml" && /^prettier\s*:/m.test(readText(path))) return path;
    }
  }
  return undefined;
}

/**
 * Returns whether a package.json has a top-level `prettier` key, as opposed to `prettier` among its
 * dependencies.
 */
function isConfigured(manifest: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(readText(manifest)) as object, "prettier");
  } catch {
    return false;
  }
}

/**
 * Loads the prettier that is installed in the project to which a folder belongs or, if there is
 * none, the one installed with wirewright.
 */
function findPrettier(folder: string): Prettier | undefined {
  for (const start of [join(folder, "package.json"), import.meta.url]) {
    const require = createRequire(start);
    let path;
    try {
      path = require.resolve("prettier");
    } catch {
      continue;
    }
    return require(path) as Prettier;
  }
  return undefined;
}

/** Returns a folder and its ancestors, nearest first. */
function ancestorsOf(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestorsOf(above)];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Ignore the error: the folder does not exist yet or cannot be read.
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Returns the first line of an error message, plus the second line if the first ends with a colon.
 */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = "", second = ""] = text.split("\n").map((line) => line.trim());
  return first.endsWith(":") ? `${first} ${second}`.trim() : first;
}

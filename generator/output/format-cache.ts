import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Hashes of a file's contents before and after formatting. */
type Entry = readonly [source: string, formatted: string];

/**
 * Caches formatted files between runs, so that unchanged files are not formatted again. The cache
 * is stored below `node_modules`. If there is no such folder, or if the cache cannot be read or
 * written, each run formats everything.
 */
export class FormatCache {
  readonly #folder: string;
  readonly #path: string | undefined;
  readonly #known: Readonly<Record<string, Entry>>;
  readonly #current: Record<string, Entry> = {};

  private constructor(folder: string, path: string | undefined) {
    this.#folder = folder;
    this.#path = path;
    this.#known = path === undefined ? {} : readEntries(path);
  }

  /** Opens the cache for a package's folder. */
  static open(folder: string): FormatCache {
    const name = `${hash(folder)}.json`;
    for (let each = dirname(folder); ; each = dirname(each)) {
      const modules = join(each, "node_modules");
      if (existsSync(modules))
        return new FormatCache(folder, join(modules, ".cache", "wirewright", name));
      if (dirname(each) === each) return new FormatCache(folder, undefined);
    }
  }

  /**
   * Returns the formatted text of a file. If the file on disk was already formatted from the same
   * input, returns its text instead of formatting it again.
   *
   * @param input Everything that affects the result.
   */
  async get(name: string, input: string, format: () => Promise<string>): Promise<string> {
    const source = hash(input);
    const entry = Object.hasOwn(this.#known, name) ? this.#known[name] : undefined;
    const present = entry?.[0] === source ? readText(join(this.#folder, name)) : undefined;
    const text = present !== undefined && hash(present) === entry?.[1] ? present : await format();
    this.#current[name] = [source, hash(text)];
    return text;
  }

  save(): void {
    if (this.#path === undefined) return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(this.#path, JSON.stringify(this.#current));
    } catch {
      // Ignore the error: the next run formats everything again.
    }
  }
}

function readEntries(path: string): Readonly<Record<string, Entry>> {
  try {
    const entries = JSON.parse(readFileSync(path, "utf8")) as unknown;
    return typeof entries === "object" && entries !== null
      ? (entries as Readonly<Record<string, Entry>>)
      : {};
  } catch {
    return {};
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

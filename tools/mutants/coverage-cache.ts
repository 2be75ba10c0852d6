import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CoverageLimits, FileCoverage } from "./coverage.js";

/**
 * Caches the coverage of test files. An entry stays valid until the code or the test file changes.
 */
export class CoverageCache {
  readonly #folder: string;
  readonly #tree: string;
  readonly #codeHash: string;

  constructor(folder: string, tree: string, { testMs, fileMs }: CoverageLimits) {
    this.#folder = folder;
    this.#tree = tree;
    const hash = createHash("sha256").update(`${testMs} ${fileMs}`);
    for (const path of codeIn(join(tree, "build"))) hash.update(readFileSync(path));
    this.#codeHash = hash.digest("hex");
    mkdirSync(folder, { recursive: true });
  }

  async get(file: string, measure: () => Promise<FileCoverage>): Promise<FileCoverage> {
    const test = readFileSync(join(this.#tree, file));
    const key = createHash("sha256").update(this.#codeHash).update(file).update(test).digest("hex");
    const path = join(this.#folder, `${key}.json`);
    if (existsSync(path)) return decode(readFileSync(path, "utf8"));
    const coverage = await measure();
    writeFileSync(path, encode(coverage));
    return coverage;
  }
}

/** Lists the modules in a folder, leaving out test files. */
function codeIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js") && !path.endsWith(".test.js"))
    .sort()
    .map((path) => join(folder, path));
}

function encode(coverage: FileCoverage): string {
  return JSON.stringify(coverage, (_key, value: unknown) =>
    value instanceof Map ? { map: [...value] } : value instanceof Set ? { set: [...value] } : value,
  );
}

function decode(text: string): FileCoverage {
  return JSON.parse(text, (_key, value: { map?: [string, unknown][]; set?: string[] } | null) => {
    // Arrays have a `map` method, so check for them first.
    if (value === null || Array.isArray(value)) return value;
    if (value.map !== undefined) return new Map(value.map);
    return value.set === undefined ? value : new Set(value.set);
  }) as FileCoverage;
}

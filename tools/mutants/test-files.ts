import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Tests that are never used, and why: they test other code, or take minutes and detect few mutants.
 */
export const excluded: ReadonlyMap<string, string> = new Map([
  ["tools/mutants", "starts this runner"],
  ["generator/emit/compatibility", "compiles types"],
  ["generator/read/fidelity", "compiles types"],
  ["generated/package", "compiles packages"],
  ["generated/compiled-packages", "compiles packages"],
  ["generated/packed-package", "compiles packages"],
  ["generator/read/overlay", "compiles packages"],
  ["protocols/own/protocol", "compiles packages"],
  ["docs/examples", "runs examples"],
  ["generator/read/hostile-schemas", "compiles packages"],
  ["runtime/connection/soak", "takes its time on purpose"],
  ["protocols/acp-breakpoints/breakpoint-peers", "is slow on purpose"],
  ["protocols/dap/debug-sessions", "drives real adapters"],
  ["protocols/dap/official-client", "drives real adapters"],
]);

export interface TestFiles {
  /** Paths relative to the root. */
  readonly judges: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Finds the test files that load one of the sources. Tests of the tool may do so in child
 * processes.
 */
export function findTestFiles(root: string, sources: readonly string[]): TestFiles {
  const judges: string[] = [];
  const leftOut: string[] = [];
  for (const name of testsIn(root)) {
    const file = `build/test/${name}`;
    if (!loads(root, file, sources)) continue;
    const reason = excluded.get(name.replace(".test.js", ""));
    if (reason === undefined) judges.push(file);
    else leftOut.push(`${file}: ${reason}`);
  }
  return { judges, leftOut };
}

function testsIn(root: string): readonly string[] {
  return readdirSync(join(root, "build/test"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".test.js"))
    .sort();
}

function loads(root: string, file: string, sources: readonly string[]): boolean {
  const ofTool = sources.some((source) => !source.startsWith("runtime/"));
  const compiled = sources.map((source) => source.replace(/\.ts$/, ".js"));
  const loaded = new Set([file]);
  for (const path of loaded) {
    // Generated packages embed copies of `runtime/`.
    if (compiled.some((source) => path.endsWith(`/${source}`))) return true;
    const text = readFileSync(join(root, path), "utf8");
    if (ofTool && path.startsWith("build/test/") && text.includes('"node:child_process"'))
      return true;
    for (const [, specifier] of text.matchAll(/\b(?:from |import |import\()"(\.[^"]+)"/g)) {
      const target = relative(root, join(root, dirname(path), specifier!));
      if (existsSync(join(root, target))) loaded.add(target);
    }
  }
  return false;
}

import { readdirSync } from "node:fs";
import { nearest } from "../../generator/base/input-error.js";
import { fromRoot } from "../../tools/shared/paths.js";

export interface ChosenTests {
  readonly names: readonly string[];
  /** Options for `node --test`. */
  readonly options: readonly string[];
  /** Why nothing can be run. */
  readonly problem?: string;
}

/** All test files, as paths below `test` without `.test.ts`. */
export function allTests(): readonly string[] {
  return readdirSync(fromRoot("test"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules/"))
    .map((path) => path.slice(0, -".test.ts".length))
    .sort();
}

/**
 * Reads the arguments of `npm test`: names, then options. A name is a test file, a room, or the end of the path of
 * either: `frame-decoder`, `lint/rules`, `runtime/frames`. Without names, all tests are chosen.
 */
export function chooseTests(args: readonly string[], all: readonly string[]): ChosenTests {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const options = end < 0 ? [] : args.slice(end);
  const chosen = new Set<string>();
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const name = arg
      .replaceAll("\\", "/")
      .replace(/^(.*\/)?test\//, "")
      .replace(/\/$/, "")
      .replace(/\.test(\.[jt]s)?$/, "");
    const found = all.filter((path) => `/${path}/`.includes(`/${name}/`));
    if (name === "" || found.length === 0) {
      const near = nearNames(name, all);
      const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
      return { names: [], options, problem: `There is no test "${name}".${hint}` };
    }
    for (const path of found) chosen.add(path);
  }
  return { names: chosen.size === 0 ? all : [...chosen], options };
}

function nearNames(name: string, all: readonly string[]): readonly string[] {
  if (name === "") return [];
  const near = nearest(
    name,
    all.map((path) => path.slice(path.lastIndexOf("/") + 1)),
  );
  return [
    ...new Set([
      ...(near === undefined ? [] : [near]),
      ...all.filter((path) => path.includes(name)).slice(0, 3),
    ]),
  ];
}

/** Files that take longest, on whatever machine. None of them should be the last to start. */
export const longest: readonly string[] = [
  "generated/packed-package",
  "generated/compiled-packages",
  "generated/package",
  "tools/platforms",
  "tools/fuzz",
  "generator/diff/laws",
  "runtime/validation/validators",
  "generator/diff/recursion",
  "generator/read/hostile-schemas",
  "tools/fuzz-findings",
  "generator/emit/compatibility",
  "protocols/ruby-debug-ide/stream",
  "runtime/frames/hostile-streams",
];

/** The order in which files are started. */
export function longestFirst(names: readonly string[]): readonly string[] {
  return [
    ...longest.filter((name) => names.includes(name)),
    ...names.filter((name) => !longest.includes(name)),
  ];
}

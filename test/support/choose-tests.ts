import { nearest } from "../../generator/base/input-error.js";

export interface ChosenTests {
  readonly names: readonly string[];
  /** What `node --test` is told. */
  readonly options: readonly string[];
  /** Why nothing can be run. */
  readonly problem?: string;
}

/** Reads the arguments of `npm test`: names of test files, then options. Without names, all are chosen. */
export function chooseTests(args: readonly string[], all: readonly string[]): ChosenTests {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const options = end < 0 ? [] : args.slice(end);
  const names = (end < 0 ? args : args.slice(0, end)).map((arg) =>
    arg.replace(/^.*[\\/]/, "").replace(/\.test(\.[jt]s)?$/, ""),
  );
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    const near = nearNames(unknown, all);
    const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
    return { names: [], options, problem: `There is no test/${unknown}.test.ts.${hint}` };
  }
  return { names: names.length === 0 ? all : [...new Set(names)], options };
}

function nearNames(name: string, all: readonly string[]): readonly string[] {
  const containing = name === "" ? [] : all.filter((each) => each.includes(name));
  const near = nearest(name, all);
  return [...new Set([...(near === undefined ? [] : [near]), ...containing])];
}

/** Files that take longest, on whatever machine. None of them should be the last to start. */
export const longest: readonly string[] = [
  "generated-package",
  "platforms",
  "fuzz",
  "diff-laws",
  "validators",
  "diff-recursion",
  "hostile-schemas",
  "fuzz-findings",
  "compatibility",
  "ruby-debug-ide-stream",
  "hostile-streams",
];

/** The order in which files are started. */
export function longestFirst(names: readonly string[]): readonly string[] {
  return [
    ...longest.filter((name) => names.includes(name)),
    ...names.filter((name) => !longest.includes(name)),
  ];
}

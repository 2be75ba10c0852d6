import { readdirSync } from "node:fs";
import { nearest } from "../../generator/base/input-error.js";
import { fromRoot } from "./paths.js";

export interface ChosenTests {
  readonly names: readonly string[];
  /** Options for `node --test`. */
  readonly options: readonly string[];
  /** The reason no test can be run. */
  readonly problem?: string;
}

/** Lists all test files as paths relative to `test`, without `.test.ts`. */
export function allTests(): readonly string[] {
  return readdirSync(fromRoot("test"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules/"))
    .map((path) => path.slice(0, -".test.ts".length))
    .sort();
}

/**
 * Parses the arguments of `npm test`: names, followed by options. A name is a test file, a room, or
 * the end of the path of either: `frame-decoder`, `lint/rules`, `runtime/frames`. Without names,
 * all tests except `longTests` are chosen, or only `longTests` if the first argument is `--long`.
 */
export function chooseTests(args: readonly string[], all: readonly string[]): ChosenTests {
  const areLong = args[0] === "--long";
  if (areLong) args = args.slice(1);
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
  const unnamed = all.filter((name) => Object.hasOwn(longTests, name) === areLong);
  return { names: chosen.size === 0 ? unnamed : [...chosen], options };
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

/**
 * Files that `npm run test:long` runs instead of `npm test`, each with what it covers. The other
 * files take five minutes on two processors.
 */
const longTests: Readonly<Record<string, string>> = {
  "tools/platforms": "all packages in packed form, with every module resolution and in a browser",
  "generated/compiled-packages":
    "packages of many versions compile with the oldest and the newest compiler",
  "conformance/packed-suite":
    "the packed suite and its action, in an empty repository with debugpy",
  "conformance/suite": "each mutant of the reference adapter fails its own check and no other",
  "tools/fuzz": "the fuzzer finds each planted fault from three seeds",
  "tools/planted-bugs": "the fuzzer finds three more planted faults within a minute each",
  "tools/test-runners": "the packed package under node:test, mocha and vitest",
  "tools/benches": "a second of each benchmark, alongside its peers",
  "tools/release": "a release packs all packages and refuses a tree that is not ready",
  "tools/packed-tool": "the packed tool in an empty folder",
  "tools/package-size": "the sizes of the packed package and of bundles",
  "generated/packed-package": "the packed package in an empty folder, with both compilers",
  "generated/compiler-messages": "compiler errors for incorrect uses of each package",
  "diff/laws": "properties of diff that must hold for many pairs of published versions",
  "launch/compiled-types": "types for real launch configurations, with both compilers",
  "diff/model-fields": "an edit to any field of five protocol models is found",
  "sessions/judge/false-alarms":
    "recorded sessions that are cut and altered cause no false findings",
  "generator/emit/compatibility":
    "each declaration in eleven official versions is assignable in both directions",
  "generator/read/hostile-schemas": "hostile schemas are refused in bounded time and memory",
  "diff/oracle": "random pairs of schemas, judged by validators and by diff",
  "protocols/official/revisions": "packages for published revisions of MCP, LSP and CDP compile",
  "protocols/official/cdp-browser": "the CDP guide, with a browser and both compilers",
  "protocols/official/lsp-programs": "the LSP guide, with language servers and both compilers",
  "protocols/official/mcp-programs": "the MCP guide, with the official SDK and both compilers",
  "diff/action": "the steps of the GitHub Action, with git and real versions",
  "runtime/connection/arrival-order": "messages arrive in order despite random splits and delays",
  "tools/mutants": "mutants are caught by tests that are run for each of them",
  "tools/fuzz-findings": "bugs that the fuzzer once found stay fixed, in all targets",
  "runtime/connection/soak": "a hundred thousand requests leave nothing in memory",
  "diff/edits": "random edits of four protocols, judged by values and by the compiler",
  "diff/elementary-code": "verdicts on code, confirmed by the compiler",
  "generator/emit/compiled-modules": "packages in JavaScript, read by all compilers",
  "generator/emit/forged-packages": "schemas with malicious texts, compiled",
  "launch/agreement": "validators of configurations agree with ajv",
  "generator/read/json-schema-oracle": "random JSON Schemas get the same verdicts from us and ajv",
  "generator/read/fidelity": "planted reading mistakes are found in all protocols",
  "sessions/read/recording-memory": "recordings of any length are judged in bounded memory",
  "sessions/show/redact/seeded-secrets": "five hundred secrets disappear from recordings",
  "sessions/show/inspector/page-layout":
    "the inspector page in a browser, at all sizes and with axe",
  "protocols/ruby-debug-ide/stream": "streams of XML documents with any damage, under all splits",
  "protocols/ruby-debug-ide/time-of-streams": "XML streams are read in linear time",
  "runtime/frames/hostile-streams": "hostile streams are decoded in bounded memory",
  "runtime/connection/hostile": "hostile peers, each in its own process",
  "runtime/connection/in-flight": "a hundred thousand requests in flight",
  "runtime/validation/validators": "samples of every definition, judged by us and by ajv",
  "runtime/validation/checks-and-rules": "each generated check agrees with its rule",
  "generator/read/contradictions": "types without valid values, compiled",
  "sessions/show/inspector/comparison": "two recordings on one page, in a browser",
  "docs/exported-symbols": "every exported symbol and option is documented",
  "sessions/judge/own-sessions": "sessions of our own clients and adapters cause no findings",
  "sessions/tap/viewer": "a tap whose viewer hangs or fails still records everything",
};

/** The files that are slowest on any machine. They must not start last. */
export const longest: readonly string[] = [
  ...Object.keys(longTests),
  "conformance/client",
  "diff/schema-edits",
  "conformance/command",
  "docs/shown-examples",
  "generated/package",
  "diff/elementary",
];

/** Puts the slowest files first. */
export function longestFirst(names: readonly string[]): readonly string[] {
  return [
    ...longest.filter((name) => names.includes(name)),
    ...names.filter((name) => !longest.includes(name)),
  ];
}

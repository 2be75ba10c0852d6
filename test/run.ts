/**
 * Runs test files: `npm test -- [NAME…] [OPTION…]`. A name is a file, a room, or the end of the path
 * of either: `frame-decoder`, `lint/rules`, `runtime/frames`. Without names, it runs all files except
 * those that take long, and with `--long` only those. Options are passed to `node --test`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { fromRoot, root } from "./support/paths.js";

const long = [
  "generated/platforms",
  "generated/compiled-packages",
  "conformance/packed-suite",
  "conformance/suite",
  "generated/test-runners",
  "tools/benchmarks",
  "tools/release",
  "tools/packed-tool",
  "tools/package-size",
  "generated/packed-package",
  "generated/compiler-messages",
  "diff/laws",
  "launch/compiled-types",
  "diff/model-fields",
  "sessions/judge/false-alarms",
  "generator/emit/compatibility",
  "generator/read/hostile-schemas",
  "protocols/official/revisions",
  "protocols/official/agreement",
  "protocols/official/cdp-browser",
  "protocols/official/lsp-programs",
  "protocols/official/mcp-programs",
  "diff/action",
  "runtime/connection/arrival-order",
  "runtime/connection/soak",
  "diff/edits",
  "diff/elementary-code",
  "generator/emit/compiled-modules",
  "generator/emit/forged-packages",
  "launch/agreement",
  "generator/read/json-schema-oracle",
  "generator/read/fidelity",
  "sessions/read/recording-memory",
  "sessions/show/inspector/page-layout",
  "protocols/ruby-debug-ide/stream",
  "protocols/ruby-debug-ide/time-of-streams",
  "runtime/frames/hostile-streams",
  "runtime/connection/hostile",
  "runtime/connection/in-flight",
  "runtime/validation/validators",
  "generator/read/contradictions",
  "sessions/show/inspector/comparison",
  "docs/exported-symbols",
  "sessions/judge/own-sessions",
  "conformance/command",
  "conformance/certainty",
  "diff/schema-edits",
  "diff/range",
  "generated/import-extensions",
  "docs/site/site-pages",
  "docs/shown-examples",
  "docs/from-code",
  "docs/programs",
  "protocols/dap/session-debuggers",
  "generator/output/format-package",
  "generator/read/growth",
  "generator/read/dap-history",
  "tools/update-dap",
  "tools/take-in-version",
  "tools/codec-speed",
  "cli/matrix",
];

/** The slowest files start first, so that nothing waits for them at the end. */
const slow = [
  ...long,
  "conformance/client",
  "generated/package",
  "diff/elementary",
  "properties/mutated-schemas",
  "properties/damaged-recordings",
];

/** Files that change their process: its environment, its folder, its globals. */
const alone = ["runtime/lanes/lane-client"];

/** A file that takes longer, in milliseconds, has stopped, and would never let the run end. */
const longestFile = 30 * 60_000;

const ending = ".test.ts";
const all = readdirSync(fromRoot("test"), { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(ending) && !path.includes("node_modules/"))
  .map((path) => path.slice(0, -ending.length))
  .sort((one, other) => Number(slow.includes(other)) - Number(slow.includes(one)));

const isLong = process.argv[2] === "--long";
const names: string[] = [];
const options: string[] = [];
for (const arg of process.argv.slice(isLong ? 3 : 2))
  if (options.length > 0 || arg.startsWith("-")) options.push(arg);
  else names.push(arg.replace(/^(.*\/)?test\/|\.test(\.[jt]s)?$|\/$/g, ""));
const unknown = names.filter((name) => !all.some((path) => `/${path}/`.includes(`/${name}/`)));
const paths = all.filter((path) =>
  names.length === 0
    ? long.includes(path) === isLong
    : names.some((name) => `/${path}/`.includes(`/${name}/`)),
);
const testFile = (path: string): string => fromRoot(`build/test/${path}.test.js`);

/**
 * Files of one folder share a process, since loading the product takes longer than most of them.
 * Whatever takes long or changes its process has its own.
 */
function groupFiles(): string[] {
  const single = paths.filter((path) => slow.includes(path) || alone.includes(path));
  const rooms = new Map<string, URL[]>();
  for (const path of paths) {
    if (single.includes(path)) continue;
    const room = dirname(path).replaceAll("/", "-");
    rooms.set(room, [...(rooms.get(room) ?? []), pathToFileURL(testFile(path))]);
  }
  const folder = mkdtempSync(fromRoot("build/test/group-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const groups = [...rooms].sort(([, one], [, other]) => other.length - one.length);
  const shared = groups.map(([room, files]) => {
    const file = join(folder, `${room}.js`);
    writeFileSync(
      file,
      `import { test } from "node:test";
for (const file of ${JSON.stringify(files)})
  await import(file).catch((error) => test(file, () => { throw error; }));
`,
    );
    return file;
  });
  return [...single.map(testFile), ...shared];
}

if (unknown.length > 0) {
  console.error(`There is no test "${unknown.join('", "')}".`);
  process.exitCode = 2;
} else if (options.length > 0) {
  const { status } = spawnSync(process.execPath, ["--test", ...options, ...paths.map(testFile)], {
    cwd: root,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} else
  // `node --test` would sort the files and leave a processor unused. While a test waits for a process
  // or a timeout, its processor can run others.
  run({
    files: groupFiles(),
    concurrency: availableParallelism() * 2,
    timeout: process.env["FUZZ_MINUTES"] === undefined ? longestFile : Infinity,
  })
    .on("test:fail", ({ todo }) => {
      if (todo === undefined || todo === false) process.exitCode = 1;
    })
    .compose(new spec())
    .pipe(process.stdout);

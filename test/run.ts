/**
 * Runs test files: `npm test -- [NAME…] [OPTION…]`. Without names, it runs all files. It passes the
 * options to `node --test`.
 */
import { spawnSync } from "node:child_process";
import { fromRoot, root } from "./support/paths.js";
import { allTests, chooseTests, longestFirst } from "./support/choose-tests.js";
import { availableParallelism } from "node:os";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/**
 * Runs test files, starting them in the given order, and prints their results. Failures set the
 * exit code.
 *
 * `node --test` would leave one processor unused and start files in alphabetical order. While a
 * test waits for a process or a timeout, its processor can run other files.
 */
function runFiles(files: readonly string[]): void {
  run({ files, concurrency: availableParallelism() * 2 })
    .on("test:fail", ({ todo }) => {
      if (todo === undefined || todo === false) process.exitCode = 1;
    })
    .compose(new spec())
    .pipe(process.stdout);
}

const { names, options, problem } = chooseTests(process.argv.slice(2), allTests());
const files = longestFirst(names).map((name) => fromRoot(`build/test/${name}.test.js`));

if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else if (options.length > 0) {
  const args = ["--test", ...options, ...files];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
} else runFiles(files);

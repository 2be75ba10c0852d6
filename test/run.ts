/**
 * Runs test files: `npm test -- [NAME…] [OPTION…]`. Without names, it runs all files. It passes the
 * options to `node --test`.
 */
import { spawnSync } from "node:child_process";
import { fromRoot, root } from "./support/paths.js";
import { allTests, chooseTests, longestFirst } from "./support/choose-tests.js";
import { runFiles } from "./support/run-files.js";

const { names, options, problem } = chooseTests(process.argv.slice(2), allTests());
const files = longestFirst(names).map((name) => fromRoot(`build/test/${name}.test.js`));

if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else if (options.length > 0) {
  const args = ["--test", ...options, ...files];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
} else runFiles(files);

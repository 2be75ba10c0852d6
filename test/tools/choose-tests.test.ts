import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chooseTests, longest, longestFirst } from "../support/choose-tests.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, root } from "../support/paths.js";

const all = [
  "sessions/judge/hosts",
  "sessions/judge/rules",
  "runtime/connection/connection",
  "runtime/validation/rules",
];

test("npm test accepts file names followed by options", () => {
  assert.deepEqual(chooseTests(["hosts", "connection/connection", "hosts"], all), {
    names: ["sessions/judge/hosts", "runtime/connection/connection"],
    options: [],
  });
  assert.deepEqual(chooseTests(["hosts", "--test-name-pattern", "a b"], all), {
    names: ["sessions/judge/hosts"],
    options: ["--test-name-pattern", "a b"],
  });
  assert.deepEqual(chooseTests(["--test-only"], all), { names: all, options: ["--test-only"] });
  assert.deepEqual(chooseTests([], all), { names: all, options: [] });
});

test("npm test leaves out the tests in npm run test:long unless they are named", () => {
  const some = ["diff/laws", "diff/rules"];
  const chosen = (...args: readonly string[]): readonly string[] => chooseTests(args, some).names;
  assert.deepEqual(chosen(), ["diff/rules"]);
  assert.deepEqual(chosen("--long"), ["diff/laws"]);
  assert.deepEqual(chosen("laws"), ["diff/laws"]);
  assert.deepEqual(chooseTests(["--long", "--test-only"], some), {
    names: ["diff/laws"],
    options: ["--test-only"],
  });
});

test("a name may be a path, a room, or the name of a file in several rooms", () => {
  const chosen = (name: string): readonly string[] => chooseTests([name], all).names;
  for (const path of [
    "test/sessions/judge/rules.test.ts",
    "test\\sessions\\judge\\rules.test.ts",
    "build/test/sessions/judge/rules.test.js",
    "judge/rules",
  ])
    assert.deepEqual(chosen(path), ["sessions/judge/rules"], path);
  for (const room of ["judge", "sessions", "test/sessions/judge/"])
    assert.deepEqual(chosen(room), ["sessions/judge/hosts", "sessions/judge/rules"], room);
  assert.deepEqual(chosen("rules"), ["sessions/judge/rules", "runtime/validation/rules"]);
});

test("an unknown name is refused, and similar names are listed", () => {
  const refused = (name: string): string | undefined => chooseTests(["judge", name], all).problem;
  assert.equal(
    refused("host"),
    'There is no test "host". Did you mean hosts or sessions/judge/hosts?',
  );
  assert.equal(refused("conection"), 'There is no test "conection". Did you mean connection?');
  assert.equal(refused("zebra"), 'There is no test "zebra".');
  assert.equal(refused(""), 'There is no test "".');
});

test("slow test files start first", () => {
  assert.deepEqual(longestFirst(["a", ...[...longest].reverse(), "b"]), [...longest, "a", "b"]);
  for (const name of longest) assert.ok(existsSync(fromRoot(`test/${name}.test.ts`)), name);
});

/** Runs a script that starts the test runner as `npm test` does, but not as part of this test. */
function runScript(...args: readonly string[]): { status: number | null; output: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env,
  });
  return { status, output: `${stdout}${stderr}` };
}

test("the runner runs the named tests with the given options and exits with 2 if a name is unknown", () => {
  const runner = fromRoot("build/test/run.js");
  assert.deepEqual(runScript(runner, "judge/hosts", "string-bulder"), {
    status: 2,
    output: 'There is no test "string-bulder". Did you mean string-builder?\n',
  });
  const one = runScript(runner, "string-builder");
  assert.equal(one.status, 0, one.output);
  assert.match(one.output, /pass 1$/m);
  const asTap = runScript(runner, "string-builder", "--test-reporter", "tap");
  assert.equal(asTap.status, 0, asTap.output);
  assert.match(asTap.output, /^TAP version 13\n/);
});

test("the runner exits with 1 if a test fails or a file does not load", async () => {
  await withFolder((folder) => {
    const module = new URL("../support/run-files.js", import.meta.url).href;
    writeFiles(folder, {
      "run.mjs": `import { runFiles } from "${module}"; runFiles(process.argv.slice(2));`,
      "good.mjs": 'import { test } from "node:test"; test("good", () => {});',
      "bad.mjs": 'import { test } from "node:test"; test("bad", () => { throw new Error("no"); });',
      "broken.mjs": 'import "./nothing.mjs";',
    });
    const runFiles = (...names: readonly string[]): ReturnType<typeof runScript> =>
      runScript(...["run", ...names].map((name) => join(folder, `${name}.mjs`)));
    assert.equal(runFiles("good").status, 0);
    const failed = runFiles("bad", "good");
    assert.deepEqual([failed.status, /pass 1$/m.test(failed.output)], [1, true], failed.output);
    assert.match(failed.output, /Error: no/);
    assert.equal(runFiles("good", "broken").status, 1);
  });
});

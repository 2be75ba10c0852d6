import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { checks } from "../../conformance/index.js";
import { compile, installedCompilers, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { assertSafe, hasBash, readAction, runAction } from "../support/composite-action.js";
import { readPage } from "../support/markdown-page.js";
import { installPacked, packWithSuite, withoutDebugpy } from "./packed-suite.js";

/** A new git repository that contains only the packed packages. */
let app = "";
const inPackage = (path: string): string => join(app, "node_modules/@wirewright/conformance", path);

before(async () => {
  app = await mkdtemp(join(tmpdir(), "wirewright-packed-suite-"));
  assert.equal(spawnSync("git", ["init", "--quiet"], { cwd: app }).status, 0);
  installPacked(app, await packWithSuite());
});

after(() => rmSync(app, { recursive: true, force: true }));

const npx = (...args: readonly string[]) =>
  spawnSync("npx", ["--no", "--offline", "@wirewright/conformance", ...args], {
    cwd: app,
    encoding: "utf8",
    timeout: 120_000,
    shell: process.platform === "win32",
  });

const manifestOf = (path: string) =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;

test("the package contains only code, checks, programs and the results schema", () => {
  assert.deepEqual(readdirSync(inPackage("")).sort(), [
    "LICENSE",
    "README.md",
    "checks",
    "dist",
    "fixtures",
    "package.json",
    "results.schema.json",
  ]);
  const code = readdirSync(inPackage("dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.\w+$/.test(path) && !path.endsWith(".d.ts"))
    .map((path) => path.replace(/-\w{8}\./, "-HASH."));
  assert.deepEqual([...new Set(code)].sort(), ["chunk-HASH.js", "cli.js", "index.js"]);
  assert.ok(existsSync(inPackage("fixtures/c/loop.c")));
  const { name, version, bin, exports, dependencies, repository, ...rest } = manifestOf(
    inPackage("package.json"),
  );
  const tool = manifestOf(fromRoot("package.json"));
  assert.deepEqual(
    { name, version, bin, exports, dependencies, repository, isPrivate: rest["private"] },
    {
      name: "@wirewright/conformance",
      version: tool["version"],
      bin: { "wirewright-conformance": "./dist/cli.js" },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./results.schema.json": "./results.schema.json",
        "./package.json": "./package.json",
      },
      dependencies: { "@wirewright/dap": tool["version"], wirewright: tool["version"] },
      repository: { ...(tool["repository"] as object), directory: "conformance" },
      isPrivate: undefined,
    },
  );
});

test("npx runs the suite against an adapter on standard streams", () => {
  const adapter = [process.execPath, fromRoot("build/test/support/conformance-adapter.js")];
  const only = ["--only", "unknown-command", "--only", "initialize-twice"];
  const { status, stdout, stderr } = npx("--language", "python", ...only, "--", ...adapter);
  // Checks without a "must" or "should" in the specification are not scored.
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^✗ base-05 .*\(info; no sentence: common practice\)$/m);
  assert.match(stdout, /^✗ init-03 .*\(info; InitializeRequest\)$/m);
});

test("npx runs the suite against debugpy", { skip: withoutDebugpy }, () => {
  const only = ["--only", "breakpoint-hit", "--only", "condition", "--json", "results.json"];
  const adapter = ["/usr/bin/python3", "-m", "debugpy.adapter"];
  const { status, stderr } = npx("--language", "python", ...only, "--", ...adapter);
  assert.deepEqual([status, stderr], [1, ""]);
  const results = manifestOf(join(app, "results.json"))["checks"] as {
    check: string;
    status: string;
  }[];
  const statusOf = (id: string) => results.find(({ check }) => check === id)?.status;
  assert.deepEqual(["bp-06", "bp-08", "base-01"].map(statusOf), ["pass", "pass", "pass"]);
  assert.equal(results.length, checks.length);
});

test("the guide's program tests an adapter for another language", { skip: withoutDebugpy }, () => {
  const { blocks } = readPage("docs/guides/test-your-adapter.md");
  const [program] = blocks.filter(({ language }) => language === "js");
  // The other language in this test is really Python: only the language name and the file extension
  // differ.
  for (const name of readdirSync(inPackage("fixtures/python")))
    cpSync(
      inPackage(`fixtures/python/${name}`),
      join(app, "test/programs", name.replace(/py$/, "lua")),
    );
  writeFiles(app, {
    "other-language.mjs": program!.text,
    "bin/lua-adapter": "#!/bin/sh\nexec /usr/bin/python3 -m debugpy.adapter\n",
  });
  chmodSync(join(app, "bin/lua-adapter"), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["other-language.mjs"], {
    cwd: app,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(app, "bin")}:${process.env["PATH"]}` },
  });
  assert.equal(status, 0, stderr);
  const results = stdout
    .trimEnd()
    .split("\n")
    .map((line) =>
      /^(pass|fail|inconclusive|blocked|not-applicable) {2}(\S+) {2}(.+)$/.exec(line)?.slice(1),
    );
  assert.deepEqual(
    results.map((result) => result?.slice(1)),
    checks.map(({ id, title }) => [id, title]),
  );
  const statusOf = new Map(results.map((result) => [result?.[1], result?.[0]]));
  assert.deepEqual(
    ["base-01", "bp-06", "bp-08", "init-04", "thr-04"].map((id) => statusOf.get(id)),
    ["pass", "pass", "pass", "fail", "not-applicable"],
  );
  assert.deepEqual(
    results.filter((result) => result?.[0] === "blocked"),
    [],
  );
  const cases = stderr.trimEnd().split("\n");
  assert.match(cases.at(-1)!, new RegExp(`^${cases.length}/${cases.length} [a-z-]+$`));
});

test("programs can import the suite, and its declarations compile", () => {
  writeFiles(app, {
    "use.mjs":
      'import { checks, languages } from "@wirewright/conformance"; console.log(checks.length, languages().has("go"));',
    "use.mts":
      'import { runSuite, openSuite, type CheckResult } from "@wirewright/conformance"; export const failed = async (): Promise<readonly CheckResult[]> => (await runSuite(await openSuite({ target: { connect: "127.0.0.1:1" }, language: "c" }))).checks;',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "es2022",
        module: "nodenext",
        types: ["node"],
      },
      files: ["use.mts"],
    }),
  });
  const { stdout, stderr } = spawnSync(process.execPath, ["use.mjs"], {
    cwd: app,
    encoding: "utf8",
  });
  assert.deepEqual([stdout, stderr], [`${checks.length} true\n`, ""]);
  for (const compiler of installedCompilers)
    assert.equal(compile(compiler, "-p", app), "", compiler);
});

const action = readAction("conformance");
const skip = hasBash ? withoutDebugpy : "needs bash, as do the steps of the action";
const inputs = {
  adapter: "/usr/bin/python3 -m debugpy.adapter",
  language: "python",
  options: "--only=breakpoint-hit\n\n--only=condition\n",
};

test("the action passes inputs as variables and exposes an output for each of its steps", () =>
  assertSafe(action));

test("the example in the guide uses only inputs that the action defines", () => {
  const page = readFileSync(fromRoot("docs/guides/test-your-adapter.md"), "utf8");
  const [, yaml = ""] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
  const [example] = parse(yaml) as { uses: string; with: Record<string, string> }[];
  assert.match(example!.uses, /^wirewright\/wirewright\/\.github\/actions\/conformance@/);
  assert.deepEqual(
    Object.keys(example!.with).filter((name) => !(name in action.inputs)),
    [],
  );
});

test("the action tests debugpy in an empty repository and writes reports", { skip }, () => {
  const failed = runAction(action, app, inputs);
  assert.equal(failed.status, 1, failed.log);
  assert.match(failed.summary, /^#+ .*debugpy\.adapter/m);
  // The order of debugpy's events and its `initialize` response varies between runs.
  assert.match(failed.summary, /`init-09`/);
  const { status, json, junit, page } = failed.outputs;
  assert.equal(status, "1");
  const results = JSON.parse(readFileSync(json!, "utf8")) as {
    checks: { check: string; status: string; level: string; case: string }[];
  };
  assert.equal(results.checks.find(({ check }) => check === "bp-06")?.status, "pass");
  assert.match(readFileSync(junit!, "utf8"), /<testcase [^>]*name="bp-06/);
  assert.ok(existsSync(join(page!, "index.html")));
  // Different cases fail in different runs, so compare the recordings with this run's results.
  const failedCases = new Set(
    results.checks.filter((each) => each.status === "fail").map((each) => each.case),
  );
  const shownCases = new Set(
    readdirSync(join(page!, "recordings")).map(
      (name) => /^adapter-(.+?)(-\d+)?\.jsonl\.html$/.exec(name)?.[1],
    ),
  );
  assert.deepEqual(shownCases, failedCases);

  const known = results.checks
    .filter(({ status: each, level }) => each === "fail" && level !== "info")
    .map(({ check }) => [check, "known"]);
  writeFiles(app, { "in/known.json": JSON.stringify(Object.fromEntries(known)) });
  const elsewhere = { ...inputs, "working-directory": "in", expect: "known.json" };
  const expected = runAction(action, app, elsewhere);
  assert.deepEqual([expected.status, expected.outputs["status"]], [0, "0"], expected.log);
});

test(
  "the action shows why the suite could not run and does not execute its inputs",
  { skip },
  () => {
    const missing = runAction(action, app, { ...inputs, adapter: "/no/such/adapter" });
    assert.equal(missing.status, 2);
    assert.match(missing.summary, /^## wirewright conformance failed\n\n {4}.*\/no\/such\/adapter/);
    const hostile = '$(touch forged)`touch forged`"; touch forged; "';
    mkdirSync(join(app, "out"), { recursive: true });
    for (const name of ["adapter", "language", "project", "config", "expect", "options"])
      assert.equal(runAction(action, app, { ...inputs, [name]: hostile }).status, 2, name);
    assert.equal(existsSync(join(app, "forged")), false);
  },
);

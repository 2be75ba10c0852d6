import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";

const adapter = ["--", process.execPath, fromRoot("build/test/support/conformance-adapter.js")];

function run(...args: readonly string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  return spawnSync(process.execPath, [fromRoot("build/conformance/cli.js"), ...args], {
    encoding: "utf8",
    timeout: 60_000,
  });
}

const chosen = ["--language", "python", "--timeout", "500", "--only", "launch-missing"];

test("the command exits with status 1 if an adapter accepts to launch a missing program", () => {
  const { status, stdout } = run(...chosen, ...adapter);
  assert.equal(status, 1);
  assert.match(
    stdout,
    /✗ launch-04 `launch` fails if the program is missing \(should; Response.success\)/,
  );
});

test("the command exits with status 0 if a failure is not scored", () => {
  const only = ["--language", "python", "--only", "unknown-command"];
  const { status, stdout } = run(...only, ...adapter);
  assert.equal(status, 0);
  assert.match(stdout, /✗ base-05 .* \(info; no sentence: common practice\)/);
});

test("the command exits with status 0 if all failures were expected, and writes reports", () =>
  withFolder((folder) => {
    writeFiles(folder, { "known.json": '{ "launch-04": "not yet" }' });
    const at = (name: string): string => join(folder, name);
    const files = [
      "--json",
      at("r.json"),
      "--junit",
      at("r.xml"),
      "--markdown",
      at("r.md"),
      "--badge",
      at("b.json"),
    ];
    const pages = ["--page", at("page"), "--recordings", at("recordings")];
    const { status, stderr } = run(
      ...chosen,
      "--expect",
      at("known.json"),
      ...files,
      ...pages,
      ...adapter,
    );
    assert.deepEqual([status, stderr], [0, ""]);
    const names = [
      "r.xml",
      "r.md",
      "b.json",
      "page/index.html",
      "page/adapter.html",
      "recordings/adapter/launch-missing.jsonl",
    ];
    assert.deepEqual(
      names.filter((name) => !existsSync(at(name))),
      [],
    );
    const { checks } = JSON.parse(readFileSync(at("r.json"), "utf8")) as {
      checks: { check: string; status: string }[];
    };
    assert.equal(checks.find(({ check }) => check === "launch-04")?.status, "fail");
    const recording = "page/recordings/adapter-launch-missing.jsonl.html";
    assert.ok(readFileSync(at(recording), "utf8").startsWith("<!doctype html>"));
  }));

test("the command exits with status 1 if an expected failure does not occur", () =>
  withFolder((folder) => {
    const entry = {
      language: "python",
      command: adapter.slice(1),
      expected: { "launch-04": "not yet", "init-01": "old" },
    };
    writeFiles(folder, { "project.json": JSON.stringify({ adapters: { small: entry } }) });
    const { status, stdout } = run(
      "--project",
      join(folder, "project.json"),
      "--timeout",
      "500",
      "--parallel",
      "16",
    );
    assert.equal(status, 1);
    assert.match(stdout, /init-01 is expected to fail but does not: remove its entry/);
  }));

test("an adapter that does not start is reported with the last line that it printed", () => {
  const code = 'console.error("first\\nNo module named adapter"); process.exit(1)';
  const { status, stderr } = run("--language", "python", "--", process.execPath, "-e", code);
  assert.equal(status, 2);
  assert.match(stderr, /The adapter printed: No module named adapter\n$/);
});

test("with --only, an expected failure of another case is not reported as stale", () =>
  withFolder((folder) => {
    writeFiles(folder, { "known.json": '{ "launch-04": "not yet", "end-06": "not yet" }' });
    const { status, stdout } = run(...chosen, "--expect", join(folder, "known.json"), ...adapter);
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /remove its entry/);
  }));

for (const [title, args, text] of [
  ["no language", adapter, "--language is required, for example --language python"],
  ["an unknown language", ["--language", "cobol", ...adapter], 'there is no language "cobol"'],
  ["no adapter", ["--language", "python"], "give either the adapter's command"],
  ["an unknown case", ["--language", "python", "--only", "x", ...adapter], 'there is no case "x"'],
  ["an unknown option", ["--wrong"], "Unknown option"],
  [
    "an adapter that does not exist",
    ["--language", "python", "--", "/no/such/adapter"],
    "/no/such/adapter",
  ],
  ["a client that cannot communicate", ["client"], "give either --listen or --stdio"],
] as const)
  test(`the command exits with status 2 and an error without a stack trace: ${title}`, () => {
    const { status, stderr } = run(...args);
    assert.equal(status, 2);
    assert.ok(stderr.includes(text), stderr);
    assert.ok(!/^\s+at /m.test(stderr), stderr);
  });

test("errors in a project file name the adapter and the property", () =>
  withFolder((folder) => {
    for (const [entry, text] of [
      [
        { language: "python" },
        'project.json:1:22 /adapters/small: Cannot start the adapter [ERR_CONFIG]\n  Give either "command" or "connect"',
      ],
      [
        { language: "python", command: "x" },
        'project.json:1:53 /adapters/small/command: Cannot use "x": it must be an array [ERR_CONFIG]',
      ],
      [
        { language: "python", command: ["x"], lunch: {} },
        'project.json:1:67 /adapters/small/lunch: Cannot use the unknown key "lunch" [ERR_CONFIG]\n  Did you mean "launch"?',
      ],
    ] as const) {
      writeFiles(folder, { "project.json": JSON.stringify({ adapters: { small: entry } }) });
      const { status, stderr } = run("--project", join(folder, "project.json"));
      assert.equal(status, 2);
      assert.ok(stderr.includes(text), stderr);
    }
  }));

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { findRecordings, patternOf } from "../../../../sessions/judge/batch/find-recordings.js";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { readJson } from "../../../support/paths.js";
import { dapEvent, dapRequest, dapResponse } from "../../../support/dap-messages.js";
import { recorded } from "../../../support/inspector-page.js";
import { runCommand } from "../../../support/run-command.js";

/** Creates a recording of an adapter that sends events not defined by the protocol. */
function recordingOf(adapterID: string, events: readonly string[], threads: unknown): string {
  return [
    recorded("client", 0, dapRequest(1, "initialize", { adapterID })),
    recorded("adapter", 1, dapResponse(1, 1, "initialize", {})),
    ...events.map((event, at) => recorded("adapter", 2 + at, dapEvent(2 + at, event))),
    recorded("client", 50, dapRequest(2, "threads")),
    recorded("adapter", 51, dapResponse(60, 2, "threads", { threads })),
  ]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join("");
}

const files = {
  "runs/a.jsonl": recordingOf("one", ["mine", "mine"], []),
  "runs/deep/b.jsonl": recordingOf("one", ["mine"], [{ id: "x", name: "y" }]),
  "runs/deep/c.jsonl": recordingOf("two", [], [{ id: "x", name: "z" }]),
  "runs/notes.md": "not a recording\n",
  "runs/.hidden.jsonl": recordingOf("three", ["mine"], []),
  "runs/node_modules/d.jsonl": recordingOf("three", ["mine"], []),
};

test("command line arguments select files, folders and patterns", async () => {
  await withFolder(async (folder) => {
    writeFiles(folder, { ...files, "runs/x[1].jsonl": files["runs/a.jsonl"] });
    const found = async (...names: string[]): Promise<readonly string[]> =>
      (await findRecordings(names.map((name) => join(folder, name)))).map(
        ({ file, isNamed }) => `${file.slice(folder.length + 1)}${isNamed ? "!" : ""}`,
      );
    const all = ["runs/a.jsonl", "runs/deep/b.jsonl", "runs/deep/c.jsonl", "runs/notes.md"];
    assert.deepEqual(await found("runs"), [...all, "runs/x[1].jsonl"]);
    assert.deepEqual(await found("runs/**/*.jsonl", "runs/a.jsonl"), [
      "runs/a.jsonl!",
      "runs/deep/b.jsonl",
      "runs/deep/c.jsonl",
      "runs/x[1].jsonl",
    ]);
    assert.deepEqual(await found("runs/{a,deep/?}.jsonl"), all.slice(0, 3));
    assert.deepEqual(await found("runs/deep/[!c].jsonl"), ["runs/deep/b.jsonl"]);
    // A name that looks like a pattern selects the file of that name if it exists.
    assert.deepEqual(await found("runs/x[1].jsonl"), ["runs/x[1].jsonl!"]);
    await assert.rejects(found("runs/*.none"), { code: "ERR_ARGUMENT" });
    await assert.rejects(found("none"), { code: "ERR_READ" });
  });
  await withFolder(async (folder) => {
    writeFiles(folder, { "a.jsonl": "" });
    assert.equal(spawnSync("mkfifo", [join(folder, "b.jsonl")]).status, 0);
    symlinkSync("/dev/zero", join(folder, "c.jsonl"));
    symlinkSync("a.jsonl", join(folder, "d.jsonl"));
    const found = await findRecordings([folder, join(folder, "*.jsonl")]);
    assert.deepEqual(
      found.map(({ file }) => file.slice(folder.length + 1)),
      ["a.jsonl", "d.jsonl"],
    );
    // A pipe is read where it is named.
    assert.equal((await findRecordings([join(folder, "b.jsonl")])).length, 1);
  });
  const matches = (pattern: string, path: string): boolean => patternOf(pattern).test(path);
  assert.ok(matches("**/a.b", "a.b") && matches("**/a.b", "x/y/a.b"));
  assert.ok(!matches("*.b", "x/a.b") && !matches("a?b", "a/b") && !matches("a.b", "axb"));
  assert.ok(matches("a,b}", "a,b}") && matches("{a,b{c,d}}", "bd") && matches("a+(b)$", "a+(b)$"));
});

test("recordings are summarised in one table by adapter and rule", async () => {
  await withFolder((folder) => {
    writeFiles(folder, files);
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, ["lint", "runs", ...args]);
    const { status, stdout, stderr } = run();
    assert.deepEqual([status, stderr], [1, ""]);
    const lines = stdout.split("\n");
    assert.match(
      lines[0]!,
      /^3 recordings {3}dap 1\.71\.0, wire profile {3}15 messages {3}2 errors/,
    );
    assert.match(lines[1]!, /^severity {2}adapter {2}rule +findings {2}recordings {2}first in$/);
    assert.match(stdout, /^error {5}one +schema\.issue +1 +1 {2}runs\/deep\/b\.jsonl$/m);
    assert.match(stdout, /^error {5}two +schema\.issue +1 +1 {2}runs\/deep\/c\.jsonl$/m);
    assert.match(stdout, /^info {6}one +message\.custom +3 +2 {2}runs\/a\.jsonl$/m);
    assert.match(stdout, /^1 file without messages$/m);
    assert.equal(run("--fail-on", "never").status, 0);
    // lint judges three files as a batch. With --each, it judges even a single file as a batch.
    const named = runCommand(folder, ["lint", ...Object.keys(files).slice(0, 3)]);
    assert.equal(named.stdout, stdout.replace("\n1 file without messages", ""));
    assert.match(
      runCommand(folder, ["lint", "runs/a.jsonl", "--each"]).stdout,
      /^1 recording .*\nseverity/,
    );
  });
});

test("findings in the baseline are known, and all others are new", async () => {
  await withFolder((folder) => {
    writeFiles(folder, files);
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, ["lint", "runs", "--baseline", "known.json", ...args]);
    const written = runCommand(folder, ["lint", "runs/a.jsonl", "--write-baseline", "known.json"]);
    assert.match(written.stderr, /^known\.json {3}1 finding\n$/);
    const schema = readJson("schema/formats/lint-baseline.schema.json") as object;
    const baseline = JSON.parse(readFileSync(join(folder, "known.json"), "utf8")) as {
      findings: { rule: string }[];
    };
    assert.ok(new Ajv().validate(schema, baseline));
    assert.ok(baseline.findings.some(({ rule }) => rule === "message.custom"));
    const { status, stdout } = run();
    assert.equal(status, 1);
    assert.match(stdout, /\nNew, not in the baseline: \d+\n/);
    assert.match(
      stdout,
      /\nerror {2}schema\.issue {2}one: runs\/deep\/b\.jsonl #\d response 2 threads \/body\/threads\/0\/id\n {2}expected an integer/,
    );
    assert.doesNotMatch(stdout.split("New, not")[1]!, /one: .*mine/);
    // The new baseline contains every finding. It also covers findings that occur in a different
    // order or in another recording.
    assert.equal(runCommand(folder, ["lint", "runs", "--write-baseline", "known.json"]).status, 1);
    const first = readFileSync(join(folder, "known.json"), "utf8");
    mkdirSync(join(folder, "more"));
    writeFileSync(join(folder, "more/e.jsonl"), files["runs/deep/b.jsonl"]);
    const again = runCommand(folder, ["lint", "more", "runs", "--baseline", "known.json"]);
    assert.deepEqual([again.status, again.stdout.split("\n").at(-2)], [0, "No new findings"]);
    runCommand(folder, ["lint", "runs", "--write-baseline", "known.json"]);
    assert.equal(readFileSync(join(folder, "known.json"), "utf8"), first);
    assert.equal(run("--format", "github").stdout, "");
    writeFileSync(join(folder, "known.json"), `{ "findings": [{ "fingerprint": 7 }] }`);
    const wrong = run();
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /^known\.json:1:\d+ \/findings\/0\/fingerprint/);
  });
});

test("the JSON report contains rows and findings, and matches its schema", async () => {
  await withFolder((folder) => {
    writeFiles(folder, files);
    const { stdout } = runCommand(folder, ["lint", "runs", "--format", "json"]);
    const report = JSON.parse(stdout) as { rows: object[]; recordings: number };
    const schema = readJson("schema/formats/lint-batch.schema.json") as object;
    const ajv = new Ajv({ allErrors: true });
    assert.ok(ajv.validate(schema, report), ajv.errorsText());
    assert.equal(report.recordings, 3);
    assert.deepEqual(report.rows[0], {
      severity: "error",
      adapter: "one",
      rule: "schema.issue",
      findings: 1,
      recordings: 1,
      file: join("runs", "deep", "b.jsonl"),
    });
    const annotations = runCommand(folder, ["lint", "runs", "--format", "github"]).stdout;
    assert.match(
      annotations,
      /^::error file=runs\/deep\/b\.jsonl,line=\d,title=schema\.issue::one, /m,
    );
  });
});

test("invalid arguments and unreadable files are reported", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { ...files, "empty/notes.md": "nothing\n" });
    const refused = (...args: string[]): string => {
      const { status, stderr } = runCommand(folder, ["lint", ...args]);
      assert.equal(status, 2, args.join(" "));
      return stderr;
    };
    assert.match(refused("runs", "--format", "sarif"), /^Cannot use --format "sarif"/);
    assert.match(refused("runs", "--session", "1"), /^Cannot use --session/);
    assert.match(refused("empty"), /^Cannot find any message in the file/);
    assert.match(refused("missing", "runs"), /^missing: Cannot read the recording/);
    // A file named on the command line must be a recording. The other files are judged
    // nevertheless.
    const { status, stdout, stderr } = runCommand(folder, ["lint", "runs", "empty/notes.md"]);
    assert.equal(status, 2);
    assert.match(stderr, /^empty\/notes\.md: Cannot find any message/);
    assert.match(stdout, /^3 recordings/);
  });
});

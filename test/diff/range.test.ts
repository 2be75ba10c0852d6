import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

const range = (...args: string[]): string => {
  const { status, stdout, stderr } = runCommand(root, ["diff", "--range", ...args]);
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout;
};

test("a wide matrix is split into several tables", () => {
  const lines = range("1.49.0..1.51.0").split("\n");
  assert.equal(lines[3], "              1.51.0");
  const wide = range("1.60.0..1.71.0").split("\n");
  const matrix = wide.filter((line) => /^( {14})?1\./.test(line));
  assert.ok(Math.max(...matrix.map((line) => line.length)) <= 100);
  const heads = wide
    .filter((line) => /^ {14}1\./.test(line))
    .map((line) => line.trim().split(/ +/));
  assert.deepEqual(heads, [
    ["1.61.0", "1.62.0", "1.63.0", "1.64.0", "1.65.0", "1.66.0"],
    ["1.67.0", "1.68.0", "1.69.0", "1.70.0", "1.71.0"],
  ]);
  // Rows without cells are omitted, so the first table ends with the row that its last column
  // needs.
  assert.equal(wide.filter((line) => /^1\.66\.0 /.test(line)).length, 1);
  assert.equal(wide.filter((line) => /^1\.60\.0 /.test(line)).length, 2);
});

test("each format lists the findings of each pair of versions", () => {
  const versions = "1.68.0..1.71.0";
  const all = (format: string, ...args: string[]): string =>
    range(versions, "--format", format, ...args);
  assert.doesNotMatch(range(versions), /prop\.added-optional/);
  const text = range(versions, "--expand");
  assert.match(
    text,
    /\n1\.69\.0 → 1\.71\.0 {3}1 lossy · 143 safe\n {2}lossy {5}\+ StartDebuggingRequestArguments\.outputPresentation\?: "separate" \| "mergeWithParent" {3}prop\.added-optional\n/,
  );
  assert.equal([...text.matchAll(/^1\.\d+\.0 → 1\.\d+\.0 {3}/gm)].length, 5);
  const markdown = all("markdown", "--expand");
  assert.match(
    markdown,
    /<details><summary>\n\n1\.69\.0 → 1\.71\.0: 1 lossy · 143 safe\n\n<\/summary>\n\n- lossy: `\+ StartDebuggingRequestArguments\.outputPresentation\?/,
  );
  assert.doesNotMatch(all("markdown"), /<details>/);
  interface Pair {
    before: string;
    after: string;
    counts: Record<string, number>;
    findings?: { severity: string }[];
  }
  const json = JSON.parse(all("json", "--expand")) as { pairs: Pair[] };
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(fromRoot("schema/formats/diff-report.schema.json"), "utf8")) as object,
  );
  assert.ok(validate(json), JSON.stringify(validate.errors?.slice(0, 3)));
  assert.equal(json.pairs.length, 6);
  for (const { counts, findings } of json.pairs)
    for (const [severity, count] of Object.entries(counts))
      assert.equal(findings!.filter((each) => each.severity === severity).length, count);
  const brief = JSON.parse(all("json")) as { pairs: Pair[] };
  assert.ok(brief.pairs.every((pair) => !("findings" in pair)));

  const html = all("html");
  assert.equal([...html.matchAll(/<a class="\w+" href="#1\.\d+\.0\.\.1\.\d+\.0">/g)].length, 5);
  for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(html.includes(`id="${id}"`));
  assert.doesNotMatch(html, /<script|src=/);

  const sarif = JSON.parse(all("sarif")) as {
    runs: { automationDetails: { id: string }; results: unknown[] }[];
  };
  assert.deepEqual(
    sarif.runs.map(({ automationDetails }) => automationDetails.id),
    json.pairs.map(({ before, after }) => `dap/${before}/${after}`),
  );
  assert.deepEqual(
    sarif.runs.map(({ results }) => results.length),
    json.pairs.map(({ findings }) => findings!.length),
  );
  const junit = all("junit");
  assert.equal([...junit.matchAll(/<testsuite /g)].length, 6);
  const [, tests] = /<testsuites tests="(\d+)" failures="0">/.exec(junit)!;
  assert.equal([...junit.matchAll(/<testcase /g)].length, Number(tests));
  const annotations = all("github").trim().split("\n");
  assert.equal(new Set(annotations).size, annotations.length);
  assert.ok(annotations.every((line) => line.startsWith("::notice ")));
});

test("acceptances, version steps and severities also apply to ranges", async () => {
  await withFolder((folder) => {
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, ["diff", "--range", "1.67.0..1.69.0", ...args]);
    assert.equal(run().status, 0);
    assert.equal(run("--fail-on", "risky").status, 1);
    assert.deepEqual([run("--fail-on", "risky", "--write-accept", "accept.json").status], [0]);
    const { accept } = JSON.parse(readFileSync(join(folder, "accept.json"), "utf8")) as {
      accept: { rule: string; at: string }[];
    };
    assert.notEqual(accept.length, 0);
    const accepted = run("--fail-on", "risky", "--accept", "accept.json", "--fail-on-stale");
    assert.deepEqual([accepted.status, accepted.stderr], [0, ""]);
    assert.doesNotMatch(accepted.stdout, /risky/);
    const stale = { rule: "type.changed", at: "Nothing.x", reason: "gone" };
    writeFiles(folder, { "accept.json": JSON.stringify({ accept: [...accept, stale] }) });
    const failed = run("--fail-on", "risky", "--accept", "accept.json", "--fail-on-stale");
    assert.deepEqual(
      [failed.status, failed.stderr],
      [1, "Accepted finding no longer occurs: type.changed Nothing.x\n"],
    );
    assert.equal(run("--fail-on-step").status, 0);
    const step = runCommand(folder, ["diff", "--range", "1.23.0..1.25.0", "--fail-on-step"]);
    const failure = (versions: string): string =>
      `The version step is too small: ${versions} is "minor", but the changes require "major"\n`;
    assert.deepEqual(
      [step.status, step.stderr],
      [1, failure("1.23.0 to 1.25.0") + failure("1.24.0 to 1.25.0")],
    );
    assert.match(run("--claimed", "2.0.0").stderr, /^Cannot use --claimed with a range \[ERR_ARG/);
  });
});

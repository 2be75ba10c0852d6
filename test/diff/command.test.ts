import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeFiles } from "../support/compile.js";
import { root } from "../support/paths.js";
import { runCommand, type Outcome } from "../support/run-command.js";
import { protocol, withSchemas } from "../support/diff-command.js";

test("the exit status is 1 if any finding reaches --fail-on", async () => {
  await withSchemas((folder) => {
    const diff = (...args: string[]): number | null =>
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol, ...args]).status;
    assert.equal(diff(), 1);
    assert.equal(diff("--fail-on", "never"), 0);
    assert.equal(diff("--severity", "prop.added-required=risky"), 0);
    assert.equal(diff("--severity", "prop.added-required=risky", "--fail-on", "risky"), 1);
    assert.equal(diff("--severity", "prop.added-required=off", "--fail-on", "doc"), 0);
    // An old adapter ignores the newly required property, but code that builds the message must
    // change.
    assert.equal(diff("--pair", "new-client/old-adapter"), 0);
    assert.equal(diff("--pair", "old-client/new-adapter"), 1);
    assert.equal(diff("--side", "client"), 0);
    assert.equal(diff("--side", "client", "--fail-on", "risky"), 1);
    assert.equal(diff("--side", "adapter"), 1);
    assert.equal(
      runCommand(folder, ["diff", "old.json", "old.json", ...protocol, "--fail-on", "doc"]).status,
      0,
    );
  });
});

test("accepted findings do not cause a failure, and acceptances that match nothing are reported", async () => {
  await withSchemas((folder) => {
    const diff = (...args: string[]): Outcome =>
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol, ...args]);
    const written = diff("--write-accept", "accept.json");
    assert.deepEqual(
      [written.status, written.stdout, written.stderr],
      [0, "", "accept.json: 1 accepted, 1 of them new; add a reason to each\n"],
    );
    const file = join(folder, "accept.json");
    const accepted = { rule: "prop.added-required", at: "Payload.extra" };
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
      accept: [{ ...accepted, reason: "accepted without a reason" }],
    });
    const accept = (...entries: object[]): Outcome => {
      writeFiles(folder, { "accept.json": JSON.stringify({ accept: entries }) });
      return diff("--accept", "accept.json");
    };
    const fine = accept({ ...accepted, reason: "one peer only", until: "2999-12-31" });
    assert.equal(fine.status, 0);
    assert.match(fine.stdout, /\n1 accepted\n$/);
    const expired = accept({ ...accepted, reason: "for now", until: "2020-01-31" });
    assert.equal(expired.status, 1);
    assert.match(
      expired.stdout,
      /\nexpired: prop\.added-required Payload\.extra was accepted until 2020-01-31\n$/,
    );
    const stale = accept({ ...accepted, at: "Payload.extr", reason: "misspelt" });
    assert.equal(stale.status, 1);
    assert.match(
      stale.stdout,
      /\nstale: prop\.added-required Payload\.extr is accepted but no longer occurs\n$/,
    );
    const faulty = accept({ ...accepted });
    assert.deepEqual(
      [faulty.status, faulty.stderr],
      [
        2,
        'accept.json:1:12 /accept/0: Missing key "reason" [ERR_CONFIG]\n  "reason": Why the finding is accepted\n',
      ],
    );
    accept({ ...accepted, reason: "kept words", until: "2999-12-31" });
    diff("--accept", "accept.json", "--write-accept", "accept.json");
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
      accept: [{ ...accepted, reason: "kept words", until: "2999-12-31" }],
    });
  });
});

test("reports written to files are complete and contain no colours", async () => {
  await withSchemas((folder) => {
    const { status, stdout } = runCommand(
      folder,
      ["diff", "old.json", "new.json", ...protocol, "--out", "report.txt"],
      undefined,
      { FORCE_COLOR: "1" },
    );
    assert.deepEqual([status, stdout], [1, ""]);
    const text = readFileSync(join(folder, "report.txt"), "utf8");
    assert.match(text, /^elementary old\.json → new\.json {3}1 breaking\n/);
    assert.match(
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol], undefined, {
        FORCE_COLOR: "1",
      }).stdout,
      /\u001b\[31m/,
    );
  });
});

test("the catalogue lists and explains every rule", () => {
  const { stdout, status } = runCommand(root, ["diff", "rules"]);
  assert.equal(status, 0);
  const [head, ...ids] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0]!);
  assert.match(stdout, /^RULE +OLD TO NEW +NEW TO OLD +CHANGE\n/);
  assert.equal(head, "RULE");
  assert.ok(ids.length > 60);
  for (const id of [ids[0]!, "type.widened", "gate.added", "doc.changed"]) {
    const explained = runCommand(root, ["diff", "explain", id]);
    assert.equal(explained.status, 0);
    assert.match(explained.stdout, new RegExp(`^${id}: .+\\n\\n.+`));
    assert.doesNotMatch(explained.stdout, /\{|the (before|after)/);
  }
  const unknown = runCommand(root, ["diff", "explain", "prop.aded"]);
  assert.deepEqual(
    [unknown.status, unknown.stderr.split("\n")[0]],
    [2, 'Cannot find the rule "prop.aded" [ERR_ARGUMENT]'],
  );
  assert.match(runCommand(root, ["diff", "--help"]).stdout, /^Usage: wirewright diff OLD NEW/);
});

test("a range shows every pair, and Markdown lists additions by version", () => {
  const text = runCommand(root, ["diff", "--range", "1.68.0..1.71.0"]);
  assert.deepEqual(
    [text.status, text.stdout],
    [
      0,
      [
        "dap: 4 versions, 6 pairs",
        "rows: old versions; columns: new versions; cells: worst severity, and number of findings that have it",
        "",
        "              1.69.0        1.70.0        1.71.0",
        "1.68.0        safe 2        safe 2        lossy 1",
        "1.69.0                      same          lossy 1",
        "1.70.0                                    lossy 1",
        "",
        "No name was removed and later reintroduced with a different meaning.",
        "",
        "Messages, properties and values: 1.69.0 added 2, 1.70.0 added 0, 1.71.0 added 3 (--expand lists them).",
        "",
      ].join("\n"),
    ],
  );
  const markdown = runCommand(root, ["diff", "--range", "1.70.0..", "--format", "markdown"]).stdout;
  assert.match(markdown, /\| 1\.71\.0 \| `StartDebuggingRequestArguments\.outputPresentation` \|/);
  assert.equal(runCommand(root, ["diff", "--range", "1.65.0..", "--fail-on", "risky"]).status, 1);
});

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot } from "../support/paths.js";
import { cases, report } from "../support/diff-command.js";

/** Compares text with a golden file. With `UPDATE_GOLDEN`, writes the file first. */
function assertGolden(name: string, text: string): void {
  const path = fromRoot(`test/golden/${name}`);
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(path, text);
  assert.ok(existsSync(path), `${name} is missing: set UPDATE_GOLDEN`);
  assert.equal(text, readFileSync(path, "utf8"));
}

for (const [name, args] of Object.entries(cases)) {
  test(`the report on ${name} matches its golden file`, () => {
    const status = name === "hostile" ? 1 : 0;
    assertGolden(`diff-${name}.txt`, report(args, status));
    assertGolden(`diff-${name}.md`, report([...args, "--format", "markdown"], status));
  });
}

test("the report on 1.70 and 1.71 fits on one screen", () => {
  const lines = report(cases["1.70-1.71"]!, 0).trimEnd().split("\n");
  assert.ok(lines.length <= 45, `${lines.length} lines`);
  // Check only the lines that contain findings. Paragraphs may be longer, because terminals wrap
  // them.
  const findings = lines.slice(lines.indexOf("lossy"));
  assert.ok(Math.max(...findings.map((line) => line.length)) <= 160);
});

test("a group has the severity of its worst member, and --expand lists all members", () => {
  const text = report([...cases["1.70-1.71"]!, "--expand", "--at-least", "safe"], 0);
  assert.equal([...text.matchAll(/^ {6}\w+\.\w+\S* {3}\S+:\d+:\d+$/gm)].length, 143);
});

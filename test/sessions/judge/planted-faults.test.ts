import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { fromRoot } from "../../support/paths.js";
import { readStatements } from "../../support/statements.js";
import { writtenSession } from "../../support/written-messages.js";
import { findingsOf } from "../../support/judged-entries.js";

const dap = await openProtocol("dap");
const page = (path: string): string => readFileSync(fromRoot(path), "utf8");
const clean = /^## A long session[^`]+(?:`[^`\n]+`[^`]+)*```\n([^`]+)```$/m
  .exec(page("schema/dap/rule-examples.md"))![1]!
  .trim()
  .split("\n");
const { statements } = readStatements();

interface Fault {
  /** The violated sentence: its location in the schema and its number in the description there. */
  readonly breaks: string;
  readonly edits: readonly string[];
}

const faults: readonly Fault[] = /```\n([^]+)```/
  .exec(page("test/cases/planted-faults.md"))![1]!
  .trim()
  .split("\n\n")
  .map((each) => {
    const [breaks = "", ...edits] = each.split("\n");
    return { breaks, edits };
  });

/** Announces a capability in an opening message, or removes the announcement. */
function announcing(line: string, flag: string, isAnnounced: boolean): string {
  const brace = line.indexOf("{");
  const { [flag]: _, ...flags } = JSON.parse(line.slice(brace)) as Readonly<
    Record<string, unknown>
  >;
  return line.slice(0, brace) + JSON.stringify(isAnnounced ? { ...flags, [flag]: true } : flags);
}

/** Applies a fault's edits to the clean session. */
function planted({ breaks, edits }: Fault): readonly string[] {
  const lines = [...clean];
  let at = 0;
  for (const edit of edits) {
    const [, mark = "", text = ""] = /^(\S+) (.*)$/.exec(edit)!;
    if (mark === "=" || mark === "-") {
      const isMeant = (line: string): boolean => `${line} `.startsWith(text);
      const next = lines.findIndex((line, index) => index >= at && isMeant(line));
      const found = next < 0 ? lines.findIndex(isMeant) : next;
      assert.ok(found >= 0, `${breaks}: no line begins with ${text}`);
      at = mark === "=" ? found + 1 : found;
      if (mark === "-") lines.splice(found, 1);
    } else if (mark === "+") lines.splice(at++, 0, text);
    else
      for (const index of [0, 1]) lines[index] = announcing(lines[index]!, text, mark === "with");
  }
  return lines;
}

/** Returns the rules that have findings in a session. */
function found(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    findingsOf(dap, writtenSession(lines.join("\n")), {}, false).map(({ rule }) => rule),
  );
}

test("the session without planted faults has no findings", () => {
  assert.deepEqual([...found(clean)], []);
});

test("each planted fault is found by the rule or validator for the violated sentence", (t) => {
  const missed = faults.filter((fault) => {
    const statement = statements.find(
      ({ place, sentence }) => `${place} ${sentence}` === fault.breaks,
    );
    assert.ok(statement !== undefined, `no statement is ${fault.breaks}`);
    const ids = found(planted(fault));
    const byRule = statement.rules?.some((each) => ids.has(each)) === true;
    const byValidator =
      statement.validator !== undefined && (ids.has("schema.issue") || ids.has("schema.deviation"));
    return !byRule && !byValidator;
  });
  const sentences = new Set(faults.map(({ breaks }) => breaks)).size;
  t.diagnostic(
    `${faults.length - missed.length} of ${faults.length} planted faults are found; they break ${sentences} sentences`,
  );
  assert.deepEqual(
    missed.map(({ breaks }) => breaks),
    [],
  );
  assert.ok(faults.length >= 100, String(faults.length));
});

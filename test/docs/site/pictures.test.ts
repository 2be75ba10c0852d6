import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawPictures } from "../../../docs/site/pictures/drawings.js";
import { fillStartPage } from "../../../docs/site/start/start-page.js";
import { fromRoot } from "../../support/paths.js";

test("the drawn pictures show the tool's current output", () => {
  for (const [path, text] of drawPictures())
    assert.equal(
      readFileSync(fromRoot(path), "utf8"),
      text,
      `${path}: run node build/docs/site/pictures/take-pictures.js`,
    );
});

test("the start page shows a program of the examples and a row of squares for each adapter", () => {
  const page = fillStartPage(
    "<!-- program: examples/first-client.ts -->\n\n<!-- conformance -->\n",
  );
  const program = readFileSync(fromRoot("examples/first-client.ts"), "utf8");
  assert.ok(page.startsWith(`\`\`\`ts title="examples/first-client.ts"\n${program}\`\`\`\n`));
  const rows = [...page.matchAll(/<li><span>([^<]+)<\/span><span[^>]+>(.*?)<\/span><b>([^<]+)</g)];
  const table = readFileSync(fromRoot("docs/conformance.md"), "utf8").split("\n");
  const cellsOf = (start: string): readonly string[] =>
    table
      .find((line) => line.startsWith(start))!
      .split("|")
      .slice(2, -1)
      .map((cell) => cell.replaceAll("*", "").trim());
  assert.deepEqual(
    rows.map(([, adapter, , total]) => [adapter, total]),
    cellsOf("|                      |").map((name, index) => [name, cellsOf("| **All** ")[index]]),
  );
  const sections = rows.map(([, , squares]) => squares!.match(/<i /g)!.length);
  assert.deepEqual(new Set(sections), new Set([20]));
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, fromRoot } from "../support/paths.js";

test("each guarantee in SECURITY.md names an existing test", () => {
  const rows = readFileSync(fromRoot("SECURITY.md"), "utf8")
    .split("\n")
    .map((line) => line.split(" | "))
    .filter(([first, second]) => first!.startsWith("| ") && second?.includes("`") === true)
    .filter(([, second]) => second!.includes('"') || /^(the same test|`[\w/-]+`: )/.test(second!));
  assert.ok(rows.length > 15, `${rows.length} promises`);
  const tests = filesBelow("test", /\.test\.ts$/);
  for (const [promise, where] of rows) {
    const named = [...where!.matchAll(/`([a-z][a-z/-]*)`: |"(.*?)"(?=[;,| ]|$)/g)];
    let source: string | undefined;
    for (const [, file, title] of named) {
      if (file !== undefined) {
        const paths = tests.filter((path) => path.endsWith(`/${file}.test.ts`));
        assert.equal(paths.length, 1, file);
        source = readFileSync(fromRoot(paths[0]!), "utf8");
      } else assert.ok(source?.includes(title!) === true, `${promise}: no test "${title}"`);
    }
    assert.ok(source !== undefined || where!.startsWith("the same test"), promise);
  }
});

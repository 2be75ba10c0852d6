import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { installPackages, withFolder, writeFiles } from "../support/compile.js";
import { newestDap } from "../support/dap-versions.js";
import { shownFiles } from "../support/guide-programs.js";
import { readPage } from "../support/markdown-page.js";
import { fromRoot } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

test("the commands in the guide about new versions print what it shows", async () => {
  const page = "docs/guides/new-version.md";
  const { blocks } = readPage(page);
  const calls = blocks.flatMap(({ language, text }, index) =>
    language === "sh" ? [{ args: text.trim().split(" ").slice(2), shown: blocks[index + 1]! }] : [],
  );
  assert.equal(calls.length, 3);
  await withFolder((folder) => {
    const schema = readFileSync(fromRoot(`schema/dap/${newestDap}.json`), "utf8");
    const next = JSON.parse(schema, (key, value: unknown) =>
      key === "supportsConfigurationDoneRequest" ? undefined : value,
    ) as object;
    installPackages(folder, ["@wirewright", "wirewright", "@types"]);
    writeFiles(folder, {
      ...shownFiles(page),
      "next.json": JSON.stringify(next),
      "package.json": '{ "type": "module" }',
    });
    const statuses = calls.map(({ args, shown }) => {
      assert.equal(shown.language, "text");
      const { status, stdout, stderr } = runCommand(folder, args);
      assert.equal(stderr, "");
      const text = shown.text.replace(/…\n$/, "");
      assert.equal(stdout.slice(0, text.length), text);
      if (!shown.text.endsWith("…\n")) assert.equal(stdout, text);
      return status;
    });
    assert.deepEqual(statuses, [0, 1, 0]);
  });
});

test("the workflow in the guide compares code and messages", () => {
  const [workflow] = readPage("docs/guides/new-version.md").blocks;
  const runs = workflow!.text.match(/npx wirewright diff .*/g)!;
  assert.deepEqual(
    runs.map((line) => line.replace(/ #.*/, "")),
    [
      'npx wirewright diff "$USED" "$NEWEST" --from src',
      'npx wirewright diff "$USED" "$NEWEST" --for client --fail-on risky',
    ],
  );
});

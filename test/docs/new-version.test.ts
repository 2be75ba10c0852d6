import assert from "node:assert/strict";
import { test } from "node:test";
import { installPackages, withProject, writeFiles } from "../support/compile.js";
import { dapSchemaText } from "../support/dap-versions.js";
import { isLong } from "../support/long-tests.js";
import { readPage } from "../support/markdown-page.js";
import { root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

test("the guide about new versions shows what concerns a client", () => {
  const { blocks } = readPage("docs/guides/new-version.md");
  const call = blocks.findIndex(({ text }) => text.includes("--for client --at-least risky"));
  const args = blocks[call]!.text.trim().split(" ").slice(2);
  const { status, stdout, stderr } = runCommand(root, args);
  const shown = blocks[call + 1]!.text.replace(/…\n$/, "");
  assert.deepEqual([status, stderr, stdout.slice(0, shown.length)], [0, "", shown]);
});

test("the guide about new versions shows what --from says about its client", async () => {
  const { blocks } = readPage("docs/guides/new-version.md");
  const schema = dapSchemaText("1.71.0").replaceAll(
    "supportsConfigurationDoneRequest",
    "announcesSomethingElse",
  );
  await withProject((folder) => {
    installPackages(folder, ["@wirewright/dap"]);
    const client = blocks.find(({ file }) => file === "src/client.ts")!.text;
    writeFiles(folder, { "src/client.ts": client, "next.json": schema });
    const calls = [...blocks.entries()].filter(([, { text }]) =>
      /^npx wirewright diff .* --from src\n$/.test(text),
    );
    assert.equal(calls.length, 2);
    // Each call compiles the client twice, which takes seconds.
    for (const [index, { text }] of isLong ? calls : calls.slice(1)) {
      const { stdout, stderr } = runCommand(folder, text.trim().split(" ").slice(2));
      assert.deepEqual([stdout, stderr], [blocks[index + 1]!.text, ""]);
    }
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

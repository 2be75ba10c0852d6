import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { root } from "../support/paths.js";
import { head } from "../support/diff-command.js";
import { runCommand } from "../support/run-command.js";
import { description, messages, object, types, writeProtocol } from "../support/table-protocol.js";

const removed = {
  ...description,
  messages: { ...messages, events: { "store/log": messages.events["store/log"] } },
};

/**
 * Creates a repository with one commit that contains the protocol. In the work tree, an event is
 * missing.
 */
async function withRevision(use: (folder: string) => void | Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const git = (...args: string[]): void => {
      const { status, stderr } = spawnSync(
        "git",
        ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args],
        { cwd: folder, encoding: "utf8" },
      );
      assert.equal(status, 0, stderr);
    };
    mkdirSync(join(folder, "protocol"));
    writeProtocol(join(folder, "protocol"), description);
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "one");
    writeProtocol(join(folder, "protocol"), removed);
    await use(folder);
  });
}

test("a description at a revision is read with the files that it references", async () => {
  await withRevision((folder) => {
    const expected = "store 1.0.0 → 1.0.0   0 breaking · 1 risky";
    const inFolder = join(folder, "protocol");
    for (const [cwd, old, now] of [
      [folder, "HEAD:protocol/protocol.json", "protocol/protocol.json"],
      [folder, "HEAD:protocol/", "protocol"],
      [folder, "HEAD:protocol", "protocol"],
      [inFolder, "HEAD:./protocol.json", "protocol.json"],
      [inFolder, "HEAD:./", "."],
      [root, `git:${folder}#HEAD:protocol`, inFolder],
    ] as const) {
      const outcome = runCommand(cwd, ["diff", old, now]);
      assert.deepEqual([head(outcome), outcome.stderr, outcome.status], [expected, "", 0], old);
      assert.match(outcome.stdout, /- event store\/changed/);
    }
    assert.equal(
      runCommand(folder, ["diff", "HEAD:nowhere/protocol.json", "protocol"]).stderr,
      "HEAD:nowhere/protocol.json: Cannot read \"HEAD:nowhere/protocol.json\" from git: path 'nowhere/protocol.json' does not exist in 'HEAD' [ERR_READ]\n",
    );
  });
});

test("a schema at a revision is read with the description at that revision", async () => {
  await withRevision((folder) => {
    const compare = (name: string): string =>
      head(
        runCommand(folder, [
          "diff",
          "HEAD:protocol/types-1.0.0.json",
          "protocol/types-1.0.0.json",
          "--protocol",
          name,
        ]),
      );
    const expected = "store 1.0.0 → 1.0.0   0 breaking · 1 risky";
    assert.equal(compare("protocol/protocol.json"), expected);
    assert.equal(compare("protocol"), expected);
    // If there is no description at the revision yet, the current one is used for both versions.
    writeFiles(folder, { "new/protocol.json": JSON.stringify(description) });
    assert.equal(compare("new/protocol.json"), "store 1.0.0 → 1.0.0   no change");
  });
});

test("a description at a revision is read with the reader in the work tree", async () => {
  await withRevision((folder) => {
    const definitions = JSON.stringify({ ...types, Log: object({ text: { type: "integer" } }) });
    writeFiles(folder, {
      "protocol/reader.mjs": `export const readSchema = () => ({ definitions: ${definitions}, requests: {}, events: {} });`,
      "protocol/protocol.json": JSON.stringify({
        ...description,
        schema: { ...description.schema, format: "./reader.mjs" },
        messages: { by: "format", error: "StoreError" },
      }),
    });
    spawnSync("git", ["add", "."], { cwd: folder });
    // `:` selects the git index, a revision without a name.
    const outcome = runCommand(folder, ["diff", ":protocol/protocol.json", "protocol"]);
    assert.deepEqual([head(outcome), outcome.stderr], ["store 1.0.0 → 1.0.0   no change", ""]);
  });
});

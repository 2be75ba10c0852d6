import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { fromRoot, inPeers, skipWithoutPeer } from "../../../support/paths.js";
import { dapEvent } from "../../../support/dap-messages.js";
import { recording } from "../../../support/exported-recording.js";
import { cli } from "../../../support/run-command.js";

/** Lists the queries shown in the guide to exports. */
function readExamples(): readonly string[] {
  const page = readFileSync(fromRoot("docs/guides/export.md"), "utf8");
  return [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query]) => query!.trim());
}

const node = inPeers("node/bin/node");

/** Runs queries in a Node version that supports SQLite and returns the rows. */
function query(file: string, queries: readonly string[]): readonly (readonly object[])[] {
  const code = `const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(${JSON.stringify(file)}, { readOnly: true });
console.log(JSON.stringify(${JSON.stringify(queries)}.map((each) => database.prepare(each).all())));`;
  return JSON.parse(
    execFileSync(node, ["--no-warnings", "-e", code], { encoding: "utf8" }),
  ) as object[][];
}

test(
  "the database contains sessions, messages, requests and findings, and answers the guide's queries",
  { skip: skipWithoutPeer("node/bin/node") },
  async () => {
    await withFolder((folder) => {
      writeFiles(folder, { "a.jsonl": recording });
      const call = (out: string): ReturnType<typeof spawnSync> =>
        spawnSync(
          node,
          ["--no-warnings", cli, "export", "a.jsonl", "--format", "sqlite", "--out", out],
          { cwd: folder, encoding: "utf8" },
        );
      const { status, stderr } = call("a.db");
      assert.deepEqual([status, stderr], [0, "a.jsonl   13 messages\n"]);
      const file = join(folder, "a.db");
      const queries = readExamples();
      assert.equal(queries.length, 3);
      const [sessions, requests, message, other, ...answers] = query(file, [
        "SELECT * FROM sessions",
        "SELECT * FROM requests WHERE session = 1",
        "SELECT * FROM messages WHERE session = 2 AND number = 3",
        "SELECT kind, number, name, summary FROM messages WHERE kind IN ('fault', 'other')",
        "SELECT count(*) AS count FROM findings WHERE rule = 'message.custom' AND session = 1 AND number = 8",
        ...queries,
      ]);
      assert.deepEqual(sessions, [
        { session: 1, parent: null, summary: null, first_time: 0, last_time: 20, messages: 8 },
        { session: 2, parent: 1, summary: "id 7", first_time: 8, last_time: 14, messages: 5 },
      ]);
      const open = { answered: null, duration: null, answer: null, failed: null };
      assert.deepEqual(requests, [
        {
          session: 1,
          number: 1,
          name: "initialize",
          sender: "client",
          sent: 0,
          answered: 2.5,
          duration: 2.5,
          answer: 2,
          failed: 0,
        },
        { session: 1, number: 3, name: "launch", sender: "client", sent: 3, ...open },
        {
          session: 1,
          number: 5,
          name: "threads",
          sender: "client",
          sent: 5,
          answered: 6,
          duration: 1,
          answer: 6,
          failed: 1,
        },
        { session: 1, number: 7, name: "startDebugging", sender: "adapter", sent: 7, ...open },
      ]);
      const stopped = dapEvent(1, "stopped", { reason: "pause", threadId: 4 });
      assert.deepEqual(message, [
        {
          id: 10,
          session: 2,
          number: 3,
          time: 10,
          sender: "adapter",
          kind: "event",
          name: "stopped",
          failed: 0,
          line: 11,
          size: JSON.stringify(stopped).length,
          summary: "pause, thread 4",
          json: JSON.stringify(stopped),
        },
      ]);
      assert.deepEqual(other, [
        { kind: "fault", number: null, name: "ERR_NOISE", summary: "oops" },
      ]);
      const [count, ...found] = answers;
      assert.deepEqual(count, [{ count: 1 }]);
      assert.ok(found.every((rows) => rows.length > 0));
      // A new export replaces the existing file only once it is complete, and then its temporary
      // file is gone.
      assert.equal(call("a.db").status, 0);
      assert.deepEqual(readdirSync(folder).sort(), ["a.db", "a.jsonl"]);
      const wrong = call("missing/a.db");
      assert.equal(wrong.status, 2);
      assert.match(String(wrong.stderr), /^missing\/a\.db: Cannot write the output: /);
    });
  },
);

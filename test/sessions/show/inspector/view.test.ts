import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { withFolder } from "../../../support/compile.js";
import { readPage, recorded } from "../../../support/inspector-page.js";
import { fromRoot } from "../../../support/paths.js";
import { runCommand, cli } from "../../../support/run-command.js";
import { framed } from "../../../support/framed-text.js";

const asked = { seq: 1, type: "request", command: "threads" };
const answered = {
  seq: 1,
  type: "response",
  request_seq: 1,
  success: true,
  command: "threads",
  body: { threads: [{ id: "one", name: "main" }] },
};
const recording = [recorded("client", 1, asked), recorded("adapter", 2, answered)]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const messagesOf = (html: string): readonly unknown[] =>
  readPage(html).messages.map((text) => JSON.parse(text) as unknown);

test("view writes a page for a recording, for one recording per direction, and for standard input", async () => {
  await withFolder((folder) => {
    writeFileSync(join(folder, "session.jsonl"), recording);
    writeFileSync(join(folder, "out.bin"), framed(JSON.stringify(asked)));
    writeFileSync(join(folder, "in.bin"), framed(JSON.stringify(answered)));
    const written = runCommand(folder, ["view", "session.jsonl", "--out", "page.html"]);
    assert.deepEqual(written, { status: 0, stdout: "page.html\n", stderr: "" });
    const html = readFileSync(join(folder, "page.html"), "utf8");
    assert.deepEqual(messagesOf(html), [asked, answered]);
    const { head, findings } = readPage(html).data;
    assert.deepEqual([head.title, head.notes], ["session.jsonl", []]);
    assert.deepEqual(
      findings.map(({ row, rule, pointer }) => [row, rule, pointer]),
      [
        [1, "schema.issue", "/body/threads/0/id"],
        [0, "opening.missing", ""],
      ],
    );
    // `lint --format html` prints the same page.
    const linted = runCommand(folder, ["lint", "session.jsonl", "--format", "html"]);
    assert.deepEqual([linted.status, linted.stdout.trim()], [1, html.trim()]);
    const pair = runCommand(folder, ["view", "in.bin", "out.bin", "--out", "-"]);
    assert.equal(pair.status, 0);
    assert.deepEqual(messagesOf(pair.stdout), [asked, answered]);
    assert.deepEqual(readPage(pair.stdout).data.head.notes, [
      "The two sides were recorded separately, so the relative order of messages from different sides is a guess.",
    ]);
    const { status, stdout } = spawnSync(process.execPath, [cli, "view", "-"], {
      input: recording,
      encoding: "utf8",
      env: { ...process.env, TMPDIR: folder, TEMP: folder },
    });
    const path = stdout.trim();
    assert.equal(status, 0);
    assert.match(path, /wirewright-[^/\\]+[/\\]session\.html$/);
    assert.deepEqual(messagesOf(readFileSync(path, "utf8")), [asked, answered]);
  });
});

test("view reports unreadable input and writes nothing", async () => {
  await withFolder((folder) => {
    writeFileSync(join(folder, "session.jsonl"), recording);
    writeFileSync(join(folder, "empty.txt"), "nothing\n");
    const refused = (...args: string[]): string => {
      const { status, stdout, stderr } = runCommand(folder, ["view", ...args]);
      assert.deepEqual([status, stdout], [2, ""]);
      return stderr.split("\n")[0]!;
    };
    assert.equal(
      refused(),
      "Cannot show: give one recording, or one for each direction [ERR_ARGUMENT]",
    );
    assert.equal(
      refused("-", "-"),
      "Cannot read both directions from standard input [ERR_ARGUMENT]",
    );
    assert.match(
      refused("empty.txt", "--out", "page.html"),
      /Cannot find any message .*\[ERR_JSON\]/,
    );
    assert.match(refused("none.jsonl", "--out", "page.html"), /\[ERR_READ\]/);
    assert.match(refused("session.jsonl", "--out", "none/page.html"), /\[ERR_OUTPUT\]/);
    assert.equal(
      refused("session.jsonl", "--port", "70000"),
      'Cannot use --port "70000" [ERR_ARGUMENT]',
    );
    assert.equal(
      refused("session.jsonl", "--port", "0", "--out", "page.html"),
      "Cannot use --out with --port [ERR_ARGUMENT]",
    );
    assert.equal(
      refused("session.jsonl", "--out", "-", "--open"),
      "Cannot open a page on standard output [ERR_ARGUMENT]",
    );
    assert.equal(existsSync(join(folder, "page.html")), false);
  });
});

test(
  "view --open opens the page and reports a missing browser",
  {
    skip: process.platform === "win32" || process.platform === "darwin" ? "needs xdg-open" : false,
  },
  async () => {
    await withFolder((folder) => {
      const bin = join(folder, "bin");
      mkdirSync(bin);
      writeFileSync(join(folder, "session.jsonl"), recording);
      const opened = join(folder, "opened");
      writeFileSync(
        join(bin, "xdg-open"),
        `#!/bin/sh\necho "$@" > '${opened}.part'\nmv '${opened}.part' '${opened}'\n`,
      );
      chmodSync(join(bin, "xdg-open"), 0o755);
      const view = (path: string): { stdout: string; stderr: string } =>
        spawnSync(
          process.execPath,
          [cli, "view", "session.jsonl", "--out", "page.html", "--open"],
          {
            cwd: folder,
            encoding: "utf8",
            env: { ...process.env, PATH: path },
          },
        );
      assert.equal(view(bin + delimiter + process.env["PATH"]).stderr, "");
      for (const from = Date.now(); !existsSync(opened) && Date.now() - from < 10_000;)
        spawnSync(process.execPath, ["-e", "setTimeout(() => {}, 50)"]);
      assert.match(readFileSync(opened, "utf8"), /^file:\/\/\/.*\/page\.html\n$/);
      const { stdout, stderr } = view(folder);
      assert.deepEqual(
        [stdout, stderr],
        ["page.html\n", "Cannot find a program to open the page: open it yourself\n"],
      );
    });
  },
);

test("view --port serves the page until it is interrupted", async (t) => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, "session.jsonl"), recording);
    const child = spawn(process.execPath, [cli, "view", "session.jsonl", "--port", "0"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => child.kill("SIGKILL"));
    const [bytes] = (await once(child.stdout, "data")) as [Buffer];
    const address = bytes.toString().trim();
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    const answer = await fetch(address);
    assert.deepEqual(messagesOf(await answer.text()), [asked, answered]);
    assert.equal((await fetch(new URL("/", address))).status, 404);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });
});

test("view reads the schema of a protocol that is not bundled", async () => {
  await withFolder((folder) => {
    const message = { jsonrpc: "2.0", id: 1, method: "shutdown" };
    const line = JSON.stringify({ from: "client", message });
    writeFileSync(join(folder, "session.jsonl"), `${line}\n`);
    const args = ["view", "session.jsonl", "--protocol", "lsp", "--out", "-"];
    // Without the schema, the envelope suffices.
    const withoutSchema = runCommand(folder, args);
    assert.equal(withoutSchema.status, 0);
    assert.deepEqual(messagesOf(withoutSchema.stdout), [message]);
    const schema = fromRoot("test/fixtures/lsp/metaModel.json");
    const { status, stdout } = runCommand(folder, [...args, "--schema", schema]);
    assert.equal(status, 0);
    assert.deepEqual(messagesOf(stdout), [message]);
  });
});

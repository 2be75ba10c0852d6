import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { Redactor } from "../../../sessions/show/redact/redactor.js";
import { LinesRecorder } from "../../../sessions/tap/lines-recorder.js";
import { RecordingFile } from "../../../sessions/tap/recording-file.js";
import { withFolder } from "../../support/compile.js";
import { until } from "../../support/scripted-connection.js";
import { framed } from "../../support/framed-text.js";
import { cli } from "../../support/run-command.js";

const dap = await readProtocol("dap", { version: "1.71.0" });

/** The placeholder of a path. */
const path = /\/p\d\/p\d\/f\d/g;

const secrets = /hunter2|somebody|s3cr3t/;

/**
 * Messages with secrets, a message whose findings quote secrets, bytes that are not a message, and
 * a message with a quirk.
 */
const sent = [
  framed(
    `{"seq":1,"type":"request","command":"runInTerminal","arguments":{"cwd":"/home/somebody/x","args":["a"],"env":{"TOKEN":"hunter2hunter2"}}}`,
  ),
  framed(
    `{"seq":2,"type":"event","event":"stopped","body":{"reason":1,"threadId":"hunter2hunter2","text":"s3cr3t-text"}}`,
  ),
  "noise of /home/somebody/\n",
  framed(`{"seq":3,"type":"event","event":"output","body":{"output":`),
  framed(`{"hunter2hunter2":1,"hunter2hunter2":2}`),
  framed(`{"seq":4,"type":"event","event":"output","body":{"output":"/home/somebody/last"}}`),
].join("");

test("a recorder writes only redacted messages", async () => {
  await withFolder((folder) => {
    const path = join(folder, "session.jsonl");
    const redactor = new Redactor(dap, undefined, { replace: ["/body/text"] });
    const file = new RecordingFile(path, assert.fail);
    const recorder = new LinesRecorder(file, dap, "2026-01-01T00:00:00.000Z", redactor);
    recorder.take({ kind: "bytes", time: 0, from: "adapter" }, Buffer.from(sent));
    const text = readFileSync(path, "utf8");
    assert.doesNotMatch(text, secrets);
    const [, ...lines] = text.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { readonly kind: string }).kind),
      ["message", "message", "noise", "fault", "message", "message"],
    );
  });
});

/** Reads a page, and then keeps reading its events. */
async function watch(address: string): Promise<{ readonly text: () => string }> {
  let text = "";
  for (const path of ["", "events"])
    await new Promise<void>((resolve) =>
      get(`${address}${path}`, (response) => {
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("error", () => undefined);
        resolve();
      }).on("error", () => resolve()),
    );
  return { text: () => text };
}

test("text hidden by --redact is absent from the recording, the page and the display", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "session.jsonl");
    const program = `process.stdout.write(Buffer.from("${Buffer.from(sent).toString("base64")}", "base64"));
      process.stdin.resume().on("end", () => process.exit(0));`;
    const child = spawn(
      process.execPath,
      [
        cli,
        "tap",
        "--ui",
        "--body",
        "--out",
        out,
        "--redact",
        "--pointer",
        "/body/text",
        "--",
        process.execPath,
        "-e",
        program,
      ],
      { stdio: ["pipe", "ignore", "pipe"] },
    );
    const exited = once(child, "exit");
    let shown = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (shown += text));
    await until(() => /^page: \S+$/m.test(shown));
    const page = await watch(/^page: (\S+)$/m.exec(shown)![1]!);
    await until(() => [shown, page.text()].every((text) => (text.match(path) ?? []).length > 1));
    child.stdin!.end();
    assert.deepEqual(await exited, [0, null]);
    for (const text of [shown, page.text(), readFileSync(out, "utf8")]) {
      assert.doesNotMatch(text, secrets);
      assert.ok((text.match(path) ?? []).length > 1, text);
    }
    // The findings quote the redacted messages.
    assert.match(shown, /error schema\.issue event stopped \/body\/threadId.*text-\d/);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { lint } from "../../../cli/index.js";
import { dapEvent, dapRequest } from "../../support/dap-messages.js";
import { fromRoot } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";

/** Returns the texts of the findings about bytes. */
async function textsIn(recording: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const source = { name: "x", chunks: [Buffer.from(recording)] };
  for await (const { rule, message } of lint(source, { protocol: "dap" }))
    if (rule.startsWith("stream.")) texts.push(message);
  return texts;
}

const event = JSON.stringify(dapEvent(1, "initialized"));
const framed = `Content-Length: ${event.length}\r\n\r\n${event}`;

test("noise is shown with its first 200 bytes, escaped", async () => {
  assert.deepEqual(await textsIn(`Stop hook\n\u001b[1m${framed}`), [
    'Skipped 14 bytes that do not belong to a message: "Stop hook\\n\\u001b[1m"',
  ]);
  const [text] = await textsIn(`${"x".repeat(300)}\n${framed}`);
  assert.equal(text, `Skipped 301 bytes that do not belong to a message: "${"x".repeat(200)}"`);
});

test("a wrong length is shown with both numbers", async () => {
  const wrong = (by: number): string => `Content-Length: ${event.length + by}\r\n\r\n${event}`;
  const text = (by: string, declared: number): string =>
    `The Content-Length is ${declared}, but the message has ${event.length} bytes: ${by}`;
  assert.deepEqual(await textsIn(wrong(1) + framed), [text("1 too many", event.length + 1)]);
  assert.deepEqual((await textsIn(wrong(-2) + framed))[0], text("2 too few", event.length - 2));
});

test("a damaged message in a log is shown with its text", async () => {
  const request = JSON.stringify(dapRequest(1, "initialize", { adapterID: "a" }));
  const cut = (mark: string): string =>
    `-> ${request}\n<- {"seq":1,"type":"event","event":"init${mark}\n`;
  assert.deepEqual(await textsIn(cut("")), [
    'A logged message is incomplete: "<- {\\"seq\\":1,\\"type\\":\\"event\\",\\"event\\":\\"init"',
  ]);
  // Whoever shortened this log says so. The sender did nothing wrong.
  assert.deepEqual(await textsIn(cut("...")), []);
  const { stdout } = runCommand(fromRoot("."), ["lint", "-", "--all"], cut("..."));
  assert.match(stdout, /^log: 1 message, 1 damaged, 1 line of other text$/m);
  assert.match(stdout, /^line 2: <- \{"seq":1,"type":"event","event":"init\.\.\.$/m);
});

test("lint --all lists the lines of a log that are not messages", () => {
  const request = JSON.stringify(dapRequest(1, "initialize", { adapterID: "a" }));
  const log = `starting\n-> ${request}\nloaded: {\n  "a": 1\n}\n`;
  const { stdout } = runCommand(fromRoot("."), ["lint", "-", "--all"], log);
  assert.match(stdout, /^log: 1 message, 0 damaged, 4 lines of other text$/m);
  assert.deepEqual(stdout.match(/^line .*$/gm), [
    "line 1: starting",
    "line 3: loaded: {",
    'line 4:   "a": 1',
    "line 5: }",
  ]);
  assert.doesNotMatch(runCommand(fromRoot("."), ["lint", "-"], log).stdout, /^line /m);
});

test("without a schema, lint judges only the envelope, and says what a schema would add", () => {
  const log = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
    { jsonrpc: "2.0", id: 1, result: {} },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
  const { status, stdout, stderr } = runCommand(
    fromRoot("."),
    ["lint", "-", "--protocol", "mcp"],
    log,
  );
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^<stdin> {3}mcp without schema, wire profile {3}2 messages {3}no findings\n/,
  );
  assert.match(stderr, /^Without its schema, only the envelope .*Pass the schema with --schema: /);
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { LastLines, forwardToStderr } from "../../../runtime/connection/node-processes.js";
import { turn } from "../../support/scripted-connection.js";

/** Returns the last lines of an output made up of these chunks. */
async function lastOf(
  chunks: readonly (string | Uint8Array)[],
  encoding?: "utf8",
): Promise<string> {
  const output = new PassThrough();
  if (encoding !== undefined) output.setEncoding(encoding);
  const lines = new LastLines(output);
  lines.read(output);
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await once(output, "end");
  return lines.text;
}

test("the last ten lines are kept if they lie entirely within the last 8 KiB", async () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const cases: readonly (readonly [chunks: readonly (string | Uint8Array)[], text: string])[] = [
    [[], ""],
    [["one\n"], "one"],
    [["o", "ne\r\ntw", "o\n\n"], "one\ntwo"],
    [[Buffer.from("é").subarray(0, 1), Buffer.from("é\n").subarray(1)], "é"],
    [[`${lines.join("\n")}\n`], lines.slice(2).join("\n")],
    [["a\n", "x".repeat(8_189), "\n"], `a\n${"x".repeat(8_189)}`],
    [["a\n", "x".repeat(8_190), "\n"], "x".repeat(8_190)],
    [["x".repeat(5_000), "\n", "y".repeat(5_000)], "y".repeat(5_000)],
    [["x".repeat(9_000)], "x".repeat(8_192)],
    [["x".repeat(9_000), "end\n"], `${"x".repeat(8_188)}end`],
  ];
  for (const [chunks, text] of cases) {
    assert.equal(await lastOf(chunks), text);
    const isWhole = chunks.every((chunk) => typeof chunk === "string");
    if (isWhole) assert.equal(await lastOf(chunks, "utf8"), text);
  }
});

test("error output is read and kept as soon as there is a reader", async () => {
  for (const event of ["data", "readable"]) {
    const output = new PassThrough();
    const lines = new LastLines(output);
    for (const other of ["end", "error", "close"]) output.on(other, () => undefined);
    output.write("first\n");
    await turn();
    assert.deepEqual([output.readableFlowing, lines.text], [null, ""]);
    let heard = "";
    output.on(event, (chunk?: Buffer) => (heard += String(chunk ?? output.read() ?? "")));
    output.end("second\n");
    await once(output, "end");
    assert.deepEqual([lines.text, heard], ["first\nsecond", "first\nsecond\n"]);
  }
});

test("our stderr has listeners for as long as a peer's error output is forwarded to it", () => {
  const counts = (): readonly number[] =>
    ["error", "drain"].map((name) => process.stderr.listenerCount(name));
  const before = counts();
  const outputs = [new PassThrough(), new PassThrough()];
  for (const output of outputs) forwardToStderr(output);
  const watched = before.map((count) => count + 1);
  assert.deepEqual(counts(), watched);
  outputs[0]!.emit("close");
  assert.deepEqual(counts(), watched);
  // A paused stream resumes once there is room, or once stderr has failed.
  for (const name of ["drain", "error"]) {
    outputs[1]!.pause();
    process.stderr.emit(name, new Error("gone"));
    assert.equal(outputs[1]!.isPaused(), false);
  }
  outputs[1]!.emit("close");
  assert.deepEqual(counts(), before);
});

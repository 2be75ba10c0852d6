import assert from "node:assert/strict";
import { before, mock, test } from "node:test";
import { table, recording, frames } from "../../support/lane-recording.js";

before(() => mock.timers.enable({ apis: ["setTimeout"] }));

test("a text ends after a period of silence, or before an element that answers another lane or no command", async () => {
  const { run, say, client } = recording(table);
  run("print");
  assert.deepEqual(await say(["#text", "1"]), []);
  assert.deepEqual(await say(["files"], ["#text", "\n"]), [
    'print: [{"element":"#text","body":{"text":"1<files>\\n"}}]',
  ]);
  run("print");
  assert.deepEqual(await say(["#text", " FATAL no\n"]), [
    'print: [{"element":"#text","body":{"text":" FATAL no\\n"}}]',
  ]);
  run("print");
  assert.deepEqual(await say(["#text", "FATAL "], ["#text", "no \n"]), [
    'print: ERR_COMMAND_FAILED FATAL no {"element":"#text","body":{"text":"FATAL no \\n"}}',
  ]);
  // The text is not ended by an answer in another lane, or by one that may belong to both lanes.
  run("print");
  run("list");
  client.receive({ element: "#text", body: { text: "a\n" } }, () => "a\n");
  client.receive({ element: "files" }, () => "<files>");
  client.receive({ element: "#text", body: { text: "b\n" } }, () => "b\n");
  assert.deepEqual(await say(["stopped", { at: 1 }]), [
    'event {"element":"stopped","body":{"at":1}}',
    'list: [{"element":"files"}]',
    'print: [{"element":"#text","body":{"text":"a\\nb\\n"}}]',
  ]);
  // The next command that expects a text is sent once the previous text is complete.
  const { run: ask, say: hear, written } = recording(table);
  for (const of of ["a", "b"]) ask("print", { of });
  ask("where");
  assert.deepEqual(written, ['{"command":"print","arguments":{"of":"a"}}']);
  assert.deepEqual(await hear(["#text", "1\n"]), [
    'print: [{"element":"#text","body":{"text":"1\\n"}}]',
  ]);
  assert.equal(written.length, 2);
  assert.deepEqual(await hear(["#text", "2\n"], ["stopped"]), [
    'event {"element":"stopped"}',
    'print: [{"element":"#text","body":{"text":"2\\n"}}]',
  ]);
  assert.deepEqual(await hear(["frames"]), [`where: ${frames}`]);
});

test("the element that ends a text does not answer the command that waited for that end", async () => {
  const { run, say, written } = recording(table);
  run("print");
  run("vars");
  assert.deepEqual(await say(["#text", "1"], ["#text", "\n"], ["variables"]), [
    'unexpected {"element":"variables"} after undefined',
    'print: [{"element":"#text","body":{"text":"1\\n"}}]',
  ]);
  assert.deepEqual(written, ['{"command":"print"}', '{"command":"vars"}']);
  assert.deepEqual(await say(["variables"]), ['vars: [{"element":"variables"}]']);
});

test("a text that exceeds its limit fails its command", async () => {
  const { run, say } = recording(table);
  run("print");
  run("where");
  assert.deepEqual(await say(["#text", "x".repeat(10)], ["#text", "x".repeat(9) + "\n"]), [
    `print: [{"element":"#text","body":{"text":"${"x".repeat(19)}\\n"}}]`,
  ]);
  run("print");
  assert.deepEqual(await say(["frames"], ["#text", "x".repeat(10)], ["#text", "x".repeat(11)]), [
    `where: ${frames}`,
    'print: ERR_ANSWER_TOO_LONG Cannot accept an answer to "print" of more than 20 characters',
  ]);
  run("vars");
  assert.deepEqual(await say(["#text", "rest\n"]), []);
  assert.deepEqual(await say(["variables"]), ['vars: [{"element":"variables"}]']);
});

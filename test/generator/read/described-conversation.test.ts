import assert from "node:assert/strict";
import { test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder } from "../../support/compile.js";
import { refusalOf } from "../../support/refusal.js";
import { description, writeProtocol } from "../../support/table-protocol.js";

const failures = { text: ["/error/message"], unknown: {}, failed: {}, cancelled: {} };

async function reportOf(described: unknown): Promise<string> {
  return withFolder(async (folder) => {
    writeProtocol(folder, described);
    const refusal = await refusalOf(() => readProtocol(folder));
    assert.ok(refusal === "accepted" || /protocol\.json:\d+:\d+ /.test(refusal), refusal);
    return refusal.replace(/^.*protocol\.json:\d+:\d+ /, "");
  });
}

const right = {
  opening: "store/get",
  duringOpening: ["store/log"],
  closing: "store/get",
  stops: ["store/log"],
  resumes: ["store/get", "store/log"],
  ready: "store/log",
  follows: { "store/log": ["store/get"] },
  cancel: { message: "store/log", id: "text" },
};

testCases("test/cases/conversations.md", "conversations are judged", async (input) => {
  const [change] = readInput(input) as readonly [object];
  const conversation = { failures, ...right, ...change };
  return [await reportOf({ ...description, conversation })];
});

test("indistinguishable kinds of messages are refused", async () => {
  const { envelope } = description;
  const { request, event } = envelope;
  const refusal = await reportOf({
    ...description,
    envelope: { ...envelope, event: { ...event, when: { id: true, method: true } } },
  });
  assert.equal(
    refusal,
    '/envelope/event/when: Cannot distinguish events from requests: both have the same "when" [ERR_DESCRIPTION]\n  Give each kind of message a condition that the other kinds do not satisfy',
  );
  assert.deepEqual(request.when, { method: true, id: true });
});

test("a protocol without a conversation cannot have connections", async () => {
  await withFolder(async (folder) => {
    writeProtocol(folder, description);
    await assert.rejects(generate(folder, { only: ["types", "connection"] }), {
      code: "ERR_ARGUMENT",
      message:
        'Cannot write the connection for Store protocol: its description has no "conversation"',
      hint: 'Add "conversation", which defines how requests are refused and cancelled, or leave out the part "connection"',
    });
    const { files } = await generate(folder);
    assert.ok(!files.has("connection.ts"));
    writeProtocol(folder, { ...description, conversation: { failures } });
    assert.ok((await generate(folder, { only: ["connection"] })).files.has("connection.ts"));
  });
});

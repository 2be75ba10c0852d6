import assert from "node:assert/strict";
import { test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
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

test("the messages that a conversation names must exist and be of the right kind", async () => {
  const report = (conversation: object): Promise<string> =>
    reportOf({ ...description, conversation: { failures, ...conversation } });
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
  assert.equal(await report(right), "accepted");
  const wrong: readonly {
    readonly change: object;
    readonly pointer: string;
    readonly name: string;
    readonly guess?: string;
  }[] = [
    {
      change: { opening: "store/gett" },
      pointer: "/opening",
      name: 'request "store/gett"',
      guess: "store/get",
    },
    { change: { opening: "store/log" }, pointer: "/opening", name: 'request "store/log"' },
    {
      change: { duringOpening: ["store/log", "x"] },
      pointer: "/duringOpening/1",
      name: 'message "x"',
    },
    { change: { closing: "x" }, pointer: "/closing", name: 'request "x"' },
    {
      change: { stops: ["store/lg"] },
      pointer: "/stops/0",
      name: 'event "store/lg"',
      guess: "store/log",
    },
    { change: { resumes: ["x"] }, pointer: "/resumes/0", name: 'message "x"' },
    { change: { ready: "store/get" }, pointer: "/ready", name: 'event "store/get"' },
    { change: { follows: { x: ["store/get"] } }, pointer: "/follows/x", name: 'event "x"' },
    {
      change: { follows: { "store/log": ["x"] } },
      pointer: "/follows/store~1log/0",
      name: 'request "x"',
    },
    {
      change: { cancel: { message: "x", id: "id" } },
      pointer: "/cancel/message",
      name: 'message "x"',
    },
  ];
  for (const { change, pointer, name, guess } of wrong) {
    const refusal = await report({ ...right, ...change });
    const [first, hint] = refusal.split("\n");
    assert.equal(
      first,
      `/conversation${pointer}: Cannot find the ${name} in version 1.0.0 [ERR_DESCRIPTION]`,
    );
    if (guess !== undefined) assert.equal(hint, `  Did you mean "${guess}"?`);
  }
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

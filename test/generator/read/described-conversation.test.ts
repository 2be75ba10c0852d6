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
  const wrong: readonly (readonly [object, string, string, string?])[] = [
    [{ opening: "store/gett" }, "/opening", 'request "store/gett"', "store/get"],
    [{ opening: "store/log" }, "/opening", 'request "store/log"'],
    [{ duringOpening: ["store/log", "x"] }, "/duringOpening/1", 'message "x"'],
    [{ closing: "x" }, "/closing", 'request "x"'],
    [{ stops: ["store/lg"] }, "/stops/0", 'event "store/lg"', "store/log"],
    [{ resumes: ["x"] }, "/resumes/0", 'message "x"'],
    [{ ready: "store/get" }, "/ready", 'event "store/get"'],
    [{ follows: { x: ["store/get"] } }, "/follows/x", 'event "x"'],
    [{ follows: { "store/log": ["x"] } }, "/follows/store~1log/0", 'request "x"'],
    [{ cancel: { message: "x", id: "id" } }, "/cancel/message", 'message "x"'],
  ];
  for (const [change, at, name, guess] of wrong) {
    const refusal = await report({ ...right, ...change });
    const [first, hint] = refusal.split("\n");
    assert.equal(
      first,
      `/conversation${at}: Cannot find the ${name} in version 1.0.0 [ERR_DESCRIPTION]`,
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

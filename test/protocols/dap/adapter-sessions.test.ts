import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineAdapter, Handles } from "@wirewright/dap/adapter";
import { connect, recordingHead, recordMessages } from "@wirewright/dap/connection";
import { readRecording } from "../../../sessions/read/recording.js";
import { readProtocol } from "../../../cli/index.js";
import { request, ScriptedTransport, turns } from "../../support/scripted-connection.js";
import { open, answer, launch } from "../../support/opened-adapter.js";

describe("sessions", () => {
  test("each connection gets its own session, which is disposed exactly once", async () => {
    const disposed: number[] = [];
    let count = 0;
    const adapter = defineAdapter({
      session: () => ({ number: ++count, program: "" }),
      onClose: ({ number }) => void disposed.push(number),
      handlers: {
        launch: (args: { program: string }, { session }) => void (session.program = args.program),
        evaluate: (_, { session }) => ({ result: session.program, variablesReference: 0 }),
      },
    });
    const [one, other] = [open(adapter), open(adapter)];
    await one.say(request(1, "launch", { program: "a" }));
    await other.say(request(1, "launch", { program: "b" }));
    const asked = request(2, "evaluate", { expression: "" });
    const answered = (result: string): object[] => [
      answer(2, "evaluate", { result, variablesReference: 0 }),
    ];
    assert.deepEqual(await one.say(asked), answered("a"));
    assert.deepEqual(await other.say(asked), answered("b"));
    assert.deepEqual([one.connection.session.number, other.connection.session.number], [1, 2]);
    one.transport.end();
    await one.connection.finished;
    assert.deepEqual(disposed, [1]);
    await other.say(request(3, "disconnect"));
    await other.connection.finished;
    assert.deepEqual(disposed, [1, 2]);
  });

  test("a session that cannot be created closes the connection", async () => {
    const transport = new ScriptedTransport();
    const adapter = defineAdapter({
      session: () => {
        throw new Error("no session");
      },
      handlers: { launch },
    });
    assert.throws(() => adapter(transport), { message: "no session" });
    await turns();
    assert.deepEqual(transport.calls, ["close"]);
  });

  test("a handler's context contains the request and its connection", async () => {
    const seen: unknown[] = [];
    const adapter = defineAdapter({
      handlers: {
        launch: (_, { request, connection }) => void seen.push(request.seq, connection),
      },
    });
    const { say, connection } = open(adapter);
    await say(request(5, "launch", {}));
    assert.deepEqual(seen, [5, connection]);
  });

  test("handles are dropped before the program resumes, and references are never reused", async () => {
    const adapter = defineAdapter({
      session: (connection) => new Handles<string>(connection),
      handlers: {
        launch,
        next: (_, { session }) => void session.add("later"),
        pause: () => undefined,
      },
    });
    const { say, connection } = open(adapter);
    const handles = connection.session;
    assert.deepEqual(
      [handles.add("a"), handles.add("b"), handles.get(2), handles.get(3)],
      [1, 2, "b", undefined],
    );
    await say(request(1, "pause", { threadId: 1 }));
    assert.equal(handles.get(1), "a");
    await say(request(2, "next", { threadId: 1 }));
    assert.deepEqual(
      [1, 2, 3].map((each) => handles.get(each)),
      [undefined, undefined, "later"],
    );
    handles.reset();
    assert.equal(handles.get(3), undefined);
  });
});

test("a recording contains the messages as they are on the wire, and the command-line tool can read it", async () => {
  const lines = [recordingHead(new Date(0))];
  const transport = new ScriptedTransport();
  const connection = connect("adapter", transport, {
    middleware: [recordMessages("adapter", (line) => void lines.push(line), 3)],
    handlers: { threads: () => ({ threads: [] }) },
  });
  await transport.say(request(1, "threads"));
  await transport.say(request(2, "threads"));
  await connection.close();
  assert.deepEqual(
    { ...JSON.parse(lines[0]!), version: "" },
    {
      recording: "wirewright",
      form: 1,
      protocol: "dap",
      version: "",
      roles: ["client", "adapter"],
      began: "1970-01-01T00:00:00.000Z",
    },
  );
  const name = "session.jsonl";
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const entries = readRecording([{ name, bytes }], await readProtocol("dap"));
  const asked = { seq: 1, type: "request", command: "threads" };
  assert.deepEqual(
    entries.map(({ from, offset, session, message }) => ({ from, offset, session, message })),
    [
      { from: "client", offset: 0, session: 3, message: asked },
      { from: "adapter", offset: 0, session: 3, message: transport.written[0] },
      { from: "client", offset: 68, session: 3, message: { ...asked, seq: 2 } },
      { from: "adapter", offset: 123, session: 3, message: transport.written[1] },
    ],
  );
});

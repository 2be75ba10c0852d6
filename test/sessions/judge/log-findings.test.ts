import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import {
  openRecording,
  readProtocol,
  type LintFinding,
  type RecordingSource,
} from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { openRecordedProtocol } from "../../../sessions/judge/open-protocol.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import type { LintReport } from "../../../sessions/judge/report.js";
import { judgeRecording } from "../../../sessions/judge/judge-recording.js";
import { loggedSessions } from "../../support/logged-sessions.js";
import { shared, skipWithout } from "../../support/paths.js";
import { dapRequest, dapResponse, dapEvent } from "../../support/dap-messages.js";

const dap = await readProtocol("dap");
const rules = await readSessionRules("dap");

async function report(...files: readonly RecordingSource[]): Promise<LintReport> {
  return reportOf(dap, ...files);
}

async function reportOf(
  protocol: Protocol,
  ...files: readonly RecordingSource[]
): Promise<LintReport> {
  return judgeRecording(await openRecording(files, protocol), protocol, {
    name: "x",
    profile: "wire",
    rules: protocol === dap ? rules : undefined,
    host: undefined,
    severities: new Map(),
  });
}

async function findings(...files: readonly RecordingSource[]): Promise<readonly LintFinding[]> {
  return (await report(...files)).findings;
}

const file = (text: string): RecordingSource => ({ name: "x", chunks: [Buffer.from(text)] });
const lines = (messages: readonly object[]): string =>
  messages.map((each) => `${JSON.stringify(each)}\n`).join("");
const short = ({ rule, index, pointer }: LintFinding): string => `${rule} #${index} ${pointer}`;

const mcpLog = `Message from client: {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
Message from server: {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
Message from client: {"jsonrpc":"2.0","method":"notifications/initialized"}
Message from client: {"jsonrpc":"2.0","id":1,"method":"tools/list"}
Message from client: {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
Message from server: {"jsonrpc":"2.0","id":0,"method":"roots/list"}
`;

suite("MCP sessions", { skip: skipWithout("schemas/mcp") }, () => {
  test("methods need their capabilities, and another version than the schema's is reported", async () => {
    const mcp = await openRecordedProtocol("mcp", {
      schema: [shared("schemas/mcp/2025-06-18.json")!],
    });
    const { findings: found } = await reportOf(mcp, file(mcpLog));
    assert.deepEqual(found.map(short), [
      "opening.version #2 /result/protocolVersion",
      "request.capability #5 /method",
      "request.capability #6 /method",
    ]);
  });
});

test("without a schema, ids in both directions do not lead to findings", async () => {
  const { findings: found } = await reportOf(await openRecordedProtocol("mcp"), file(mcpLog));
  assert.deepEqual(found.map(short), []);
});

test("lint judges only the facts that a log contains", async () => {
  const log = `From client: initialize({"adapterID":"a"})
To client: {"seq":0,"type":"response","request_seq":1,"success":true,"command":"initialize","body":{"supportsConfigurationDoneRequest":true}}
From client: launch({})
To client: {"seq":0,"type":"event","event":"initialized"}
To client: {"seq":0,"type":"event","event":"thread","body":{"reason":"started","threadId":1}}
From client: configurationDone(undefined)
To client: {"seq":0,"type":"response","request_seq":3,"success":true,"command":"configurationDone"}
To client: {"seq":0,"type":"response","request_seq":2,"success":true,"command":"launch"}
From client: next({"threadId":1})
To client: {"seq":0,"type":"response","request_seq":4,"success":true,"command":"next"}
To client: {"seq":0,"type":"event","event":"stopped","body":{"reason":"step","threadId":1}}
To client: "runInTerminal"({"cwd":"/","args":["x"]}), timeout: 5000
From client: stepBack({"threadId":"1"})
From client: disconnect({})
`;
  const found = await findings(file(log));
  assert.deepEqual(found.filter(({ severity }) => severity !== "info").map(short), [
    "request.capability #12 /command",
    "schema.issue #13 /arguments/threadId",
    "request.capability #13 /command",
    "thread.unknown #13 /arguments/threadId",
  ]);
});

test("a recording that begins in the middle of a session is judged only by what it contains", async () => {
  const middle = [
    dapEvent(40, "output", { output: "x" }),
    dapResponse(41, 20, "threads", { threads: [] }),
    dapRequest(21, "stepBack", { threadId: 1 }),
    dapResponse(42, 21, "stepBack"),
    dapResponse(43, 99, "threads", { threads: [] }),
    dapRequest(22, "evaluate", { expression: "x", frameId: 7 }),
    dapResponse(44, 22, "evaluate", { result: "1", variablesReference: 5, memoryReference: "0x1" }),
    dapEvent(45, "memory", { memoryReference: "0x1", offset: 0, count: 1 }),
  ];
  assert.deepEqual((await findings(file(lines(middle)))).map(short), [
    "response.unmatched #5 /request_seq",
  ]);
  // Without the opening request, the capabilities are unknown.
  const whole = [dapRequest(1, "stepBack", { threadId: 1 }), dapResponse(1, 9, "stepBack")];
  assert.deepEqual(
    (await findings(file(lines(whole)))).map(short).filter((each) => !each.startsWith("opening")),
    ["response.unmatched #2 /request_seq"],
  );
  // Without the opening request, only capabilities that change later are known.
  const changed = [
    dapEvent(40, "capabilities", { capabilities: { supportsStepBack: false } }),
    dapRequest(20, "stepBack", { threadId: 1 }),
    dapResponse(41, 20, "stepBack"),
    dapRequest(21, "restart"),
    dapResponse(42, 21, "restart"),
  ];
  assert.deepEqual((await findings(file(lines(changed)))).map(short), [
    "request.capability #2 /command",
  ]);
});

test("a response to a request whose id is 0 is not reported for that id", async () => {
  const zero = [dapRequest(0, "initialize", { adapterID: "a" }), dapResponse(1, 0, "initialize")];
  assert.deepEqual((await findings(file(lines(zero)))).map(short), ["schema.deviation #1 /seq"]);
  const stray = [dapRequest(1, "initialize", { adapterID: "a" }), dapResponse(1, 0, "initialize")];
  assert.ok(
    (await findings(file(lines(stray)))).map(short).includes("schema.deviation #2 /request_seq"),
  );
});

test("findings that depend on a guessed order are counted in the report, but not listed", async () => {
  const client = [
    dapRequest(1, "initialize", { adapterID: "a" }),
    dapRequest(2, "launch", {}),
    dapRequest(3, "configurationDone"),
    dapRequest(4, "continue", { threadId: 1 }),
    dapRequest(5, "variables", { variablesReference: 3 }),
    dapRequest(5, "disconnect", {}),
  ];
  const adapter = [
    dapResponse(1, 1, "initialize", { supportsConfigurationDoneRequest: true }),
    dapEvent(2, "initialized"),
    dapResponse(3, 3, "configurationDone"),
    dapResponse(4, 2, "launch"),
    dapEvent(5, "stopped", { reason: "entry", threadId: 1 }),
    dapResponse(6, 4, "continue"),
    dapResponse(7, 5, "variables", { variables: [] }),
  ];
  const both = await report(file(lines(client)), file(lines(adapter)));
  assert.deepEqual(both.findings.filter(({ severity }) => severity !== "info").map(short), [
    "schema.deviation #10 /body",
    "number.order #13 /seq",
  ]);
  assert.deepEqual(
    both.unjudged?.filter(({ gap }) => gap === "order").map(({ rule }) => rule),
    ["variables.unknown"],
  );
});

test("a finding about an unanswered request gives its session, line and time", async () => {
  const line = (message: object, time: number): object => ({
    kind: "message",
    session: 3,
    time,
    from: "client",
    message,
  });
  const [found] = (
    await findings(
      file(
        lines([
          line(dapRequest(1, "threads"), 5),
          line(dapRequest(2, "threads"), 6),
          { ...line(dapResponse(1, 2, "threads"), 7), from: "adapter" },
          { kind: "end", session: 3, time: 8, from: "adapter", how: "closed" },
        ]),
      ),
    )
  ).filter(({ rule }) => rule === "request.unanswered");
  const { session, time, line: at, index } = found!;
  assert.deepEqual({ session, time, at, index }, { session: 3, time: 5, at: 1, index: 1 });
});

suite("lint reads logs written by real tools", { skip: skipWithout("logs") }, () => {
  for (const { name, file: log, omitsNumbers } of loggedSessions)
    test(`lint reports no errors for ${name}, and nothing about parts that the log omits`, async () => {
      const found = await findings({
        name: log,
        chunks: [readFileSync(shared(`logs/${name}/${log}`)!)],
      });
      assert.deepEqual(found.filter(({ severity }) => severity === "error").map(short), []);
      const unknowable = /^(?:response\.unmatched|request\.unanswered|stopped\.before-answer)$/;
      assert.deepEqual(found.filter(({ rule }) => unknowable.test(rule)).map(short), []);
      if (omitsNumbers === true)
        assert.deepEqual(found.filter(({ pointer }) => pointer === "/seq").map(short), []);
    });
});

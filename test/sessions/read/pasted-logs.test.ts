import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { suite, test } from "node:test";
import { openRecording, readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { openRecordedProtocol } from "../../../sessions/judge/open-protocol.js";
import { judgeRecording } from "../../../sessions/judge/judge-recording.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { logTexts } from "../../../sessions/read/log/log-summary.js";
import { dapEvent, dapRequest, dapResponse } from "../../support/dap-messages.js";
import { shared, skipWithout } from "../../support/paths.js";

const dap = await readProtocol("dap");
const mcp = await openRecordedProtocol("mcp");
const cdp = await openRecordedProtocol("cdp");
const lsp = await openRecordedProtocol("lsp");
const acp = await readProtocol("acp");
const rules = await readSessionRules("dap");

const one = (value: unknown): string => JSON.stringify(value);
const ask = one(dapRequest(1, "initialize", { adapterID: "a" }));
const answer = one(dapResponse(1, 1, "initialize", {}));
const ready = one(dapEvent(2, "initialized"));

/** Reads a log. Returns its messages and texts, in order, in a few words each. */
async function read(
  log: string | Uint8Array,
  protocol: Protocol = dap,
): Promise<readonly string[]> {
  const chunks = [typeof log === "string" ? Buffer.from(log) : log];
  const words: string[] = [];
  for await (const entry of await openRecording([{ name: "x", chunks }], protocol)) {
    const { from, message, fault, printed, missing, unknown } = entry;
    const { type, command, event, method, error } = (message ?? {}) as Record<string, unknown>;
    if (printed !== undefined) words.push(`text ${printed}`);
    else if (fault !== undefined) words.push(`${from} damaged`);
    else
      words.push(
        [
          from,
          type,
          command ?? event ?? method ?? (error && "failure"),
          unknown?.join(" "),
          missing,
        ]
          .filter((each) => each !== undefined)
          .join(" "),
      );
  }
  return words;
}

const rpcAsk = (id: number, method: string): string => one({ jsonrpc: "2.0", id, method });
const rpcAnswer = (id: number): string => one({ jsonrpc: "2.0", id, result: {} });

const session = [
  "client request initialize",
  "adapter response initialize",
  "adapter event initialized",
];
const panel = [
  "client initialize",
  "server",
  "client initialized",
  "server textDocument/publishDiagnostics",
  "server foo/status",
];
const rpc = ["client initialize", "server", "client notifications/initialized"];

const cases: readonly (readonly [
  about: string,
  log: string,
  words: readonly string[],
  protocol?: Protocol,
])[] = [
  [
    "a tag between the arrow and the message",
    `-> (C) ${ask}\n<- (R) ${answer}\n<- (E) ${ready}\n`,
    session,
  ],
  [
    "a name between the arrow and the message",
    `x [INFO] -> DAP ${ask}\nx [INFO] <- DAP ${answer}\nx [INFO] <- DAP event ${ready}\n`,
    session,
  ],
  [
    "counters before the arrow",
    ` 1> 10:00:00.1 [DebugAdapter] --> C (initialize-1): ${ask}\n 2> 10:00:00.2 [DebugAdapter] <--   R (initialize-1): ${answer}\n 3> 10:00:00.2 [DebugAdapter] <--   E (initialized): ${ready}\n`,
    session,
  ],
  [
    "a label above a header",
    `From Client:\nContent-Length: 9\n\n${ask}\nTo Client:\nContent-Length: 9\n\n${answer}\nTo Client:\nContent-Length: 9\n\n${ready}\n`,
    session,
  ],
  [
    "HTML entities, with headers",
    `--> \r\nContent-Length: 9\r\n\r\n${ask}\n<-- \r\nContent-Length: 9\r\n\r\n${answer}\n<-- \r\nContent-Length: 9\r\n\r\n${ready}\n`
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
    session,
  ],
  [
    "frames whose line breaks were changed",
    [ask, answer, ready].map((each) => `Content-Length: ${each.length}\n\n${each}`).join(""),
    session,
  ],
  [
    "packets as tcpflow prints them",
    [ask, answer, ready]
      .map((each, index) => {
        const [from, to] = ["127.000.000.001.47806", "127.000.000.001.04711"];
        const ends = index === 0 ? `${from}-${to}` : `${to}-${from}`;
        return `${ends}: Content-Length: ${each.length}\r\n\r\n${index === 1 ? `\n${ends}: ` : ""}${each}\n`;
      })
      .join(""),
    [
      "text 127.000.000.001.47806-127.000.000.001.04711: Content-Length: 79",
      session[0]!,
      "text 127.000.000.001.04711-127.000.000.001.47806: Content-Length: 91",
      session[1]!,
      "text 127.000.000.001.04711-127.000.000.001.47806: Content-Length: 46",
      session[2]!,
    ],
  ],
  [
    "text before lines of JSON",
    `adapter v1.2\n${ask}\n${answer}\n${ready}\n`,
    ["text adapter v1.2", ...session],
  ],
  [
    "a list over many lines",
    JSON.stringify(
      [ask, answer, ready].map((each) => JSON.parse(each) as object),
      undefined,
      2,
    ),
    session,
  ],
  ["messages in strings", one({ log: [ask, answer, ready].map((data) => ({ data })) }), session],
  [
    "prose with blocks in it",
    `I send\n\n    ${ask},\n\nand get\n\`\`\`json\n${answer}\n${ready}\n\`\`\`\nthen { nothing }.\n`,
    [
      "client request initialize",
      "text and get",
      "text ```json",
      ...session.slice(1),
      "text ```",
      "text then { nothing }.",
    ],
  ],
  [
    "a message of a wrong type",
    `-> ${ask.replace('"request"', '"Request"')}\n<- ${answer}\n<- ${ready}\n`,
    ["client Request initialize", ...session.slice(1)],
  ],
  [
    "a message without its type",
    `-> ${ask}\n<- ${answer.replace('"type":"response",', "")}\n<- ${ready}\n`,
    [session[0]!, "adapter initialize", session[2]!],
  ],
  [
    "a message that is cut",
    `-> ${ask}\n<- ${answer.slice(0, 60)}...\n<- ${ready}\n`,
    [session[0]!, `text <- ${answer.slice(0, 60)}...`, `${session[2]!} the log says "..."`],
  ],
  [
    "a message that is cut without a mark",
    `-> ${ask}\n<- ${answer.slice(0, 60)}\n<- ${ready}\n`,
    [session[0]!, "adapter damaged", session[2]!],
  ],
  [
    "parts that were left out by hand",
    `-> ${ask.replace('{"adapterID":"a"}', "{...}")}\n<- {\n  "seq": 1,\n  "type": "response",\n  "request_seq": 1,\n  "success": true,\n  "command": "initialize",\n  ...\n}\n<- ${ready.replace("}", ',"body":…}')}\n`,
    [`${session[0]!} /arguments`, `${session[1]!} `, `${session[2]!} /body`],
  ],
  [
    "a structure of Rust, whose absent fields are printed",
    '-> DAP Request { seq: 1, type: "request", command: "initialize", arguments: Some(Object {"adapterID": String("a"), "locale": Null}) }\n<- DAP Response { seq: 1, type: "response", request_seq: 1, success: true, command: "initialize", message: None, body: None }\n',
    [session[0]!, `${session[1]!} /message /body`],
  ],
  [
    "a message that is cut after lines",
    `-> ${ask}\n<- {\n  "seq": 1,\n  "type": "response",\n<- ${ready}\n`,
    [session[0]!, "adapter damaged", session[2]!],
  ],
  [
    "a hole that is marked",
    `-> ${ask}\n<- ${answer}\n[...]\n<- ${ready}\n`,
    [...session.slice(0, 2), "text [...]", `${session[2]!} the log says "[...]"`],
  ],
  [
    "numbers that jump",
    `-> ${ask}\n<- ${answer}\n<- ${ready.replace('"seq":2', '"seq":9')}\n`,
    [...session.slice(0, 2), `${session[2]!} the adapter's numbers jump from 1 to 9`],
  ],
  [
    "messages that are logged again",
    `-> ${ask}\n<- ${answer}\n[WARN] no handler: ${answer}\n<- ${ready}\n`,
    [...session.slice(0, 2), `text [WARN] no handler: ${answer}`, session[2]!],
  ],
  [
    "other JSON between the messages",
    `-> ${ask}\n{"level":"info","pid":3}\n<- ${answer}\nsettings: {\n  "a": [1]\n}\n<- ${ready}\n`,
    [
      session[0]!,
      'text {"level":"info","pid":3}',
      session[1]!,
      'text settings: {\n  "a": [1]\n}',
      session[2]!,
    ],
  ],
  [
    "a trace in the words of another protocol",
    "[Trace - 11:14:25] Sending request 'initialize - (1)'.\nParams: {\n  \"adapterID\": \"a\"\n}\n\n[Trace - 11:14:25] Received response 'initialize - (1)' in 6ms.\nResult: {}\n\n[Trace - 11:14:25] Received notification 'initialized'\n",
    [session[0]!, `${session[1]!} /seq`, `${session[2]!} /seq /body`],
  ],
  [
    "a language server's own trace",
    "[Trace - 10:15:10.100 AM] Received request 'initialize - (1)'.\nParams: {}\n\n\n[Trace - 10:15:11.101 AM] Sending response 'initialize - (1)' in 3ms.\nResult: {}\n\n\n[Trace - 10:15:12.102 AM] Received notification 'initialized'.\nParams: {}\n\n\n[Trace - 10:15:12.103 AM] Sending notification 'window/logMessage'.\nParams: {}\n\n\n",
    ["client initialize", "server", "client initialized", "server window/logMessage"],
    lsp,
  ],
  [
    "requests that are logged again beside their responses",
    `["--->",1,"x",${rpcAsk(1, "initialize")}]\n["<---",1,"x",{"response":${rpcAnswer(1)},"request":${rpcAsk(1, "initialize")}}]\n["--->",1,"x",${rpcAsk(2, "a")}]\n`,
    [
      "client initialize",
      "server",
      `text ["<---",1,"x",${rpcAsk(1, "initialize").slice(0, -1)}}`,
      "client a",
    ],
    lsp,
  ],
  [
    "requests that are logged without their ids, except beside their responses",
    `["--->",1,{"method":"initialize","params":{}}]\n["<---",1,{"response":${rpcAnswer(1)},"request":${rpcAsk(1, "initialize")}}]\n["--->",1,{"method":"a","params":{}}]\n["<---",1,{"response":${rpcAnswer(2)},"request":${rpcAsk(2, "a")}}]\n`,
    [
      "client initialize /jsonrpc",
      "server",
      `text ["<---",1,${rpcAsk(1, "initialize")}`,
      "client a",
      "server",
      `text ["<---",1,${rpcAsk(2, "a")}`,
    ],
    lsp,
  ],
  [
    "commands of a browser that are named in words",
    '[1704190510.123][DEBUG]: DevTools WebSocket Command: Page.enable (id=1) (session_id=A) browser {\n}\n[1704190510.124][DEBUG]: DevTools WebSocket Response: Page.enable (id=1) (session_id=A) browser {\n}\n[1704190510.125][DEBUG]: DevTools WebSocket Event: Page.loaded (session_id=A) browser {\n   "timestamp": 1.5\n}\n',
    ["client Page.enable /sessionId", "browser /sessionId", "browser Page.loaded /sessionId"],
    cdp,
  ],
  [
    "VS Code's log of an MCP server",
    '2025-06-01 10:00:00.200 [trace] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n2025-06-01 10:00:00.400 [trace] [server -> editor] {"jsonrpc":"2.0","id":1,"result":{}}\n2025-06-01 10:00:00.401 [trace] [editor -> server] {"method":"notifications/initialized","jsonrpc":"2.0"}\n2025-06-01 10:00:00.500 [warning] [server stderr] Loading .env\n',
    [...rpc, "text 2025-06-01 10:00:00.500 [warning] [server stderr] Loading .env"],
    mcp,
  ],
  [
    "Claude Desktop's log",
    '2025-06-01T10:00:00.123Z [x] [info] Message from client: {"method":"initialize","params":{},"jsonrpc":"2.0","id":0}\n2025-06-01T10:00:00.223Z [x] [info] Message from server: {"jsonrpc":"2.0","id":0,"result":{}}\n2025-06-01T10:00:00.323Z [x] [info] Message from client: {"method":"notifications/initialized","jsonrpc":"2.0"}\n',
    rpc,
    mcp,
  ],
  [
    "a server's request with the id of an answered one",
    `--> ${rpcAsk(0, "initialize")}\n<-- ${rpcAnswer(0)}\n<-- ${rpcAsk(0, "roots/list")}\n--> ${rpcAnswer(0)}\n`,
    ["client initialize", "server", "server roots/list", "client"],
    mcp,
  ],
  [
    "requests of both sides with one id before an answer",
    `--> ${rpcAsk(0, "initialize")}\n<-- ${rpcAnswer(0)}\n--> ${rpcAsk(1, "a")}\n<-- ${rpcAsk(1, "b")}\n--> ${rpcAnswer(1)}\n<-- ${rpcAnswer(1)}\n`,
    ["client initialize", "server", "client a", "server b", "client", "server"],
    mcp,
  ],
  [
    "messages that Rust prints again",
    `x -> ${rpcAsk(0, "initialize")}\nx <- ${rpcAnswer(0)}\nx <- Success(Success { jsonrpc: Some(V2), result: Object {}, id: Num(0) })\nx <- {"jsonrpc":"2.0","method":"m","params":{"a":1}}\n[DEBUG] Notification { jsonrpc: Some(V2), method: "m", params: Map({"a": Number(1)}) }\n`,
    [
      "client initialize",
      "server",
      "text x <- Success(Success { jsonrpc: Some(V2), result: Object {}, id: Num(0) })",
      "server m",
      'text [DEBUG] Notification { jsonrpc: Some(V2), method: "m", params: Map({"a": Number(1)}) }',
    ],
    mcp,
  ],
  [
    "an event that Rust prints again, with other names of fields",
    `-> DAP ${ask}\n<- DAP ${answer}\n<- DAP ${ready}\n<- DAP event Event { seq: 2, ty: "event", event: "initialized", body: None }\n`,
    [
      ...session,
      'text <- DAP event Event { seq: 2, ty: "event", event: "initialized", body: None }',
    ],
  ],
  [
    "equal notifications of both sides",
    `-> ${rpcAsk(0, "initialize")}\n<- ${rpcAnswer(0)}\n-> {"jsonrpc":"2.0","method":"exit"}\n<- {"jsonrpc":"2.0","method":"exit"}\n`,
    ["client initialize", "server", "client exit", "server exit"],
    mcp,
  ],
  [
    "words in strings",
    ["--> ", "<-- ", "<-- "]
      .map(
        (arrow, index) =>
          `${one({ log: `${arrow}${[ask, answer, ready][index]}\n`, stream: "stdout" })}\n`,
      )
      .join(""),
    session,
  ],
  [
    "a trace that Docker has logged",
    "[Trace - 11:14:25 AM] Sending request 'initialize - (1)'\nParams: {\n}\n\n[Trace - 11:14:25 AM] Received response 'initialize - (1)' in 8ms\nResult: {}\n"
      .split("\n")
      .map(
        (line) =>
          `${one({ log: `${line}\n`, stream: "stderr", time: "2026-01-01T00:00:00.1Z" })}\n`,
      )
      .join(""),
    ["client initialize", "server"],
    mcp,
  ],
  [
    "messages that only Rust prints",
    '[DEBUG] send: Request { jsonrpc: Some(V2), method: "initialize", params: Map({}), id: Num(0) }\n[DEBUG] recv: Success { jsonrpc: Some(V2), result: Object {}, id: Num(0) }\n',
    ["client initialize /jsonrpc", "server /jsonrpc"],
    mcp,
  ],
  [
    "lines that were wrapped at a column",
    [ask, answer, ready]
      .map((each, index) => `${index === 0 ? "-> " : "<- "}${each}`.replaceAll(/.{50}/g, "$&\n"))
      .join("\n"),
    session,
  ],
  [
    "lines that were wrapped between words",
    [ask, answer, ready]
      .map((each, index) => `${index === 0 ? "-> " : "<- "}${each.replaceAll(/[,:]/g, "$& ")}\n`)
      .join("")
      .replaceAll(/(.{1,50})(?: |$)/gm, "$1\n")
      .replaceAll("\n\n", "\n"),
    session,
  ],
  [
    "HTML entities that were escaped twice",
    `-> ${ask}\n<- ${answer}\n<- ${ready}\n`
      .replaceAll("<", "&amp;lt;")
      .replaceAll(">", "&amp;gt;")
      .replaceAll('"', "&amp;quot;"),
    session,
  ],
  [
    "property lists below labels, as Emacs prints them",
    `[client-request] (id:1) Sat Nov 28 20:00:00 2020:\n(:jsonrpc "2.0" :id 1 :method "initialize" :params\n  (:a nil :list ["x" "y"]))\n[server-reply] (id:1) Sat Nov 28 20:00:01 2020:\n(:id 1 :jsonrpc "2.0"\n  :result (:b t))\n`,
    ["client initialize /params/a", "server"],
    mcp,
  ],
  [
    "objects of classes, as Python prints them",
    "Sending: JSONRPCMessage(root=JSONRPCRequest(method='initialize', params={'a': []}, jsonrpc='2.0', id=0))\nReceived: root=JSONRPCResponse(jsonrpc='2.0', id=0, result={'b': True})\nSending: JSONRPCMessage(root=JSONRPCNotification(method='notifications/initialized', params=None, jsonrpc='2.0'))\n",
    ["client initialize", "server", "client notifications/initialized /params"],
    mcp,
  ],
  [
    "objects of classes after the words of a library",
    "From client: Message(seq=1, type='request', command='initialize', arguments={'adapterID': 'a'})\nTo client: Message(seq=1, type='response', request_seq=1, success=True, command='initialize')\n",
    session.slice(0, 2),
  ],
  [
    "commands and events of a browser, without a schema",
    'SEND ► {"id":1,"method":"Page.enable"}\n◀ RECV {"id":1,"result":{}}\n◀ RECV {"method":"Page.loaded"}\n',
    ["client Page.enable", "browser", "browser Page.loaded"],
    cdp,
  ],
  [
    "commands and events of a browser, without words",
    'frame {"id":1,"method":"Page.enable"}\nframe {"id":1,"result":{}}\nframe {"method":"Page.loaded"}\n',
    ["client Page.enable", "browser", "browser Page.loaded"],
    cdp,
  ],
  [
    "Sublime Text's panel, whose notifications are padded",
    ":: [10:15:00.000] --> foo-ls initialize (1): {}\n:: [10:15:01.037] <<< foo-ls (1) (duration: 12ms): {'capabilities': {}}\n:: [10:15:02.074]  -> foo-ls initialized: {}\n:: [10:15:06.222] <-  foo-ls textDocument/publishDiagnostics: {'uri': 'file:///a', 'diagnostics': []}\n:: [10:15:07.000] <?  foo-ls foo/status: {'ok': True}\n",
    panel,
    lsp,
  ],
  [
    "Sublime Text's panel without the colons",
    "[10:15:00.000] --> foo-ls initialize (1): {}\n[10:15:01.037] <<< foo-ls (1): {'capabilities': {}}\n[10:15:02.074]  -> foo-ls initialized: {}\n[10:15:06.222] <-  foo-ls textDocument/publishDiagnostics: {}\n[10:15:07.000] <?  foo-ls foo/status: {}\n",
    panel,
    lsp,
  ],
  [
    "Sublime Text's panel in its older form, whose ids follow the names",
    ":: --> foo-ls initialize(1): {}\n:: <<< foo-ls 1: {'capabilities': {}}\n::  -> foo-ls initialized: {}\n:: <-- foo-ls x/y(0): {}\n:: >>> foo-ls 0: [{}]\n",
    ["client initialize", "server", "client initialized", "server x/y", "client"],
    lsp,
  ],
  [
    "lines with words of direction above messages with other words",
    `Sending: ${rpcAsk(1, "initialize")}\nReceived: ${rpcAnswer(1)}\nReceived SIGTERM\nx ${one({ jsonrpc: "2.0", method: "exit" })}\nWriting failed: no space\nx ${one({ jsonrpc: "2.0", method: "exit", params: [] })}\n`,
    [
      "client initialize",
      "server",
      "text Received SIGTERM",
      "exit",
      "text Writing failed: no space",
      "exit",
    ],
    lsp,
  ],
  [
    "a list of messages on one line",
    `--> ${rpcAsk(1, "initialize")}\n<-- [${rpcAnswer(1)}, ${one({ jsonrpc: "2.0", method: "x" })}]\n`,
    ["client initialize", "server", "server x"],
    lsp,
  ],
  [
    "objects of JavaScript among lines of JSON",
    `${ask}\n{ seq: 1, type: 'response', request_seq: 1, success: true,\n  command: 'initialize' }\n${ready}\n`,
    session,
  ],
  [
    "objects over several lines whose first lines have the same length",
    `2026-03-04 10:15:10 --> {"seq": 1, "type": "request",\n  "command": "initialize", "arguments": {"adapterID": "x"}}\n2026-03-04 10:15:10 the port number 5 is not free now\n2026-03-04 10:15:11 <-- {"seq": 1, "type":"response",\n  "request_seq": 1, "command": "initialize", "success": true}\n`,
    [session[0]!, "text 2026-03-04 10:15:10 the port number 5 is not free now", session[1]!],
  ],
  [
    "a command of a browser that fails",
    '[1704190510.123][DEBUG]: DevTools WebSocket Command: Page.x (id=1) (session_id=) browser {\n}\n[1704190510.124][DEBUG]: DevTools WebSocket Response: Page.x (id=1) (session_id=) browser {\n   "code": -32601,\n   "message": "none"\n}\n',
    ["client Page.x /sessionId", "browser failure /sessionId"],
    cdp,
  ],
  ...["->", "→", "to"].map((arrow) => {
    const [asked, told] = [`(x) A ${arrow} B says `, `(x) B ${arrow} A says `];
    return [
      `two sides with names, and ${arrow} between them`,
      `${asked}${rpcAsk(1, "initialize")}\n${told}${rpcAnswer(1)}\n${asked}${one({ jsonrpc: "2.0", method: "m" })}\n${told}${rpcAsk(7, "roots/list")}\n`,
      ["client initialize", "server", "client m", "server roots/list"],
      mcp,
    ] as const;
  }),
  ...["a/b.log:1:", "1: ", "1  "].map((number) => {
    const pretty = [ask, answer, ready].map((each) =>
      JSON.stringify(JSON.parse(each), undefined, 2),
    );
    const lines = `-> ${pretty[0]}\n<- ${pretty[1]}\n<- ${pretty[2]}\n`.split(/(?<=\n)/);
    return [
      `lines with numbers of one and two digits: ${number}`,
      lines.map((line, index) => number.replace("1", String(index + 1)) + line).join(""),
      session,
    ] as const;
  }),
  [
    "only described requests, which have no numbers",
    'From client: initialize({"adapterID":"a"})\nFrom client: mine({})\n',
    ["client request initialize /seq", "client request mine /seq"],
  ],
  [
    "values between tags",
    [
      ["in", rpcAsk(1, "initialize")],
      ["out", rpcAnswer(1)],
      ["in", '{"jsonrpc":"2.0","method":"initialized"}'],
      ["in", rpcAsk(2, "shutdown")],
      ["out", rpcAnswer(2)],
    ]
      .map(([dir, text]) => `<entry dir="${dir}">${text!.replaceAll('"', "&quot;")}</entry>\n`)
      .join(""),
    ["client initialize", "server", "client initialized", "client shutdown", "server"],
    lsp,
  ],
  [
    "short messages in a logger's texts",
    [
      `<-- ${rpcAsk(1, "initialize")}`,
      `--> ${rpcAnswer(1)}`,
      '<-- {"jsonrpc":"2.0","method":"exit"}',
    ]
      .map((msg) => `${one({ msg })}\n`)
      .join(""),
    ["client initialize", "server", "client exit"],
    lsp,
  ],
  [
    "escaped messages in quotation marks",
    `DEBUG send ${one(ask)}\nDEBUG recv ${one(answer)}\nDEBUG recv ${one(ready)}\n`,
    session,
  ],
  [
    "escaped messages in the values of keys",
    `time="10:15:00" msg=${one(`send ${ask}`)}\ntime="10:15:01" msg=${one(`recv ${answer}`)}\ntime="10:15:01" msg=${one(`recv ${ready}`)}\n`,
    session,
  ],
  [
    "messages in a table, with doubled quotation marks",
    [ask, answer, ready]
      .map((each, index) => `${index === 0 ? "OUT" : "IN"},"${each.replaceAll('"', '""')}"\n`)
      .join(""),
    session,
  ],
  [
    "strings of messages over many lines, which remain strings",
    `-> ${ask}\n<- ${answer}\n<- {\n  "seq": 2,\n  "type": "event",\n  "event": "output",\n  "body": {\n    "output": "x {\\"a\\":1}"\n  }\n}\n`.replaceAll(
      /^(?=.)/gm,
      "[x] ",
    ),
    [...session.slice(0, 2), "adapter event output"],
  ],
  [
    "escaped braces in strings of Lua, which remain strings",
    `[DEBUG] 2026-11-22 11:22:23 dap/session.lua:1872\t"request"\t{\n  command = "threads",\n  arguments = {\n    a = "it is {\\"a\\": 1}"\n  },\n  seq = 1,\n  type = "request"\n}\n`,
    ["client request threads"],
  ],
  [
    "escaped braces in strings of Lisp and after prefixes, which remain strings",
    `x | --> {\nx |   "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {\nx |     "a": "so \\"b\\" {\\"c\\": 1}" } }\nx | <-- (:jsonrpc "2.0" :method "window/logMessage" :params (:message "x {\\"method\\": 1}"))\n`,
    ["client initialize", "server window/logMessage"],
    lsp,
  ],
  [
    "strings and bytes of Python",
    `TX: b'Content-Length: 9\\r\\n\\r\\n${rpcAsk(1, "initialize").replace("}", ',"params":{"a":"it\\\'s \\\\n \\xc3\\xa9 \\\\"x\\\\""}}')}'\nRX: '${rpcAnswer(1)}'\nTX: '${rpcAsk(2, "a\n").replace("\\", "\\\\")}'\n`,
    ["client initialize", "server", "client a\n"],
    lsp,
  ],
  [
    "a program's lines in a logger's texts",
    [
      `[<- from client]${one(dapRequest(1, "threads"))}`,
      `[-> to client]${ready}`,
      `[-> to client]${ready.replace("2", "3")}`,
    ]
      .map((text, index) => `2026-11-22T11:06:5${index}Z debug layer=dap ${text}`)
      .map((text, index) => `${one({ level: 20, msg: text, n: index })}\n`)
      .join(""),
    ["client request threads", session[2]!, session[2]!],
  ],
  [
    "a message that the logger cut",
    `-> ${ask}\n<- ${answer}\n<- ${ready.slice(0, 30)}... (57 more bytes)\n<- ${ready.replace("2", "3")}\n`,
    [
      ...session.slice(0, 2),
      `text <- ${ready.slice(0, 30)}... (57 more bytes)`,
      `${session[2]!} the adapter's numbers jump from 1 to 3`,
    ],
  ],
  [
    "lines that Kubernetes has split",
    [`P -> ${ask.slice(0, 30)}`, `F ${ask.slice(30)}`, `F <- ${answer}`, `F <- ${ready}`]
      .map((each) => `2026-03-04T10:15:00.000000001Z stderr ${each}\n`)
      .join(""),
    session,
  ],
  [
    "lines that a logger has split, each with a time and a name in front of it",
    [`--> ${ask}`, `<-- ${answer}`, `<-- ${ready}`]
      .map((each, index) => each.replaceAll(/.{1,50}/g, `01-02 10:15:1${index}.123 D Dap: $&\n`))
      .join(""),
    session,
  ],
  [
    "many messages in one text, and prose beside them",
    `${one({ title: "x", body: `I see:\n-> ${ask}\n\nand\n<- ${answer} {\n<- ${ready}\nHelp!` })}\n`,
    ["text I see:", session[0]!, "text and", ...session.slice(1), "text Help!"],
  ],
  [
    "an HTTP archive",
    JSON.stringify(
      {
        log: {
          entries: [
            {
              startedDateTime: "2026-01-02T10:15:10.000Z",
              request: {
                postData: { mimeType: "application/json", text: rpcAsk(1, "initialize") },
              },
              response: {
                content: {
                  mimeType: "text/event-stream",
                  text: `event: message\ndata: ${rpcAnswer(1)}\n\nevent: message\ndata: ${rpcAsk(1, "roots/list")}\n\n`,
                },
              },
            },
          ],
        },
      },
      undefined,
      2,
    ),
    ["client initialize", "server", "server roots/list"],
    mcp,
  ],
  [
    "nested maps of Elixir",
    [ask, answer, ready]
      .map(
        (each, index) =>
          `${index === 0 ? "Received" : "Sent"}: ${each.replaceAll("{", "%{").replaceAll(":", " => ")}\n`,
      )
      .join(""),
    session,
  ],
  [
    "failures of a trace: over two lines, before blanks, without a code, and among text",
    `${["bad\nkey (-32602).", "no (3) keys (7). ", "none", "gone\n\nlater (4)"].map((text, index) => `[Trace - 11:14:2${index}] Received response 'x - (${index})' in 6ms. Request failed: ${text}\n`).join("\n")}`,
    [
      "server failure /error/data",
      "server failure /error/data",
      "server failure /error/code /error/data",
      "server failure /error/code /error/data",
      "text later (4)",
    ],
    lsp,
  ],
  [
    "a trace after the words of an editor's log",
    "2026-03-04 10:15:10.100 [info] [Trace - 10:15:10 AM] Sending request 'initialize - (1)'.\n2026-03-04 10:15:10.100 [info] Params: {\n    \"a\": 1\n}\n\n[Trace] Received response 'initialize - (1)' in 3ms.\nResult: {}\n2026-03-04 10:15:11.000 [trace] Sending notification 'initialized'.\n",
    ["client initialize", "server", "client initialized /params"],
    lsp,
  ],
  [
    "text and other messages on the line of a described one",
    `10:15:10 From client: initialize({"adapterID":"a"}), port is gone\n10:15:11 To client: ${answer} 10:15:12 From client: threads(undefined) 10:15:13 From client: next({}) not now\n`,
    [
      "client request initialize /seq",
      "text ), port is gone",
      session[1]!,
      "client request threads /seq",
      "client request next /seq",
      "text ) not now",
    ],
  ],
  [
    "a trace after a tag or a fence",
    "<b>Log</b>```[Trace - 10:15:10 AM] Sending request 'initialize - (1)'.\nParams: {}\n\n<pre>[Trace - 10:15:10 AM] Received response 'initialize - (1)' in 3ms.\nResult: {}\n",
    ["client initialize", "server"],
    lsp,
  ],
  [
    "text and other messages on the lines of a trace",
    "[Trace - 11:14:25] Sending request 'initialize - (1)'. Params: {} [Trace - 11:14:25] Received response 'initialize - (1)' in 6ms. Result: {} port is gone\n[Trace - 11:14:26] Sending notification 'initialized'. No parameters provided. What now?\n",
    [
      "client initialize",
      "server",
      "text  port is gone",
      "client initialized /params",
      "text . What now?",
    ],
    lsp,
  ],
  [
    "text and other messages on a line of Sublime Text's panel",
    ":: --> x initialize (1): {} :: <<< x (1): {'a': 1} :: -> x initialized: {} again\n",
    ["client initialize", "server", "client initialized", "text  again"],
    lsp,
  ],
  [
    "examples in sentences, and what a test compares",
    `For example, send ${ask} first.\nThen ${ready} is sent by the adapter.\n-> ${ask}\n<- ${answer}\nAssertionError: Expected ${ready} to equal ${answer}\nExpected: ${ask}\nReceived: ${ready}\n<- ${ready}\n`,
    [
      `text For example, send ${ask}`,
      "text  first.",
      `text Then ${ready}`,
      "text  is sent by the adapter.",
      ...session.slice(0, 2),
      `text AssertionError: Expected ${ready}`,
      `text  to equal ${answer}`,
      `text Expected: ${ask}`,
      `text Received: ${ready}`,
      session[2]!,
    ],
  ],
  [
    "words of a sentence in front of each message and after it",
    `the client should get ${ask} and wait\nthe adapter would say ${answer} and wait\nthe adapter would say ${ready} and wait\nthe client should get ${ask.replace("1", "2")} and wait\n`,
    [
      session[0]!,
      "text  and wait",
      session[1]!,
      "text  and wait",
      session[2]!,
      "text  and wait",
      session[0]!,
      "text  and wait",
    ],
  ],
  [
    "requests that are logged without their ids",
    `--> ${one({ jsonrpc: "2.0", method: "initialize", params: {} })}\n<-- ${rpcAnswer(4)}\n--> ${one({ jsonrpc: "2.0", method: "initialized" })}\n--> ${one({ jsonrpc: "2.0", method: "initialize" })}\n<-- ${rpcAnswer(5)}\n`,
    ["client initialize", "server", "client initialized", "client initialize", "server"],
    lsp,
  ],
  [
    "one line that was wrapped at a column",
    `-> ${ask}\n<- ${answer}\n<- ${ready}\n`.replaceAll(/.{80}/g, "$&\n"),
    session,
  ],
  [
    "marks in front of messages that were escaped",
    `-> ${ask}\n<- ${answer}\n<- ${ready}\n`.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e"),
    session,
  ],
  [
    "directions in objects beside the messages",
    [rpcAsk(1, "initialize"), rpcAnswer(1), one({ jsonrpc: "2.0", method: "x" })]
      .map((body, index) => `${one({ attributes: { dir: index === 1 ? "out" : "in" }, body })}\n`)
      .join(""),
    ["client initialize", "server", "client x"],
    mcp,
  ],
  [
    "messages that are logged again with the other arrow",
    `=> ${rpcAsk(0, "initialize")}\n<-- ${rpcAsk(0, "initialize")}\n<= ${rpcAnswer(0)}\n`,
    ["client initialize", `text <-- ${rpcAsk(0, "initialize")}`, "server"],
    mcp,
  ],
  [
    "an object of the program that only looks damaged",
    `-> ${ask}\n<- ${answer}\nstate { metadata: undefined }\n<- ${ready}\n`,
    [...session.slice(0, 2), "text state { metadata: undefined }", session[2]!],
  ],
];

for (const [about, log, words, protocol = dap] of cases)
  test(`a log is read whole: ${about}`, async () => {
    assert.deepEqual(await read(log, protocol), words);
  });

/** Reads a log. Returns the session and the sender of each message. */
async function sessionsIn(log: string, protocol: Protocol): Promise<readonly string[]> {
  const chunks = [Buffer.from(log)];
  const entries = [];
  for await (const entry of await openRecording([{ name: "x", chunks }], protocol))
    if (entry.message !== undefined) entries.push(`${entry.session ?? 1} ${entry.from}`);
  return entries;
}

test("bytes that C prints as octal numbers are characters", async () => {
  const told = one(dapEvent(3, "output", { output: "é \\101 😀" }));
  const log = `read(0, ${one(`${ask}`)}, 4096) = 9\nwrite(1, ${one(answer)}, 9) = 9\nwrite(1, ${one(
    told,
  )
    .replace("é", "\\303\\251")
    .replace("😀", "\\360\\237\\230\\200")}, 9) = 9\n`;
  const chunks = [Buffer.from(log)];
  const messages = [];
  for await (const { message } of await openRecording([{ name: "x", chunks }], dap))
    if (message !== undefined) messages.push(message);
  assert.deepEqual(
    messages,
    [ask, answer, told].map((each) => JSON.parse(each) as object),
  );
});

test("words with different names are different connections", async () => {
  const start = [rpcAsk(0, "initialize"), rpcAnswer(0).replace("{}", '{"x":1}')];
  const log = (first: string, second: string): string =>
    `${first} -> ${start[0]}\n${second} -> ${start[0]}\n${first} <- ${start[1]}\n${second} <- ${rpcAnswer(0)}\n${second} -> ${rpcAsk(1, "a")}\n${first} -> ${rpcAsk(1, "a")}\n`;
  const connections = ["1 client", "2 client", "1 server", "2 server", "2 client", "1 client"];
  assert.deepEqual(await sessionsIn(log("pyright", "ruff"), mcp), connections);
  assert.deepEqual(await sessionsIn(log("[INFO] (a-b)", "[INFO] (c.d)"), mcp), connections);
  // The second connection may begin long after the words have been learned.
  const between = `pyright -> ${one({ jsonrpc: "2.0", method: "x", params: "y".repeat(1_000) })}\n`;
  const late = await sessionsIn(
    `pyright -> ${start[0]}\npyright <- ${start[1]}\n${between.repeat(100)}ruff -> ${start[0]}\nruff <- ${start[1]}\n`,
    mcp,
  );
  assert.deepEqual(late.slice(-2), ["2 client", "2 server"]);
  // If all messages of one name are those of another, they were logged twice.
  const twice = [...start, rpcAsk(1, "a")]
    .map((each, index) =>
      ["rpc", "transport"].map((name) => `${name} ${index === 1 ? "<-" : "->"} ${each}\n`).join(""),
    )
    .join("");
  assert.deepEqual(await sessionsIn(twice, mcp), ["1 client", "1 server", "1 client"]);
});

test("equal sessions that overlap are not repetitions, unless the order of each pair is the same", async () => {
  const log = (first: string, second: string, isSwapped: boolean): string =>
    [ask, answer, ready]
      .flatMap((each, index) => {
        const names = isSwapped && index === 1 ? [second, first] : [first, second];
        return names.map((name) => `${name} ${each === ask ? "->" : "<-"} ${each}\n`);
      })
      .join("");
  const both = [1, 2, 1, 2].map((number, index) => `${number} ${index < 2 ? "client" : "adapter"}`);
  for (const [first, second] of [
    ["conn A", "conn B"],
    ["[3fa9]", "[b27c]"],
  ] as const)
    assert.deepEqual((await sessionsIn(log(first, second, false), dap)).slice(0, 4), both, first);
  assert.equal((await sessionsIn(log("alice", "bob", true), dap)).length, 6);
  assert.deepEqual(await sessionsIn(log("rpc", "pipe", false), dap), [
    "1 client",
    "1 adapter",
    "1 adapter",
  ]);
});

test("messages in one value over many lines have their own lines", async () => {
  const log = JSON.stringify(
    { log: [ask, answer].map((each) => JSON.parse(each) as object) },
    undefined,
    2,
  );
  const lines = [];
  const chunks = [Buffer.from(`x\nlog: ${log}\n`)];
  for await (const { line } of await openRecording([{ name: "x", chunks }], dap)) lines.push(line);
  const each = log.split("\n").flatMap((text, index) => (text === "    {" ? [index + 2] : []));
  assert.deepEqual(lines, [1, ...each]);
});

test("a time of another kind than the first does not count", async () => {
  const log = `2026-01-02T10:00:00.000Z -> ${ask}\n[Error - 11:36:31] x <- ${answer}\n2026-01-02T10:00:01.000Z <- ${ready}\n`;
  const times = [];
  const chunks = [Buffer.from(log)];
  for await (const { time } of await openRecording([{ name: "x", chunks }], dap)) times.push(time);
  assert.deepEqual(times, [0, undefined, 1_000]);
});

test("equal sessions one after another are not repetitions", async () => {
  const next = one({ seq: 2, type: "request", command: "threads" });
  const messages = [ask, answer, ready, next, one(dapResponse(3, 2, "threads", { threads: [] }))];
  const log = (first: string, second: string): string =>
    [first, second]
      .flatMap((name) =>
        messages.map((each) => `${name} ${each === ask || each === next ? "->" : "<-"} ${each}\n`),
      )
      .join("");
  const sides = ["client", "adapter", "adapter", "client", "adapter"];
  const sessions = [1, 2].flatMap((number) => sides.map((side) => `${number} ${side}`));
  for (const [first, second] of [
    ["a", "b"],
    ["[x]", "[x] again"],
    ["10:00:00", "worker: 10:00:00"],
  ] as const)
    assert.deepEqual(await sessionsIn(log(first, second), dap), sessions, second);
});

test("words with different numbers are different connections if the numbers stay the same", async () => {
  const log = (first: string, second: string): string =>
    `${first} --> ${ask}\n${second} --> ${ask}\n${first} <-- ${answer}\n${second} <-- ${answer}\n${second} <-- ${ready}\n${first} <-- ${ready}\n`;
  const crossed = ["1 client", "2 client", "1 adapter", "2 adapter", "2 adapter", "1 adapter"];
  assert.deepEqual(await sessionsIn(log("[pid 101]", "[pid 202]"), dap), crossed);
  assert.deepEqual(await sessionsIn(log("10:15:00 ls-1", "10:15:00 ls-2"), dap), crossed);
  // Counters name no connection.
  const counted = [ask, answer, ready, ask, answer, ready]
    .map((each, index) => `${index}> ${each === ask ? "-->" : "<--"} ${each}\n`)
    .join("");
  assert.deepEqual(await sessionsIn(counted, dap), [
    "1 client",
    "1 adapter",
    "1 adapter",
    "2 client",
    "2 adapter",
    "2 adapter",
  ]);
});

test("the report counts messages that were logged again", async () => {
  const log = [ask, answer, ready]
    .flatMap((each) => ["rpc", "pipe"].map((name) => `${name} ${each}\n`))
    .join("");
  const recording = await openRecording([{ name: "x", chunks: [Buffer.from(log)] }], dap);
  for await (const entry of recording) void entry;
  assert.deepEqual(logTexts(recording.log), [
    "log: 3 messages, 3 repetitions, 0 damaged, 3 lines of other text",
    'messages after "pipe" repeat those after "rpc": each counts once',
    '"rpc" before 3 messages: both sides (1 client request, 1 adapter response, 1 adapter event)',
    '"pipe" before 3 messages: both sides (1 client request, 1 adapter response, 1 adapter event)',
  ]);
});

test("the report says if the sender of a single message is unknown", async () => {
  const log = `--> ${rpcAsk(1, "initialize")}\n<-- ${rpcAnswer(1)}\n${rpcAsk(2, "x")}\n`;
  const recording = await openRecording([{ name: "x", chunks: [Buffer.from(log)] }], lsp);
  for await (const entry of recording) void entry;
  assert.deepEqual(logTexts(recording.log), [
    "log: 3 messages, 0 damaged, 0 lines of other text",
    '"-->" before 1 message: the client (1 request)',
    '"<--" before 1 message: the server (1 response)',
    "nothing before 1 message: unknown sender",
  ]);
});

test("what an adapter sends before the opening request belongs to the session", async () => {
  const early = one(dapEvent(1, "output", { output: "x" }));
  const second = ready.replace('"seq":2', '"seq":3');
  const log = `<-- ${early}\n--> ${ask}\n<-- ${answer.replace('"seq":1', '"seq":2')}\n<-- ${second}\n`;
  assert.deepEqual(await sessionsIn(log, dap), ["1 adapter", "1 client", "1 adapter", "1 adapter"]);
  // The end of an earlier session does not.
  const end = one(dapEvent(70, "terminated"));
  assert.deepEqual(await sessionsIn(`<-- ${end}\n--> ${ask}\n<-- ${answer}\n`, dap), [
    "1 adapter",
    "2 client",
    "2 adapter",
  ]);
});

const others: readonly (readonly [
  about: string,
  log: string,
  reason: RegExp,
  protocol?: Protocol,
])[] = [
  [
    "a server",
    '{"level":30,"req":{"id":1,"method":"GET"},"msg":"x"}\n{"level":30,"type":"event","event":"click"}\n',
    /It contains 2 objects, but the Debug Adapter Protocol does not define messages such as "click"/,
  ],
  [
    "an audit",
    '{"kind":"Event","verb":"get","message":{"type":"request"}}\n',
    /It contains 1 object, but none is a request, an event or a response. The first has the fields "kind", "verb", "message"/,
  ],
  [
    "a blockchain",
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}\n{"jsonrpc":"2.0","id":1,"result":"0x"}\n',
    /does not define messages such as "eth_call"/,
    acp,
  ],
  [
    "a player",
    Array.from(
      { length: 9 },
      (_, seq) =>
        `event {"type":"event","event":"${seq === 4 ? "output" : `play${seq}`}","seq":${seq}}\n`,
    ).join(""),
    /does not define messages such as "play0"/,
  ],
  [
    "a web server, whose methods have no domain",
    '{"id":7,"method":"POST","url":"/a","params":{}}\n{"id":7,"result":{}}\n',
    /nothing shows that they are messages of the Chrome DevTools Protocol/,
    cdp,
  ],
  [
    "a model that quotes a message",
    `${one({ choices: [{ message: { role: "assistant", content: ask } }] })}\n`,
    /none is a request, an event or a response/,
  ],
  [
    "maps as Java prints them",
    "Received: {type=request, seq=1.0, command=initialize, arguments={adapterID=x}}\n",
    /\. 1 value in the notation of Java, \{a=b\}, cannot be read, because it has no quotation marks: log them as JSON\./,
  ],
  [
    "maps and structures as Go prints them",
    "recv map[command:initialize seq:1 type:request]\nrecv &{Request:{ProtocolMessage:{Seq:1 Type:request} Command:next} Arguments:{}}\n",
    /\. 2 values in the notation of Go, map\[a:b\] or \{A:b\}, cannot be read/,
  ],
  [
    "only the first line of a recording",
    '{"recording":"wirewright","form":1,"protocol":"dap","version":"1.71.0","roles":["client","adapter"]}\n',
    /^It begins with ".{1,80}"\. It is a recording in which no message can be read$/,
  ],
  ["text", "Hello\nthere\n", /It begins with "Hello"\. It contains no object/],
  [
    "a language server's trace",
    "[Trace - 11:14:25 AM] Sending request 'initialize - (1)'\nParams: {}\n\n[Trace - 11:14:25 AM] Sending request 'textDocument/hover - (2)'\nParams: {}\n",
    /does not define messages such as "textDocument\/hover"\. .* pass --protocol lsp$/,
  ],
  [
    "Sublime Text's panel",
    ":: --> x initialize (1): {'rootUri': None}\n:: --> x textDocument/hover (2): {}\n",
    /^It begins with ":: --> x initialize .* pass --protocol lsp$/,
  ],
  ["an MCP server", `${rpcAsk(1, "tools/call")}\n`, /pass --protocol mcp$/],
  ["a browser", 'x {"id":1,"method":"Page.enable"}\n', /pass --protocol cdp$/],
  [
    "a browser's driver",
    "[1704190510.123][DEBUG]: DevTools WebSocket Command: Page.enable (id=1) (session_id=A) browser {\n}\n",
    /does not define messages such as "Page\.enable".* pass --protocol cdp$/,
  ],
  ["an adapter", `-> ${ask}\n<- ${answer}\n`, /pass --protocol dap$/, mcp],
  [
    "a language server whose messages have the names of an adapter's",
    "[Trace - 11:14:25 AM] Sending request 'initialize - (0)'.\nParams: {\"processId\":1,\"rootUri\":null}\n\n[Trace - 11:14:25 AM] Sending notification 'initialized'.\n",
    /but the first request has no parameters of the Debug Adapter Protocol\. .* pass --protocol lsp$/,
  ],
  [
    "a manual",
    `For example, send ${ask} to the adapter.\nThen the adapter should say ${answer} and you wait.\n`,
    /but the messages are in sentences or tests\. .* 2 messages in a sentence or a test: not counted\./,
  ],
  [
    "a package",
    one({ name: "x", files: ["tools/build.js", "prompts/foo"], note: "jsonrpc and request_seq" }),
    /but none is a request.* If it is a recording of another protocol, name that protocol/,
  ],
  [
    "words with colons in texts",
    'x {"a":"seq: 1, b: 2","c":\'d: "e"\'}\n',
    /The first has the fields "a", "c"\./,
  ],
  [
    "types of Rust in place of names",
    "evt=Request(JsonRpcRequest { jsonrpc: V2, id: Number(1), request: Init { method: InitMethod } })\n",
    /1 value in the notation of Rust, method: AMethod, cannot be read, because it has types/,
  ],
];

for (const [about, log, reason, protocol = dap] of others)
  test(`a log without messages is refused with the reason: ${about}`, async () => {
    await assert.rejects(
      read(log, protocol),
      ({ code, message, hint }: { code: string; message: string; hint: string }) => {
        assert.deepEqual([code, message], ["ERR_JSON", "Cannot find any message in the recording"]);
        assert.match(hint, reason);
        return true;
      },
    );
  });

test("UTF-16 is decoded, with and without a byte order mark, in both orders", async () => {
  const log = `-> ${ask}\n<- ${answer}\n<- ${ready}\n`;
  for (const mark of ["\ufeff", ""]) {
    const little = Buffer.from(mark + log, "utf16le");
    assert.deepEqual(await read(little), session);
    assert.deepEqual(await read(Buffer.from(little).swap16()), session);
  }
});

test("the report says what the words mean, and the user can say so instead", async () => {
  const open = async (senders: Record<string, string>): Promise<unknown> => {
    const chunks = [Buffer.from(`a ${ask}\nb ${answer}\nb ${ready}\nx\n`)];
    const recording = await openRecording([{ name: "x", chunks }], dap, { senders });
    for await (const entry of recording) void entry;
    return recording.log;
  };
  const common = { messages: 3, damaged: 0, otherLines: 1, otherValues: 0, remarks: [] };
  assert.deepEqual(await open({}), {
    ...common,
    sources: [
      { shape: "b", messages: 2, from: "adapter", evidence: "1 response, 1 event" },
      { shape: "a", messages: 1, from: "client", evidence: "1 request" },
    ],
  });
  assert.deepEqual(await open({ b: "client" }), {
    ...common,
    sources: [
      { shape: "b", messages: 2, from: "client", evidence: "as given" },
      { shape: "a", messages: 1, from: "client", evidence: "1 request" },
    ],
  });
});

/** The number of messages and damaged ones, and the errors and warnings, in each case. */
const judged: Readonly<Record<string, string>> = {
  "02-netcoredbg-early-initialized/engine.log": "9 0 schema.deviation opening.early",
  "02-netcoredbg-early-initialized/tag-removed.log": "9 0 schema.deviation opening.early",
  "04-vimspector-log/vimspector.log": "10 0 schema.deviation opening.early",
  "06-php-debug-inspect-log/adapter.log": "12 0 schema.deviation request.unanswered",
  "06-php-debug-inspect-log/class-names-removed.log": "12 0 schema.deviation request.unanswered",
  "08-lldb-stop-hook-on-stdout/adapter-stdout.bin": "3 0 stream.noise schema.deviation",
  "15-lsp4ij-dap-trace/messages-only.log": "15 0 opening.early",
  "15-lsp4ij-dap-trace/older-curly-quotes.log":
    "15 0 opening.early answer.exception-breakpoints frame.unknown",
  "15-lsp4ij-dap-trace/verbose.log":
    "15 0 opening.early answer.exception-breakpoints frame.unknown",
  "18-js-debug-no-launch/arrows.txt": "7 0 start.missing",
  "18-js-debug-no-launch/script-print.log": "7 0 start.missing",
  "18-js-debug-no-launch/send-received.txt": "7 0 start.missing",
  "19-both-directions-in-one-capture/capture-crlf.bin": "9 0",
  "19-both-directions-in-one-capture/capture-lf.txt": "9 0",
  "26-from-client-to-client-with-header/debug.log": "5 0 field.capability filter.unknown",
  "28-malformed-message-dropped-from-log/arrows-markdown.txt": "7 0 message.kind schema.deviation",
  "28-malformed-message-dropped-from-log/arrows-type-Request.txt":
    "7 0 message.kind schema.deviation",
  "28-malformed-message-dropped-from-log/codelldb-no-command.log": "4 0 schema.issue response.name",
  "28-malformed-message-dropped-from-log/no-type.log": "5 0 message.kind",
  "28-malformed-message-dropped-from-log/nvim-no-command.log": "4 0 schema.issue response.name",
  "28-malformed-message-dropped-from-log/plain.jsonl": "7 0 message.kind schema.deviation",
  "29-logs-as-pasted/base-codelldb.log": "11 0 schema.deviation",
  "29-logs-as-pasted/base-dape.log": "8 0 schema.deviation request.capability",
  "29-logs-as-pasted/base-nvim.log": "4 0 schema.issue",
  "29-logs-as-pasted/codelldb-html.log": "11 0 schema.deviation",
  "29-logs-as-pasted/codelldb-smartquotes.log": "11 0 schema.deviation",
  "29-logs-as-pasted/dape-blockquote.log": "8 0 schema.deviation request.capability",
  "29-logs-as-pasted/dape-indented.log": "8 0 schema.deviation request.capability",
  "29-logs-as-pasted/nvim-docker.log": "4 0 schema.issue",
  "29-logs-as-pasted/nvim-fenced.log": "4 0 schema.issue",
  "31-excerpt-with-a-hole/dape-hole-marked.log":
    "60 0 opening.early schema.deviation field.capability disconnect.after",
  "31-excerpt-with-a-hole/dape-hole.log":
    "60 0 opening.early schema.deviation field.capability disconnect.after",
  "31-excerpt-with-a-hole/dape-whole.log":
    "86 0 opening.early field.capability schema.deviation disconnect.request-after disconnect.after",
  "31-excerpt-with-a-hole/lldb-dap-hole.log": "79 0 field.capability",
  "31-excerpt-with-a-hole/lldb-dap-whole.log": "109 0 field.capability schema.deviation",
  "32-nvim-dap-warn-repeats-message/dap.log": "7 0 schema.deviation schema.misspelt number.order",
};

suite("logs from public reports are read whole", { skip: skipWithout("cases/logs") }, () => {
  const folder = shared("cases/logs") ?? "";
  const files = Object.keys(judged);
  test("each log has an expectation", () => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".md"))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    assert.deepEqual(found.sort(), files.sort());
  });
  for (const file of files)
    test(`the log ${file} is read and judged`, async () => {
      const chunks = [readFileSync(join(folder, file))];
      const recording = await openRecording([{ name: file, chunks }], dap);
      const { messages, findings, log } = await judgeRecording(recording, dap, {
        name: file,
        profile: "wire",
        rules,
        host: undefined,
        severities: new Map(),
      });
      const serious = findings.filter(({ severity }) => severity !== "info");
      assert.equal(
        [messages, log?.damaged ?? 0, ...new Set(serious.map(({ rule }) => rule))].join(" "),
        judged[file],
      );
    });
});

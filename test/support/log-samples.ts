import type { RecordedEntry } from "../../sessions/read/recorded-entry.js";

/** A log as one particular program writes it, and the messages in it. */
export interface LogSample {
  /** The program, library or tool. */
  readonly writer: string;
  readonly about: string;
  /** Name of the protocol. Default: `dap`. */
  readonly protocol?: string;
  readonly log: string;
  readonly entries: readonly RecordedEntry[];
}

/** The messages in the samples, and how logs write them. */
const threads = { type: "request", command: "threads" };
const opening = { seq: 1, type: "request", command: "initialize" };
const ask = (seq: number): object => ({ seq, ...threads });
const answerWithoutNumber = {
  type: "response",
  request_seq: 1,
  success: true,
  command: "threads",
};
const answer = { seq: 0, ...answerWithoutNumber };
const stopped = { seq: 3, type: "event", event: "stopped", body: { reason: 'a "b" {\\' } };
const own = { seq: 4, type: "event", event: "mine" };
const one = (value: object): string => JSON.stringify(value);
const several = (value: object, indent = ""): string =>
  JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`);
const cut = { code: "ERR_LOST", message: "A logged message is incomplete" };
const broken = { code: "ERR_LOST", message: "Cannot read a logged message" };

/** Logs of many programs. */
export const logSamples: readonly LogSample[] = [
  {
    writer: "official-library",
    about: "with times, over midnight, among lines of the adapter",
    log: `2026-11-22, 23:59:59.000 UTC
[23:59:59.500 UTC] From client: threads(undefined)
[23:59:59.501 UTC] Spawned a program: {"seq":7}
[00:00:00.250 UTC] To client: ${one(answer)}
[00:00:00.300 UTC] From client: next({"threadId":1,"x":"({\\""})
[00:00:00.400 UTC] To client: "runInTerminal"({"args":["a)"]}), timeout: 5000
[00:00:00.500 UTC] To client: {"seq":0,"type":"event","event":"output","body":{"output":"<output not logged>"}}
`,
    entries: [
      { from: "client", time: 0, line: 2, message: threads, unknown: ["/seq"] },
      { from: "adapter", time: 750, line: 4, message: answerWithoutNumber, unknown: ["/seq"] },
      {
        from: "client",
        time: 800,
        line: 5,
        unknown: ["/seq"],
        message: { type: "request", command: "next", arguments: { threadId: 1, x: '({"' } },
      },
      {
        from: "adapter",
        time: 900,
        line: 6,
        unknown: ["/seq"],
        message: { type: "request", command: "runInTerminal", arguments: { args: ["a)"] } },
      },
      {
        from: "adapter",
        time: 1000,
        line: 7,
        unknown: ["/seq", "/body/output"],
        message: { type: "event", event: "output", body: { output: "<output not logged>" } },
      },
    ],
  },
  {
    writer: "official-library",
    about: "without times, whole messages, damaged lines",
    log: `From client: ${one(ask(1))}\nTo client: ${one(own)}\nFrom client: x([1])\nFrom client: y({"a)\nTo client: {]}\nTo client: nothing\nto client: {}\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: own },
      {
        from: "client",
        line: 3,
        unknown: ["/seq"],
        message: { type: "request", command: "x", arguments: [1] },
      },
      { from: "client", line: 4, fault: { ...cut, sample: 'From client: y({"a)' } },
      { from: "adapter", line: 5, fault: { ...broken, sample: "To client: {]}" } },
    ],
  },
  {
    writer: "debugpy",
    about: "several channels, two clients",
    log: `I+00000.007: Linux
             debugpy 1.8
D+00000.028: Client[1] --> ${several(ask(1), " ".repeat(13))}

D+00000.029: Server[1] <-- ${several(ask(9), " ".repeat(13))}

D+00000.030: /handling #1 request "threads" from Client[1]/
             Capabilities: {
                 "a": true
             }

D+00000.031: /handling #1 request "threads" from Client[1]/
             Client[1] <-- ${several(answer, " ".repeat(13))}

D+00002.031: Client[2] <-- ${several(stopped, " ".repeat(13))}
`,
    entries: [
      { from: "client", time: 0, line: 3, message: ask(1) },
      { from: "adapter", time: 3, line: 21, message: answer },
      { from: "adapter", time: 2003, line: 29, session: 2, message: stopped },
    ],
  },
  {
    writer: "lldb-vscode",
    about: "without times",
    log: `<-- \nContent-Length: 9\r\n\r\n${one({ ...own, event: "output" })}\n--> \nContent-Length: 9\r\n\r\n${one(opening)}\n<-- \nContent-Length: 1\r\n\r\n${one(answer)}\n`,
    entries: [
      { from: "client", line: 5, message: opening },
      { from: "adapter", line: 9, message: answer },
    ],
  },
  {
    writer: "lldb-vscode",
    about: "an excerpt that begins with messages of the adapter",
    log: `<-- \nContent-Length: 9\r\n\r\n${one(own)}\n<-- \nContent-Length: 1\r\n\r\n${one(answer)}\n--> \nContent-Length: 9\r\n\r\n${one(ask(2))}\n`,
    entries: [
      { from: "adapter", line: 1, message: own },
      { from: "adapter", line: 5, message: answer },
      { from: "client", line: 9, message: ask(2) },
    ],
  },
  {
    writer: "lldb-vscode",
    about: "a truncated file: NUL bytes and the end of a message",
    log: `${"\0".repeat(5000)}  "command": "x"\n}\n1795346577.337441444 --> \nContent-Length: 1\r\n\r\n${several(ask(1))}\n1795346578.340019464 <-- \nContent-Length: 2\r\n\r\n${several(stopped)}\n1795346578.440019464 <-- \nContent-Length: 2\r\n\r\n{\n  "seq": 1,`,
    entries: [
      { from: "client", time: 0, line: 3, message: ask(1) },
      { from: "adapter", time: 1002.578, line: 11, message: stopped },
      { from: "adapter", time: 1102.578, line: 22, fault: { ...cut, sample: '{\n  "seq": 1,' } },
    ],
  },
  {
    writer: "lldb-vscode",
    about: "with clients",
    log: `1795346577.337441444 stdin/stdout --> \nContent-Length: 9\r\n\r\n${several(ask(1))}\n1795346578.340019464 (stdio) <-- \nContent-Length: 1\r\n\r\n${one(answer)}\n`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      { from: "adapter", time: 1002.578, line: 9, message: answer },
    ],
  },
  {
    writer: "lldb-dap",
    about: "with seconds, and with or without clients",
    log: `1795346577.337441444 (stdio) --> ${one(ask(1))}
1795346578.340019464 <-- ${one(answer)}
`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      { from: "adapter", time: 1002.578, line: 2, session: 2, message: answer },
    ],
  },
  {
    writer: "lldb-dap",
    about: "two clients",
    log: `[11:05:26.859] (stdio) --> ${one(ask(1))}
[11:05:26.860] DAP.cpp:1000 (stdio) queued (command=threads seq=1)
[11:05:26.861] (stdio) <-- ${one(answer)}
[11:05:26.862] DAP.cpp:7 (client_2) <-- ${one(own)}
`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      { from: "adapter", time: 2, line: 3, message: answer },
      { from: "adapter", time: 3, line: 4, session: 2, message: own },
    ],
  },
  {
    writer: "delve",
    about: "with output of the program",
    log: `DAP server listening at: 127.0.0.1:47102
2026-11-22T11:06:51Z debug layer=dap DAP server pid = 32554
2026-11-22T11:06:52Z debug layer=dap parsed launch config: {
\t"mode": "exec"
}
2026-11-22T11:06:53Z debug layer=dap [<- from client]{"seq":1,"type":"request","command":"stackTrace","arguments":{"threadId":1,"format":{},"source":{"path":""}}}
{"seq":1,"type":"event","event":"initialized"}
2024-01-01T00:00:00Z [-> to client]{"seq":1,"type":"event","event":"initialized"}
debug layer=dap [-> to client]{"seq":1,"type":"event","event":"initialized"}
2026-11-22T11:06:54Z debug layer=dap [-> to client]${one(answer)}
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 6,
        message: {
          seq: 1,
          type: "request",
          command: "stackTrace",
          arguments: { threadId: 1, format: {}, source: { path: "" } },
        },
        unknown: [
          "/arguments/format",
          ...["hex", "parameters", "parameterTypes", "parameterNames", "parameterValues"].map(
            (name) => `/arguments/format/${name}`,
          ),
          ...["line", "module", "includeAll"].map((name) => `/arguments/format/${name}`),
          "/arguments/source/path",
          "/arguments/startFrame",
          "/arguments/levels",
        ],
      },
      { from: "adapter", time: 1000, line: 10, message: answer },
    ],
  },
  {
    writer: "delve",
    about: "an excerpt with a hole, and an earlier session below a later one",
    log: `2026-11-22T11:06:52Z debug layer=dap [<- from client]${one(ask(1))}
2026-11-22T11:06:53Z debug layer=dap [<- from client]${one(ask(40))}
2026-11-22T11:06:54Z debug layer=dap [-> to client]${one(answer)}
and before:
2026-11-22T11:06:50Z debug layer=dap [<- from client]${one(ask(7))}
2026-11-22T11:06:51Z debug layer=dap [-> to client]${one(stopped)}
`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      {
        from: "client",
        time: 1000,
        line: 2,
        message: ask(40),
        missing: "the client's numbers jump from 1 to 40",
      },
      { from: "adapter", time: 2000, line: 3, message: answer },
      { from: "client", time: -2000, line: 5, message: ask(7) },
      { from: "adapter", time: -1000, line: 6, message: stopped },
    ],
  },
  {
    writer: "gdb",
    about: "among commands and their output",
    log: `GDB main: starting DAP server
+++ show version
>>> GNU gdb
READ: <<<${one(ask(1))}>>>
WROTE: <<<${one(answerWithoutNumber)}>>>
WROTE: <<<${one(own)}>>>
`,
    entries: [
      { from: "client", line: 4, message: ask(1) },
      { from: "adapter", line: 5, message: answerWithoutNumber, unknown: ["/seq"] },
      { from: "adapter", line: 6, message: own },
    ],
  },
  {
    writer: "rdbg",
    about: "a line of the program has another process",
    log: `DEBUGGER: Connected.
#13205:[>] ${one(ask(1))}
DEBUGGER (INFO): readline: {"seq"=>6}
#1:[<] ${one(own)}
#13205:[<] ${one(answer)}
x #13205:[<] ${one(own)}
#13205:[>] {"printed":"by the program"}
#13205:[<] ${one({ ...own, seq: 99 })}
#13205:[>] ${one(ask(40))}
`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 4, session: 2, message: own },
      { from: "adapter", line: 5, message: answer },
      { from: "adapter", line: 8, message: { ...own, seq: 99 } },
      {
        from: "client",
        line: 9,
        message: ask(40),
        missing: "the client's numbers jump from 1 to 40",
      },
    ],
  },
  {
    writer: "js-debug",
    about: "with messages of the runtime",
    log: `{"tag":"runtime.welcome","timestamp":1600000000000,"message":"js-debug","level":2}
{"tag":"dap.receive","timestamp":1600000000100,"metadata":{"connectionId":0,"message":${one(ask(1))}},"level":0}
{"tag":"cdp.send","timestamp":1600000000101,"metadata":{"connectionId":0,"message":{"id":1,"method":"x"}},"level":0}
{"tag":"dap.send","timestamp":1600000000102,"metadata":{"connectionId":1,"message":${one(own)}},"level":0}
`,
    entries: [
      { from: "client", time: 0, line: 2, message: ask(1) },
      { from: "adapter", time: 2, line: 4, session: 2, message: own },
    ],
  },
  {
    writer: "cpptools",
    about: "arrows that messages explain",
    log: `1: (10) <--   C (threads-1): ${one(ask(1))}
1: (12) ->some text
--> R (threads-1): ${one(answer)}
-->   E (mine): ${one(own)}
`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 3, message: answer },
      { from: "adapter", line: 4, message: own },
    ],
  },
  {
    writer: "jsonrpc-el",
    about: "dape",
    log: `[jsonrpc] e[11:26:09.972] --> threads[1] ${one(ask(1))}
[jsonrpc] D[11:26:10.000] Connection state change: {"a":1}
[jsonrpc] e[11:26:10.054] <-- mine ${one(own)}
`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      { from: "adapter", time: 82, line: 3, message: own },
    ],
  },
  {
    writer: "zed",
    about: "a label above several messages",
    log: `// Send:\n${several(ask(1))}\n\n// Receive:\n${one(answer)}\n${one(own)}\n{"not":"one"}\n`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 9, message: answer },
      { from: "adapter", line: 10, message: own },
    ],
  },
  {
    writer: "tracker",
    about: "arrows, on one line and on several",
    log: `Extension started\n> ${several(ask(1))}\n< ${one(answer)}\n[info] <- ${one(stopped)}\n< ${one(own)}\n> {"not":"one"}\n`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 7, message: answer },
      { from: "adapter", line: 8, message: stopped },
      { from: "adapter", line: 9, message: own },
    ],
  },
  {
    writer: "tracker",
    about: "names of the methods, and messages without any mark",
    log: `[x] onWillReceiveMessage: ${one(ask(1))}\nonDidSendMessage ${several(own)}\n${several(stopped)}\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: own },
      { from: "adapter", line: 7, message: stopped },
    ],
  },
  {
    writer: "tracker",
    about: "objects as JavaScript prints them",
    log: `INFO [1/9/2024, 12:17:46 PM]: DAP onWillReceiveMessage: {
  command: 'threads',
  arguments: { name: "it's {", 'a-b': [ 1, -2.5, null ], deep: { x: [Object], y: [Array], z: undefined } },
  type: 'request',
  seq: 1
}
INFO [1/9/2024, 12:17:46 PM]: DAP event: {
  seq: 4,
  type: 'event',
  event: 'stopped',
  body: { text: 'one\\n' +
    'two', ids: [ 1, ... 3 more items ] }
}
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 1,
        message: {
          command: "threads",
          arguments: { name: "it's {", "a-b": [1, -2.5, null], deep: { x: {}, y: [] } },
          type: "request",
          seq: 1,
        },
        unknown: ["/arguments/deep/x", "/arguments/deep/y"],
      },
      {
        from: "adapter",
        time: 0,
        line: 7,
        message: {
          seq: 4,
          type: "event",
          event: "stopped",
          body: { text: "one\ntwo", ids: [1] },
        },
        unknown: ["/body/ids"],
      },
    ],
  },
  {
    writer: "tracker",
    about: "words before messages, on their line or on the one before",
    log: `[debug] send: ${one(ask(1))}\n[debug] read ${one(answer)}\nreceived: ${one(own)}\nSending: \n${several(ask(2))}\nReceived:\n${several(stopped)}\n<- threadsRequest\n{ seq: 3, type: 'request', command: 'threads' }\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: answer },
      { from: "adapter", line: 3, message: own },
      { from: "client", line: 5, message: ask(2) },
      { from: "adapter", line: 11, message: stopped },
      { from: "client", line: 20, message: ask(3) },
    ],
  },
  {
    writer: "nvim-dap",
    about: "among other tables",
    log: `[START] 2026-01-01
[DEBUG] 2026-11-22 11:22:23 dap/session.lua:1533\t"Spawning debug adapter"\t{
  args = { "{" }
}
[DEBUG] 2026-11-22 11:22:23 dap/session.lua:1872\t"request"\t{
  command = "threads",
  seq = 1,
  type = "request"
}
[WARN] 2026-11-22 11:22:23 dap/session.lua:1109\t"No event handler for "\t{
  event = "mine",
  seq = 9,
  type = "event"
}
[DEBUG] 2026-11-22 11:22:24 dap/session.lua:1068\t1\t{
  event = "mine",
  seq = 4,
  type = "event"
}
`,
    entries: [
      { from: "client", time: 0, line: 5, message: ask(1) },
      { from: "adapter", time: 1000, line: 15, message: own },
    ],
  },
  {
    writer: "language-client",
    about: "errors below results, and how long they took",
    protocol: "acp",
    log: `[Trace - 11:14:25 AM] Sending request 'initialize - (1)'
Params: {
  "protocolVersion": 1
}


[Trace - 11:14:25 AM] Received response 'initialize - (1)' in 8ms
Result: {}
Error: null


[Trace - 11:14:25 AM] Sending request 'session/new - (2)'
Params: {}


[Trace - 11:14:26 AM] Received response 'session/new - (2)' in 12ms
Result: null
Error: {
  "code": -32603,
  "message": "Internal error."
}
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 2,
        message: { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
      },
      { from: "agent", time: 8, line: 8, message: { jsonrpc: "2.0", id: 1, result: {} } },
      {
        from: "client",
        time: 8,
        line: 13,
        message: { jsonrpc: "2.0", id: 2, method: "session/new", params: {} },
      },
      {
        from: "agent",
        time: 20,
        line: 18,
        message: { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error." } },
      },
    ],
  },
  {
    writer: "chromedriver",
    about: "commands over several lines, in two sessions",
    protocol: "cdp",
    log: `[1704190510.100][INFO]: COMMAND InitSession {
   "a": 1
}
[1704190510.100][DEBUG]: DevTools WebSocket Command: Page.enable (id=1) (session_id=) browser {
}
[1704190510.200][DEBUG]: DevTools WebSocket Event: Page.loaded (session_id=B7) browser {
   "timestamp": 1.5
}
[1704190510.350][DEBUG]: DevTools WebSocket Response: Page.enable (id=1) (session_id=) browser {
}
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 4,
        unknown: ["/sessionId"],
        message: { id: 1, method: "Page.enable", params: {} },
      },
      {
        from: "browser",
        time: 100,
        line: 6,
        session: 2,
        unknown: ["/sessionId"],
        message: { method: "Page.loaded", params: { timestamp: 1.5 } },
      },
      {
        from: "browser",
        time: 250,
        line: 9,
        unknown: ["/sessionId"],
        message: { id: 1, result: {} },
      },
    ],
  },
  {
    writer: "sublime-lsp",
    about: "requests, notifications and failures of two servers",
    protocol: "acp",
    log: `:: [12:00:00.100] --> one initialize (1): {'protocolVersion': 1, 'x': None}
:: [12:00:00.100] --> two initialize (1): {'protocolVersion': 1, 'x': None}
:: [12:00:00.123] <<< one (1) (duration: 23ms): {'protocolVersion': 1}
:: [12:00:00.124] -> one session/cancel: {}
:: [12:00:00.125] <-- one fs/read_text_file (0): {'path': 'x'}
:: [12:00:00.126] >>> one (0): None
:: [12:00:00.127] <- one session/update: {'list': [None, True]}
:: [12:00:00.128] <~~ two (1) (duration: 28ms): {'code': -32603, 'message': 'No'}
:: [12:00:00.130] -> one exit
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 1,
        message: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: 1, x: null },
        },
      },
      {
        from: "client",
        time: 0,
        line: 2,
        session: 2,
        message: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: 1, x: null },
        },
      },
      {
        from: "agent",
        time: 23,
        line: 3,
        message: { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } },
      },
      {
        from: "client",
        time: 24,
        line: 4,
        message: { jsonrpc: "2.0", method: "session/cancel", params: {} },
      },
      {
        from: "agent",
        time: 25,
        line: 5,
        message: { jsonrpc: "2.0", id: 0, method: "fs/read_text_file", params: { path: "x" } },
      },
      { from: "client", time: 26, line: 6, message: { jsonrpc: "2.0", id: 0, result: null } },
      {
        from: "agent",
        time: 27,
        line: 7,
        message: { jsonrpc: "2.0", method: "session/update", params: { list: [null, true] } },
      },
      {
        from: "agent",
        time: 28,
        line: 8,
        session: 2,
        message: { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "No" } },
      },
      { from: "client", time: 30, line: 9, message: { jsonrpc: "2.0", method: "exit" } },
    ],
  },
  {
    writer: "language-client",
    about: "requests, notifications and failures",
    protocol: "acp",
    log: `[Trace - 11:59:59 AM] Sending request 'initialize - (0)'.
Params: {
    "protocolVersion": 1
}


[Trace - 12:00:01 PM] Received response 'initialize - (0)' in 125ms.
Result: {
    "protocolVersion": 1
}


[Trace - 12:00:02 PM] Sending notification 'session/cancel'.
No parameters provided.

[Trace - 12:00:03 PM] Received request 'fs/read_text_file - (a-1)'.
Params: {"path":"x"}


[Trace - 12:00:04 PM] Sending response 'fs/read_text_file - (a-1)'. Processing request took 1ms
No result returned.

[Trace - 12:00:05 PM] Received response 'session/new - (1)' in 2ms. Request failed: No (such) thing (-32601).
`,
    entries: [
      {
        from: "client",
        time: 0,
        line: 2,
        message: { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
      },
      {
        from: "agent",
        time: 2000,
        line: 8,
        message: { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } },
      },
      {
        from: "client",
        time: 3000,
        line: 14,
        message: { jsonrpc: "2.0", method: "session/cancel" },
        unknown: ["/params"],
      },
      {
        from: "agent",
        time: 4000,
        line: 17,
        message: {
          jsonrpc: "2.0",
          id: "a-1",
          method: "fs/read_text_file",
          params: { path: "x" },
        },
      },
      {
        from: "client",
        time: 5000,
        line: 21,
        message: { jsonrpc: "2.0", id: "a-1", result: null },
        unknown: ["/result"],
      },
      {
        from: "agent",
        time: 6000,
        line: 23,
        message: {
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32601, message: "No (such) thing" },
        },
        unknown: ["/error/data"],
      },
    ],
  },
  {
    writer: "language-inspector",
    about: "with and without a prefix",
    protocol: "acp",
    log: `[LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-notification","message":{"jsonrpc":"2.0","method":"session/cancel"},"timestamp":1517225932000}
{"isLSPMessage":true,"type":"receive-response","message":{"jsonrpc":"2.0","id":1,"result":null},"timestamp":1517225932010}
[LSP   - 10:00:00 AM] text
`,
    entries: [
      { from: "client", time: 0, line: 1, message: { jsonrpc: "2.0", method: "session/cancel" } },
      { from: "agent", time: 10, line: 2, message: { jsonrpc: "2.0", id: 1, result: null } },
    ],
  },
];

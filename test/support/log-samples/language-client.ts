import type { LogSample } from "./log-sample.js";

export const languageClientLogs: readonly LogSample[] = [
  {
    format: "language-client",
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
];

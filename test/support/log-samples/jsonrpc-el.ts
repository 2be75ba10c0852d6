import type { LogSample } from "./log-sample.js";
import { ask, own, one } from "./logged-messages.js";

export const jsonrpcElLogs: readonly LogSample[] = [
  {
    format: "jsonrpc-el",
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
];

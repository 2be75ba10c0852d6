import type { LogSample } from "./log-sample.js";
import { ask, own, one, answerWithoutNumber } from "./logged-messages.js";

export const gdbLogs: readonly LogSample[] = [
  {
    format: "gdb",
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
];

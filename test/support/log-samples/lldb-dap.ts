import type { LogSample } from "./log-sample.js";
import { ask, answer, own, one } from "./logged-messages.js";

export const lldbDapLogs: readonly LogSample[] = [
  {
    format: "lldb-dap",
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
    format: "lldb-dap",
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
];

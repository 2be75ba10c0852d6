import type { LogSample } from "./log-sample.js";
import { ask, answer, stopped, several } from "./logged-messages.js";

export const debugpyLogs: readonly LogSample[] = [
  {
    format: "debugpy",
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
];

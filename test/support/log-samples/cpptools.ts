import type { LogSample } from "./log-sample.js";
import { ask, answer, own, one } from "./logged-messages.js";

export const cpptoolsLogs: readonly LogSample[] = [
  {
    format: "cpptools",
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
];

import type { LogSample } from "./log-sample.js";
import { ask, answer, own, one, several } from "./logged-messages.js";

export const zedLogs: readonly LogSample[] = [
  {
    format: "zed",
    about: "a label above several messages",
    log: `// Send:\n${several(ask(1))}\n\n// Receive:\n${one(answer)}\n${one(own)}\n{"not":"one"}\n`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 9, message: answer },
      { from: "adapter", line: 10, message: own },
    ],
  },
];

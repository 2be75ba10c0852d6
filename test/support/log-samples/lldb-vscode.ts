import type { LogSample } from "./log-sample.js";
import { ask, answer, own, stopped, one, several, cut } from "./logged-messages.js";

export const lldbVscodeLogs: readonly LogSample[] = [
  {
    format: "lldb-vscode",
    about: "without times",
    log: `<-- \nContent-Length: 9\r\n\r\n${one({ ...own, event: "output" })}\n--> \nContent-Length: 9\r\n\r\n${one(ask(1))}\n<-- \nContent-Length: 1\r\n\r\n${one(answer)}\n`,
    entries: [
      { from: "client", line: 5, message: ask(1) },
      { from: "adapter", line: 9, message: answer },
    ],
  },
  {
    format: "lldb-vscode",
    about: "a truncated file: NUL bytes and the end of a message",
    log: `${"\0".repeat(5000)}  "command": "x"\n}\n1795346577.337441444 --> \nContent-Length: 1\r\n\r\n${several(ask(1))}\n1795346578.340019464 <-- \nContent-Length: 2\r\n\r\n${several(stopped)}\n1795346578.440019464 <-- \nContent-Length: 2\r\n\r\n{\n  "seq": 1,`,
    entries: [
      { from: "client", time: 0, line: 3, message: ask(1) },
      { from: "adapter", time: 1002.578, line: 11, message: stopped },
      { from: "adapter", time: 1102.578, line: 22, fault: cut },
    ],
  },
  {
    format: "lldb-vscode",
    about: "with clients",
    log: `1795346577.337441444 stdin/stdout --> \nContent-Length: 9\r\n\r\n${several(ask(1))}\n1795346578.340019464 (stdio) <-- \nContent-Length: 1\r\n\r\n${one(answer)}\n`,
    entries: [
      { from: "client", time: 0, line: 1, message: ask(1) },
      { from: "adapter", time: 1002.578, line: 9, message: answer },
    ],
  },
];

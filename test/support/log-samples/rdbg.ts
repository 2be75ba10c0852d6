import type { LogSample } from "./log-sample.js";
import { ask, answer, own, one } from "./logged-messages.js";

export const rdbgLogs: readonly LogSample[] = [
  {
    format: "rdbg",
    about: "a line of the program has another process",
    log: `DEBUGGER: Connected.
#13205:[>] ${one(ask(1))}
DEBUGGER (INFO): readline: {"seq"=>6}
#1:[<] ${one(own)}
#13205:[<] ${one(answer)}
x #13205:[<] ${one(own)}
#13205:[>] {"printed":"by the program"}
#13205:[<] ${one({ ...own, seq: 99 })}
#13205:[>] ${one(ask(1))}
#13205:[>] ${one(ask(2))}
`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 4, session: 2, message: own },
      { from: "adapter", line: 5, message: answer },
      { from: "client", line: 9, message: ask(1) },
      { from: "client", line: 10, message: ask(2) },
    ],
  },
];

import type { LogSample } from "./log-sample.js";
import { ask, own, one } from "./logged-messages.js";

export const jsDebugLogs: readonly LogSample[] = [
  {
    format: "js-debug",
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
];

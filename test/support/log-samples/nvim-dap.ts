import type { LogSample } from "./log-sample.js";
import { ask, own } from "./logged-messages.js";

export const nvimDapLogs: readonly LogSample[] = [
  {
    format: "nvim-dap",
    about: "among other tables",
    log: `[START] 2026-01-01
[DEBUG] 2026-11-22 11:22:23 dap/session.lua:1533\t"Spawning debug adapter"\t{
  args = { "{" }
}
[DEBUG] 2026-11-22 11:22:23 dap/session.lua:1872\t"request"\t{
  command = "threads",
  seq = 1,
  type = "request"
}
[WARN] 2026-11-22 11:22:23 dap/session.lua:1109\t"No event handler for "\t{
  event = "mine",
  seq = 9,
  type = "event"
}
[DEBUG] 2026-11-22 11:22:24 dap/session.lua:1068\t1\t{
  event = "mine",
  seq = 4,
  type = "event"
}
`,
    entries: [
      { from: "client", time: 0, line: 5, message: ask(1) },
      { from: "adapter", time: 1000, line: 15, message: own },
    ],
  },
];

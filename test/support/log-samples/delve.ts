import type { LogSample } from "./log-sample.js";
import { answer, one } from "./logged-messages.js";

export const delveLogs: readonly LogSample[] = [
  {
    format: "delve",
    about: "with output of the program, older than the log",
    log: `DAP server listening at: 127.0.0.1:47102
2026-11-22T11:06:51Z debug layer=dap DAP server pid = 32554
2026-11-22T11:06:52Z debug layer=dap parsed launch config: {
\t"mode": "exec"
}
2026-11-22T11:06:53Z debug layer=dap [<- from client]{"seq":1,"type":"request","command":"stackTrace","arguments":{"threadId":1,"format":{},"source":{"path":""}}}
{"seq":1,"type":"event","event":"initialized"}
2024-01-01T00:00:00Z debug layer=dap [-> to client]{"seq":1,"type":"event","event":"initialized"}
9999-99-99T00:00:00Z debug layer=dap [-> to client]{"seq":1,"type":"event","event":"initialized"}
2026-11-22T11:06:54Z debug layer=dap [-> to client]${one(answer)}
`,
    entries: [
      {
        from: "client",
        time: 2000,
        line: 6,
        message: {
          seq: 1,
          type: "request",
          command: "stackTrace",
          arguments: { threadId: 1, format: {}, source: { path: "" } },
        },
        unknown: [
          "/arguments/format",
          "/arguments/source/path",
          "/arguments/startFrame",
          "/arguments/levels",
          ...["hex", "parameters", "parameterTypes", "parameterNames", "parameterValues"].map(
            (name) => `/arguments/format/${name}`,
          ),
          ...["line", "module", "includeAll"].map((name) => `/arguments/format/${name}`),
        ],
      },
      { from: "adapter", time: 3000, line: 10, message: answer },
    ],
  },
];

import type { LogSample } from "./log-sample.js";

export const languageInspectorLogs: readonly LogSample[] = [
  {
    format: "language-inspector",
    about: "with and without a prefix",
    protocol: "acp",
    log: `[LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-notification","message":{"jsonrpc":"2.0","method":"x"},"timestamp":1517225932000}
{"isLSPMessage":true,"type":"receive-response","message":{"jsonrpc":"2.0","id":1,"result":null},"timestamp":1517225932010}
[LSP   - 10:00:00 AM] text
`,
    entries: [
      { from: "client", time: 0, line: 1, message: { jsonrpc: "2.0", method: "x" } },
      { from: "agent", time: 10, line: 2, message: { jsonrpc: "2.0", id: 1, result: null } },
    ],
  },
];

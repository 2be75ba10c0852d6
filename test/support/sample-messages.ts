/**
 * Initial messages by package: one message of each kind, and messages with mistakes common in real
 * peers.
 */
const messages: Readonly<Record<string, readonly object[]>> = {
  dap: [
    {
      seq: 1,
      type: "request",
      command: "initialize",
      arguments: { adapterID: "a", linesStartAt1: true, pathFormat: "path" },
    },
    {
      seq: 2,
      type: "request",
      command: "setBreakpoints",
      arguments: { source: { path: "/a", sources: [{ name: "b" }] }, breakpoints: [{ line: 1 }] },
    },
    {
      seq: 3,
      type: "response",
      request_seq: 1,
      success: true,
      command: "initialize",
      body: { supportsConfigurationDoneRequest: true, exceptionBreakpointFilters: [] },
    },
    {
      seq: 4,
      type: "response",
      request_seq: 2,
      success: false,
      command: "threads",
      message: "cancelled",
      body: { error: { id: 1, format: "no {a}", variables: { a: "b" } } },
    },
    {
      seq: 5,
      type: "response",
      request_seq: 2,
      success: true,
      command: "threads",
      body: { threads: [{ id: 1, name: "main" }] },
    },
    {
      seq: 6,
      type: "event",
      event: "stopped",
      body: { reason: "breakpoint", threadId: 1, hitBreakpointIds: [1] },
    },
    { seq: 7, type: "event", event: "initialized" },
    {
      seq: 8,
      type: "request",
      command: "runInTerminal",
      arguments: { cwd: "/", args: ["a"], env: { A: "b", B: null } },
    },
    { seq: 9, type: "event", event: "output", body: { output: "a", category: "stdout", line: 1 } },
    {
      seq: 10,
      type: "response",
      request_seq: 2,
      success: true,
      command: "variables",
      body: {
        variables: [
          {
            name: "a",
            value: "1",
            variablesReference: 0,
            namedVariables: 2147483647,
            presentationHint: { kind: "property", attributes: ["static"], visibility: "public" },
          },
        ],
      },
    },
    { seq: 11, type: "request", command: "restart", arguments: { arguments: {} } },
    { seq: "12", type: "event", event: "custom", body: 1 },
    { seq: 0, type: "response", request_seq: 0, success: false, command: "next" },
    { seq: 13, type: "request", command: "custom/thing", arguments: null },
  ],
  "acp-breakpoints": [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: "a", method: "session/new", params: { cwd: "/", mcpServers: [] } },
    { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentCapabilities: {} } },
    { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no", data: {} } },
    {
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "a",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } },
      },
    },
    { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "a" } },
    { jsonrpc: "2.0", id: 2, result: null },
    { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } },
  ],
  sqltools: [
    { jsonrpc: "2.0", id: "1", method: "connection/connect", params: { ownerUri: "a" } },
    { jsonrpc: "2.0", id: 1, method: "query/executeString", params: { query: "a", ownerUri: "b" } },
    { jsonrpc: "2.0", method: "connection/complete", params: { ownerUri: "a", connectionId: "b" } },
    { jsonrpc: "2.0", id: 1, result: true },
    { jsonrpc: "2.0", id: 1, error: { code: 0, message: "a" } },
    { Method: "connection/connect", Id: 1, Params: { OwnerUri: "a" } },
    { method: "query/complete", params: { ownerUri: "a", batchSummaries: [{ id: 0 }] } },
  ],
  "ruby-debug-ide": [
    { command: "break", arguments: { location: "a.rb:1", condition: "x" } },
    { command: "next", arguments: { count: 1 } },
    { element: "suspended", body: { file: "a", line: 1, threadId: 1, frames: 1 } },
    { element: "variables", body: { variables: [{ name: "a", kind: "local", value: "1" }] } },
    { element: "breakpointAdded", body: { no: 1, location: "a.rb:1" } },
    { element: "#text", body: { text: "a" } },
    { element: "message", body: { text: "a", debug: true } },
  ],
};

export function sampleMessages(name: string): readonly object[] {
  return messages[name] ?? [];
}

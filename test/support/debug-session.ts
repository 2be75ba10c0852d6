/** A debug session with messages of both sides, some of which either side might send. */
export const debugSession: readonly (readonly [from: string, message: Record<string, unknown>])[] =
  [
    [
      "client",
      request(1, "initialize", { adapterID: "a", pathFormat: "path", linesStartAt1: true }),
    ],
    ["adapter", response(1, 1, "initialize", { supportsConfigurationDoneRequest: true })],
    [
      "client",
      request(2, "launch", { program: '/w/it\'s "here"', env: { A: "{" }, args: ["[x", "->"] }),
    ],
    ["adapter", event(2, "initialized")],
    [
      "client",
      request(3, "setBreakpoints", {
        source: { path: "C:\\w\\é.c" },
        breakpoints: [{ line: 3 }, { line: 9, condition: "a > 1 && b" }],
      }),
    ],
    [
      "adapter",
      response(3, 3, "setBreakpoints", {
        breakpoints: [
          { verified: true, id: 1 },
          { verified: false, id: 2, message: "none\tthere" },
        ],
      }),
    ],
    ["client", request(4, "configurationDone")],
    ["adapter", response(4, 4, "configurationDone")],
    ["adapter", response(5, 2, "launch")],
    ["adapter", event(6, "process", { name: "a", systemProcessId: 41, startMethod: "launch" })],
    ["adapter", event(7, "output", { category: "stdout", output: "To client: { x\n" })],
    [
      "adapter",
      event(8, "stopped", { reason: "breakpoint", threadId: 1, allThreadsStopped: true }),
    ],
    ["client", request(5, "threads")],
    ["adapter", response(9, 5, "threads", { threads: [{ id: 1, name: "main" }] })],
    ["client", request(6, "evaluate", { expression: "[1, 2].map(x => { return x })" })],
    ["adapter", { ...response(10, 6, "evaluate"), success: false, message: "Cannot: {" }],
    ["client", request(7, "continue", { threadId: 1 })],
    ["adapter", response(11, 7, "continue", { allThreadsContinued: true })],
    ["client", request(8, "disconnect", { terminateDebuggee: true })],
    ["adapter", response(12, 8, "disconnect")],
  ];

function request(seq: number, command: string, args?: object): Record<string, unknown> {
  return { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) };
}

function response(
  seq: number,
  request_seq: number,
  command: string,
  body?: object,
): Record<string, unknown> {
  const rest = body === undefined ? {} : { body };
  return { seq, type: "response", request_seq, success: true, command, ...rest };
}

function event(seq: number, name: string, body?: object): Record<string, unknown> {
  return { seq, type: "event", event: name, ...(body === undefined ? {} : { body }) };
}

import { dapEvent, dapRequest, dapResponse } from "./dap-messages.js";

/** A debug session with messages of both sides, some of which either side might send. */
export const debugSession: readonly (readonly [from: string, message: Record<string, unknown>])[] =
  [
    [
      "client",
      dapRequest(1, "initialize", { adapterID: "a", pathFormat: "path", linesStartAt1: true }),
    ],
    ["adapter", dapResponse(1, 1, "initialize", { supportsConfigurationDoneRequest: true })],
    [
      "client",
      dapRequest(2, "launch", { program: '/w/it\'s "here"', env: { A: "{" }, args: ["[x", "->"] }),
    ],
    ["adapter", dapEvent(2, "initialized")],
    [
      "client",
      dapRequest(3, "setBreakpoints", {
        source: { path: "C:\\w\\é.c" },
        breakpoints: [{ line: 3 }, { line: 9, condition: "a > 1 && b" }],
      }),
    ],
    [
      "adapter",
      dapResponse(3, 3, "setBreakpoints", {
        breakpoints: [
          { verified: true, id: 1 },
          { verified: false, id: 2, message: "none\tthere" },
        ],
      }),
    ],
    ["client", dapRequest(4, "configurationDone")],
    ["adapter", dapResponse(4, 4, "configurationDone")],
    ["adapter", dapResponse(5, 2, "launch")],
    ["adapter", dapEvent(6, "process", { name: "a", systemProcessId: 41, startMethod: "launch" })],
    ["adapter", dapEvent(7, "output", { category: "stdout", output: "To client: { x\n" })],
    [
      "adapter",
      dapEvent(8, "stopped", { reason: "breakpoint", threadId: 1, allThreadsStopped: true }),
    ],
    ["client", dapRequest(5, "threads")],
    ["adapter", dapResponse(9, 5, "threads", { threads: [{ id: 1, name: "main" }] })],
    ["client", dapRequest(6, "evaluate", { expression: "[1, 2].map(x => { return x })" })],
    ["adapter", { ...dapResponse(10, 6, "evaluate"), success: false, message: "Cannot: {" }],
    ["client", dapRequest(7, "continue", { threadId: 1 })],
    ["adapter", dapResponse(11, 7, "continue", { allThreadsContinued: true })],
    ["client", dapRequest(8, "disconnect", { terminateDebuggee: true })],
    ["adapter", dapResponse(12, 8, "disconnect")],
  ];

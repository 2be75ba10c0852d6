import { root } from "./paths.js";
import { dapEvent, dapRequest, dapResponse } from "./dap-messages.js";
import { recorded } from "./inspector-page.js";
import { runCommand, type Outcome } from "./run-command.js";

export const began = "2026-01-31T12:00:00.000Z";
export const head = {
  recording: "wirewright",
  form: 1,
  protocol: "dap",
  version: "1.71.0",
  began,
  roles: ["client", "adapter"],
};

/** Two sessions, the second of which is a child of the first. */
export const lines = [
  recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" }), 1),
  recorded("adapter", 2.5, dapResponse(1, 1, "initialize", {}), 1),
  recorded("client", 3, dapRequest(2, "launch", { program: "a.out" }), 1),
  recorded("adapter", 4, dapEvent(2, "initialized"), 1),
  recorded("client", 5, dapRequest(3, "threads"), 1),
  recorded("adapter", 6, { ...dapResponse(3, 3, "threads"), success: false, message: "busy" }, 1),
  recorded(
    "adapter",
    7,
    dapRequest(4, "startDebugging", { request: "attach", configuration: { id: 7 } }),
    1,
  ),
  recorded("client", 8, dapRequest(1, "initialize", { adapterID: "a" }), 2),
  recorded("client", 9, dapRequest(2, "attach", { id: 7 }), 2),
  recorded("adapter", 10, dapEvent(1, "stopped", { reason: "pause", threadId: 4 }), 2),
  { kind: "noise", session: 1, time: 11, from: "adapter", text: "oops" },
  recorded("client", 12, dapRequest(3, "continue", { threadId: 4 }), 2),
  recorded("adapter", 14, dapResponse(2, 3, "continue"), 2),
  recorded("adapter", 20, dapEvent(5, "mine", { at: "<&>" }), 1),
];
export const recording = [head, ...lines].map((each) => `${JSON.stringify(each)}\n`).join("");

export const run = (args: readonly string[], input = recording): Outcome =>
  runCommand(root, ["export", "-", ...args], input);

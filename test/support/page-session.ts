import { openProtocol } from "../../cli/index.js";
import { recorded } from "./inspector-page.js";
import { dapRequest, dapResponse, dapEvent } from "./dap-messages.js";

export const dap = await openProtocol("dap", { version: "1.71.0" });

export const session = [
  recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" })),
  recorded("adapter", 1.5, dapResponse(1, 1, "initialize", {})),
  { kind: "noise", from: "adapter", time: 2, text: "oops" },
  recorded("adapter", 3, dapEvent(2, "stopped", { reason: "step", threadId: 1 })),
  recorded("client", 4, dapRequest(2, "threads")),
  recorded("client", 5, dapRequest(3, "stepBack", { threadId: 1 })),
  recorded("adapter", 25, dapResponse(3, 2, "threads", { threads: [{ id: 1, name: "main" }] })),
  recorded("client", 30, dapRequest(4, "threads")),
];

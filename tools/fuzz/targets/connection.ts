import { parseJson } from "../mutate-json.js";
import { OracleFailure, type Target } from "../target.js";
import { sampleMessages } from "./sample-messages.js";
import { Conversation, describe, isStep } from "./conversation.js";
import { behaviours, type Dap } from "./handler-behaviours.js";

/** Scripted conversations over an in-memory transport. */
export const connection: Target = {
  name: "connection",
  about: "a connection, whatever the peer, the transport and the handlers do",
  format: "json",
  mostMs: 2_000,
  work: { base: 1_000_000, perByte: 20_000 },
  tokens: [
    "do",
    "with",
    "say",
    "answer",
    "raw",
    "ask",
    "abort",
    "notify",
    "close",
    "end",
    "fail",
    "wait",
    "launch",
    "threads",
    "cancel",
    "requestId",
    "initialize",
    "disconnect",
    "stall",
    "flow",
    "write-fails",
    "request_seq",
    "seq",
    "success",
    "body",
    ...behaviours,
  ],
  values: [
    ...behaviours.map((behaviour, index) => ({
      do: "say",
      with: { seq: index + 1, type: "request", command: "launch", arguments: { behaviour } },
    })),
    ...[
      "answer",
      "refuse",
      "close",
      "end",
      "fail",
      "abort",
      "wait",
      "stall",
      "flow",
      "write-fails",
    ].map((each) => ({ do: each })),
    { do: "ask", with: { name: "threads" } },
    { do: "ask", with: { name: "custom", timeoutMs: 1 } },
    { do: "ask", with: { name: "custom", timeoutMs: 0 } },
    { do: "ask", with: { name: "custom", timeoutMs: 1e12 } },
    { do: "notify", with: { a: 1 } },
    { do: "raw", with: 'Content-Length: 5\r\n\r\n{"a"' },
    {
      do: "say",
      with: { seq: 9, type: "request", command: "cancel", arguments: { requestId: 1 } },
    },
    {
      do: "say",
      with: { seq: 9, type: "response", request_seq: 1, success: true, command: "threads" },
    },
  ],
  seeds: () => [
    JSON.stringify([
      { do: "ask", with: { name: "threads" } },
      { do: "answer" },
      { do: "say", with: sampleMessages("dap")[0] },
      { do: "wait" },
      { do: "close" },
    ]),
    ...behaviours.map((behaviour) =>
      JSON.stringify([
        {
          do: "say",
          with: { seq: 1, type: "request", command: "launch", arguments: { behaviour } },
        },
        { do: "wait" },
        { do: "ask", with: { name: "threads" } },
        { do: "end" },
      ]),
    ),
    JSON.stringify(sampleMessages("dap").map((message) => ({ do: "say", with: message }))),
  ],
  async open(modules) {
    const dap = {
      ...(await modules<Dap>("generated/dap/index.js")),
      ...(await modules<Dap>("protocols/dap/connection.js")),
    };
    let rejected: unknown[] = [];
    process.on("unhandledRejection", (reason) => rejected.push(reason));
    return {
      async check(input) {
        const steps: unknown = parseJson(input);
        if (!Array.isArray(steps)) return;
        rejected = [];
        await new Conversation(dap).run(steps.filter(isStep).slice(0, 40));
        if (rejected.length === 0) return;
        const [reason] = rejected;
        const shown = reason instanceof Error ? reason.stack : describe(reason);
        throw new OracleFailure("settles", `nobody handles ${shown}`, "unhandled");
      },
    };
  },
};

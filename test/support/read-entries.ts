import { readProtocol } from "../../cli/index.js";

export const dap = await readProtocol("dap");

export const ask = (seq: unknown, command = "threads"): object => ({
  seq,
  type: "request",
  command,
});

export const answer = (request_seq: unknown, command = "threads"): object => ({
  seq: 0,
  type: "response",
  request_seq,
  success: true,
  command,
});

export const tell = (event: string): object => ({ seq: 0, type: "event", event });

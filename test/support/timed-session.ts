import { printRecording } from "../../cli/index.js";

type Line = readonly [time: number, from: "client" | "adapter", message: object];

/** Writes a recording the way `wirewright tap` does, with one line per message. */
export function timedRecording(lines: readonly Line[], session = 0): string {
  return printRecording(
    lines.map(([time, from, message]) => ({
      ...(session === 0 ? {} : { session }),
      time,
      from,
      message,
    })),
    { name: "dap", version: "1.71.0", roles: ["client", "adapter"] },
  );
}

export const request = (seq: number, command: string, args?: object): object => ({
  seq,
  type: "request",
  command,
  ...(args === undefined ? {} : { arguments: args }),
});

export const response = (
  request_seq: number,
  command: string,
  success = true,
  body?: object,
): object => ({
  seq: 100 + request_seq,
  type: "response",
  request_seq,
  command,
  success,
  ...(body === undefined ? {} : { body }),
});

export const event = (seq: number, name: string, body?: object): object => ({
  seq,
  type: "event",
  event: name,
  ...(body === undefined ? {} : { body }),
});

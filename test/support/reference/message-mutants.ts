import {
  after,
  drop,
  event,
  eventFirst,
  fail,
  inArguments,
  inBody,
  inFrame,
  remember,
  succeed,
  variable,
} from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";

const sized = (body: Buffer): string => `Content-Length: ${body.length}\r\n\r\n`;

/** Mutants with mistakes in messages, in their bytes, or in the `initialize` response. */
export const messageMutants: readonly Mutant[] = [
  { check: "base-01", frame: inFrame("process", (header, body) => [`noise\n${header}`, body]) },
  { check: "base-02", keepsNumbers: true, send: (message) => ({ ...message, seq: 5 }) },
  {
    check: "base-03",
    send: after("threads", (message) => [{ ...message, request_seq: 9_999 }]),
  },
  {
    check: "base-04",
    send: (message) =>
      message["command"] === "wirewrightUnknown"
        ? { ...message, message: undefined, body: {} }
        : message,
  },
  { check: "base-05", send: succeed("wirewrightUnknown") },
  {
    check: "base-06",
    write: (bytes) => {
      const second = Buffer.from(bytes).indexOf("Content-Length", 10);
      return second === -1 ? bytes : bytes.subarray(0, second);
    },
  },
  { check: "base-07", send: variable("text", { value: "h?llo" }) },
  {
    check: "base-08",
    send: (message) =>
      message["event"] === "thread" ? event("thread", { reason: "started" }) : message,
  },
  { check: "base-09", send: inBody("process", () => ({ systemProcessId: null })) },
  {
    check: "base-10",
    frame: inFrame("process", (_, body) => {
      const twice = Buffer.from(body.toString().replace("{", '{"event":"process",'));
      return [sized(twice), twice];
    }),
  },
  {
    check: "base-11",
    send: after("module", () => [{ type: "request", command: "threads" }]),
  },
  {
    check: "base-12",
    write: (bytes) => (bytes.length > 200_000 ? new Uint8Array() : bytes),
  },
  {
    check: "base-13",
    frame: inFrame("process", (header, body) => [header.replace("-L", "-l"), body]),
  },
  {
    check: "base-14",
    frame: inFrame("process", (_, body) => {
      const broken = Buffer.concat([
        body.subarray(0, body.indexOf(".steps")),
        Buffer.of(0xff),
        body.subarray(body.indexOf(".steps")),
      ]);
      return [sized(broken), broken];
    }),
  },
  {
    check: "base-15",
    frame: inFrame("process", (header, body) => [
      header.replace("\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n"),
      body,
    ]),
  },
  { check: "base-16", send: after("modules", (message) => [message]) },
  {
    check: "base-17",
    send: (message) =>
      message["command"] === "modules" ? { ...message, command: "module" } : message,
  },
  {
    // Drops the `continue` response in the case with three breakpoints, where the client does not
    // wait for it.
    check: "base-18",
    receive: remember,
    send: drop(
      "continue",
      (_, { program, setBreakpoints }) =>
        program === "loop" && setBreakpoints.breakpoints.length === 3,
    ),
  },
  { check: "base-19" },
  { check: "base-20", send: after("process", () => [event("wirewright")]) },
  {
    check: "base-21",
    send: inBody("process", () => ({ startMethod: undefined, startmethod: "launch" })),
  },
  {
    check: "init-01",
    send: (message) =>
      message["command"] === "initialize"
        ? [event("output", { category: "console", output: "hello\n" }), message]
        : message,
  },
  { check: "init-02", send: eventFirst("initialize", "initialized") },
  { check: "init-03", send: succeed("initialize") },
  {
    check: "init-04",
    receive: inArguments("initialize", () => ({ linesStartAt1: true })),
  },
  { check: "init-05", receive: inArguments("initialize", () => ({ pathFormat: "path" })) },
  {
    check: "init-06",
    send: after("process", () => [event("invalidated", { areas: ["variables"] })]),
  },
  { check: "init-07", send: fail("loadedSources") },
  { check: "init-08", send: after("process", () => [event("initialized")]) },
  { check: "init-09", send: variable("number", { type: "int" }) },
  {
    check: "init-10",
    send: inBody("initialize", ({ exceptionBreakpointFilters: [first] }) => ({
      exceptionBreakpointFilters: [first, { ...first, label: "Again" }],
    })),
  },
];

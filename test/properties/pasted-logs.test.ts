/** The general reader of logs: sessions in all kinds of logs are read back. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import fc from "fast-check";
import { readProtocol, readRecording } from "../../cli/index.js";
import type { RecordedEntry } from "../../sessions/read/recorded-entry.js";
import { dapEvent, dapRequest, dapResponse } from "../support/dap-messages.js";
import { property } from "../support/property.js";

/** A debug session with messages of both sides, some of which either side might send. */
const debugSession: readonly (readonly [from: string, message: Record<string, unknown>])[] = [
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

const dap = await readProtocol("dap");

type Print = (value: unknown, indent?: string) => string;

/** Prints a value with a language's literals and punctuation. */
function printer(
  text: (value: string) => string,
  words: Readonly<Record<string, string>>,
  field: (key: string, value: string) => string,
  [open, close]: readonly [string, string],
): Print {
  const print: Print = (value) => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value))
      return `${open} ${value.map((each) => print(each)).join(", ")} ${close}`;
    if (typeof value === "object" && value !== null)
      return `{ ${Object.entries(value)
        .map(([key, each]) => field(key, print(each)))
        .join(", ")} }`;
    return words[String(value)] ?? String(value);
  };
  return print;
}

const python = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const words: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [true, "t"],
  [false, ":json-false"],
  [null, ":null"],
]);
const lisp: Print = (value) => {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => lisp(each)).join(" ")}]`;
  if (typeof value !== "object" || value === null) return words.get(value) ?? String(value);
  const fields = Object.entries(value).map(([key, each]) => `:${key} ${lisp(each)}`);
  return fields.length === 0 ? "#s(hash-table test equal)" : `(${fields.join("\n  ")})`;
};
const notations: Readonly<Record<string, Print>> = {
  json: (value) => JSON.stringify(value),
  pretty: (value, indent = "") =>
    JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`),
  node: (value, indent = "") => inspect(value, { depth: 20 }).replaceAll("\n", `\n${indent}`),
  python: printer(python, { true: "True", false: "False" }, (key, value) => `'${key}': ${value}`, [
    "[",
    "]",
  ]),
  lua: printer(JSON.stringify, {}, (key, value) => `${key} = ${value}`, ["{", "}"]),
  lisp: (value) => lisp(value),
  class: (value) =>
    `Message(${Object.entries(value as object)
      .map(([key, each]) => `${key}=${notations["python"]!(each)}`)
      .join(", ")})`,
  ruby: printer(JSON.stringify, {}, (key, value) => `"${key}"=>${value}`, ["[", "]"]),
};

/** Words in front of the client's and the adapter's messages. */
const directions: readonly (readonly [client: string, adapter: string])[] = [
  ["-->", "<--"],
  ["<-", "->"],
  ["Sending:", "Received:"],
  ["recv", "sent"],
  ["From client:", "To client:"],
  ["[client -> server]", "[server -> client]"],
  ["DAP IN", "DAP OUT"],
  ["c1", "a1"],
  ["onWillReceiveMessage", "onDidSendMessage"],
];

const times = [
  "",
  "[10:04:05.123] ",
  "2026-01-02T03:04:05.678Z ",
  "2026-01-02 03:04:05,678 - ",
  "1795346577.337441444 ",
  "I+00000.028: ",
];
const names = ["", "DEBUG ", "[info] ", "adapter.cpp:120 ", "(stdio) "];

const noise = [
  "Listening on 127.0.0.1:4711",
  "[2026-01-02] loaded {42} modules [a, b]",
  'settings: {"theme":"dark","list":[1,2,{"x":null}]}',
  "void main() {",
  "}",
  "    at Object.<anonymous> (/w/a.js:1:2)",
  "state = Running { since: 12 }",
];

/** Changes to a log that is pasted. */
const pastes: Readonly<Record<string, (log: string) => string | Uint8Array>> = {
  none: (log) => log,
  quoted: (log) => log.replaceAll(/^/gm, "> "),
  indented: (log) => log.replaceAll(/^/gm, "    "),
  docker: (log) => log.replaceAll(/^/gm, "app-1  | "),
  windows: (log) => log.replaceAll("\n", "\r\n"),
  wide: (log) => Buffer.from(`\ufeff${log}`, "utf16le"),
  fenced: (log) => `Here it is:\n\`\`\`\n${log}\n\`\`\`\n`,
  html: (log) =>
    log
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
  "html, twice": (log) =>
    log.replaceAll("<", "&amp;lt;").replaceAll(">", "&amp;gt;").replaceAll('"', "&amp;quot;"),
  "docker, json": (log) =>
    log
      .trimEnd()
      .split("\n")
      .map(
        (line) =>
          `${JSON.stringify({ log: `${line}\n`, stream: "stderr", time: "2026-01-02T03:04:05.678Z" })}\n`,
      )
      .join(""),
};

const style = fc.record({
  notation: fc.constantFrom(...Object.keys(notations)),
  direction: fc.constantFrom(...directions),
  time: fc.constantFrom(...times),
  name: fc.constantFrom(...names),
  isAbove: fc.boolean(),
  hasName: fc.boolean(),
  noise: fc.array(fc.tuple(fc.nat(debugSession.length), fc.constantFrom(...noise)), {
    maxLength: 6,
  }),
  paste: fc.constantFrom(...Object.keys(pastes)),
});

type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

/** Prints the session as a log, as blocks of lines. */
function blocksOf({
  notation,
  direction,
  time,
  name,
  isAbove,
  hasName,
  noise: lines,
}: Style): readonly string[] {
  return debugSession.flatMap(([from, message], index) => {
    const words = direction[from === "client" ? 0 : 1];
    const named = hasName && !isAbove ? ` ${String(message["command"] ?? message["event"])}` : "";
    const printed = notations[notation]!(message);
    const before = lines.filter(([place]) => place === index).map(([, line]) => `${line}\n`);
    return [...before, `${time}${name}${words}${named}${isAbove ? "\n" : " "}${printed}\n`];
  });
}

function read(log: string | Uint8Array): readonly RecordedEntry[] {
  const bytes = typeof log === "string" ? Buffer.from(log) : log;
  return readRecording([{ name: "x", bytes }], dap).filter(({ message }) => message !== undefined);
}

/** Replaces empty tables, which may be arrays or objects. */
function plain(entries: readonly RecordedEntry[]): readonly unknown[] {
  return entries.map(({ from, message }) => [from, message]);
}

property(
  "the messages in a log are read back, whatever precedes them and however the log was pasted",
  style,
  (given) => {
    const log = pastes[given.paste]!(blocksOf(given).join(""));
    assert.deepEqual(plain(read(log)), debugSession);
  },
  400,
);

property(
  "lines that were wrapped at a column are joined",
  fc.record({
    given: style,
    notation: fc.constantFrom("json", "python", "lua", "ruby", "class"),
    width: fc.integer({ min: 50, max: 90 }),
  }),
  ({ given, notation, width }) => {
    const lines = blocksOf({ ...given, notation, noise: [] }).join("");
    const log = lines.replaceAll(new RegExp(`.{${width}}`, "g"), "$&\n");
    assert.deepEqual(plain(read(log)), debugSession);
  },
  200,
);

property(
  "of a log that is cut anywhere, all whole messages are read back",
  fc.record({
    given: style,
    start: fc.double({ min: 0, max: 0.4, noNaN: true }),
    end: fc.double({ min: 0.6, max: 1, noNaN: true }),
  }),
  ({ given, start, end }) => {
    const blocks = blocksOf({ ...given, noise: [] });
    const log = blocks.join("");
    const [from, to] = [Math.floor(start * log.length), Math.floor(end * log.length)];
    let place = 0;
    const whole = debugSession.filter((_, index) => {
      const begin = place;
      place += blocks[index]!.length;
      return begin >= from && place <= to;
    });
    const found = plain(read(log.slice(from, to)));
    assert.deepEqual(
      found.filter((each) => whole.some((one) => JSON.stringify(one) === JSON.stringify(each))),
      whole,
    );
    // The messages that are cut may be read as malformed ones.
    assert.ok(found.length <= whole.length + 2, String(found.length));
  },
  300,
);

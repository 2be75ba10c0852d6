import type { Transport } from "../../generated/dap/connection.js";
import { createDecoder } from "../../generated/dap/codec.js";
import { frameOf } from "../../conformance/session/wire.js";

type Message = { readonly [field: string]: any };

/** A mistake of an adapter, as a change of its messages. */
export interface Mutant {
  readonly check: string;
  /** Changes a message of the adapter; an array replaces it by several, and none. */
  readonly send?: (message: Message, state: Record<string, any>) => Message | readonly Message[];
  /** Changes a message of the client before the adapter sees it. */
  readonly receive?: (message: Message, state: Record<string, any>) => Message;
}

/** The adapter with a mistake. */
export function mutated(transport: Transport, { send, receive }: Mutant): Transport {
  const state: Record<string, any> = {};
  const reader = (onMessage: (message: Message) => void) =>
    createDecoder({
      onMessage: (found) => {
        if (found.status !== "malformed") onMessage(found.message as Message);
      },
    });
  const incoming = reader((message) => void transport.write(frameOf(receive!(message, state))));
  return {
    ...transport,
    read(onBytes, onEnd) {
      const outgoing = reader((message) => {
        for (const each of [send!(message, state)].flat()) void onBytes(frameOf(each));
      });
      transport.read(send === undefined ? onBytes : (bytes) => outgoing.push(bytes), onEnd);
    },
    write: (bytes) => (receive === undefined ? transport.write(bytes) : incoming.push(bytes)),
  };
}

const body = (message: Message, change: object): Message => ({
  ...message,
  body: { ...message["body"], ...change },
});

/** Changes the body of responses or events with a name. */
const inBody =
  (name: string, change: (body: any) => object) =>
  (message: Message): Message =>
    (message["event"] ?? (message["type"] === "response" ? message["command"] : "")) === name &&
    message["success"] !== false
      ? body(message, change(message["body"] ?? {}))
      : message;

const reason = (from: string, to: string) =>
  inBody("stopped", (each) => (each.reason === from ? { reason: to } : {}));

const succeed =
  (name: string, result: object = {}) =>
  (message: Message): Message =>
    message["command"] === name && message["success"] === false
      ? { ...message, success: true, message: undefined, body: result }
      : message;

const withoutProperty =
  (name: string) =>
  (message: Message): Message => {
    const { arguments: args } = message;
    if (message["command"] !== "setBreakpoints") return message;
    const breakpoints = args.breakpoints.map((each: object) => ({ ...each, [name]: undefined }));
    return { ...message, arguments: { ...args, breakpoints } };
  };

const variable = (name: string, change: object) =>
  inBody("variables", ({ variables }) => ({
    variables: variables.map((each: any) => (each.name === name ? { ...each, ...change } : each)),
  }));

export const mutants: readonly Mutant[] = [
  { check: "base-02", send: (message) => ({ ...message, seq: 5 }) },
  { check: "base-05", send: succeed("wirewrightUnknown") },
  { check: "base-07", send: variable("text", { value: "h?llo" }) },
  { check: "init-03", send: succeed("initialize") },
  {
    check: "launch-05",
    receive: (message) =>
      message["command"] === "launch"
        ? { ...message, arguments: { ...message["arguments"], noDebug: false } }
        : message,
  },
  {
    check: "bp-13",
    send: inBody("setExceptionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map(() => ({ verified: true })),
    })),
  },
  { check: "bp-06", send: reason("breakpoint", "pause") },
  { check: "bp-09", receive: withoutProperty("hitCondition") },
  { check: "bp-11", send: reason("function breakpoint", "breakpoint") },
  { check: "bp-12", send: reason("exception", "pause") },
  {
    check: "bp-22",
    send: inBody("setFunctionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: object) => ({ ...each, verified: true })),
    })),
  },
  { check: "exc-01", send: inBody("exceptionInfo", () => ({ exceptionId: "" })) },
  { check: "run-05", send: reason("pause", "signal") },
  { check: "run-12", send: reason("step", "pause") },
  { check: "thr-04", send: inBody("threads", ({ threads }) => ({ threads: threads.slice(0, 1) })) },
  { check: "src-01", send: inBody("loadedSources", () => ({ sources: [] })) },
  { check: "mod-01", send: inBody("modules", () => ({ modules: [{ id: 1, name: "" }] })) },
  { check: "evl-03", send: succeed("evaluate", { result: "", variablesReference: 0 }) },
  {
    check: "evl-02",
    send: inBody("completions", () => ({ targets: [{ label: "total", start: 3, length: 9 }] })),
  },
  {
    check: "out-01",
    send: inBody("output", ({ category }) =>
      category === "stdout" ? { category: "console" } : {},
    ),
  },
  {
    check: "out-02",
    send: inBody("output", ({ category }) => (category === "stderr" ? { category: "stdout" } : {})),
  },
  { check: "end-08", send: inBody("exited", () => ({ exitCode: 4 })) },
];

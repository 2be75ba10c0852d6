import type { Message } from "./program-run.js";

/**
 * A function that changes a message for a mutant. The state contains the name of the program, and
 * the latest arguments of each request by its name.
 */
export type Change = (message: Message, state: Record<string, any>) => Message | readonly Message[];

/** Returns the command of a request or response, or the name of an event. */
export const nameOf = (message: Message): string => message["event"] ?? message["command"];

const fits = (message: Message, name: string): boolean =>
  nameOf(message) === name && message["type"] !== "request" && message["success"] !== false;

/** Changes the body of successful responses or events with the given name. */
export const inBody =
  (name: string, change: (body: any, state: Record<string, any>) => object): Change =>
  (message, state) =>
    fits(message, name)
      ? { ...message, body: { ...message["body"], ...change(message["body"] ?? {}, state) } }
      : message;

/** Sends additional messages after a response or event with the given name. */
export const after =
  (
    name: string,
    more: (message: Message, state: Record<string, any>) => readonly Message[],
  ): Change =>
  (message, state) =>
    fits(message, name) ? [message, ...more(message, state)] : message;

/** Drops responses or events with the given name if the predicate returns true. */
export const drop =
  (
    name: string,
    test: (message: Message, state: Record<string, any>) => boolean = () => true,
  ): Change =>
  (message, state) =>
    fits(message, name) && test(message, state) ? [] : message;

/** Makes requests with the given name fail. */
export const fail =
  (
    name: string,
    test: (message: Message, state: Record<string, any>) => boolean = () => true,
  ): Change =>
  (message, state) =>
    fits(message, name) && message["type"] === "response" && test(message, state)
      ? { ...message, success: false, message: "no", body: { error: { id: 1, format: "no" } } }
      : message;

/** Makes requests succeed that should fail. */
export const succeed =
  (name: string, body: object = {}): Change =>
  (message) =>
    message["command"] === name && message["success"] === false
      ? { ...message, success: true, message: undefined, body }
      : message;

export const event = (name: string, body: object = {}): Message => ({
  type: "event",
  event: name,
  body,
});

/** Delays a response until after the event that should follow it. */
export const eventFirst =
  (command: string, name: string): Change =>
  (message, state) => {
    if (fits(message, command) && message["type"] === "response") {
      state["held"] = message;
      return [];
    }
    const { held } = state;
    if (message["event"] !== name || held === undefined) return message;
    state["held"] = undefined;
    return [message, held];
  };

/** Changes each stack frame in `stackTrace` responses. */
export const eachFrame = (
  change: (frame: any, index: number, body: any, state: Record<string, any>) => object,
): Change =>
  inBody("stackTrace", (body, state) => ({
    stackFrames: body.stackFrames.map((frame: any, index: number) => ({
      ...frame,
      ...change(frame, index, body, state),
    })),
  }));

/** Changes the variable with the given name. */
export const variable = (name: string, change: object): Change =>
  inBody("variables", ({ variables }) => ({
    variables: variables.map((each: any) => (each.name === name ? { ...each, ...change } : each)),
  }));

/** Changes the reason of stops that have a certain reason. */
export const reason = (from: string, to: string): Change =>
  inBody("stopped", (each) => (each.reason === from ? { reason: to } : {}));

/** Changes the arguments of requests with the given name. */
export const inArguments =
  (name: string, change: (args: any) => object) =>
  (message: Message): Message =>
    message["type"] === "request" && message["command"] === name
      ? { ...message, arguments: { ...message["arguments"], ...change(message["arguments"]) } }
      : message;

/** Changes each breakpoint in `setBreakpoints` requests. */
export const inBreakpoints = (change: (breakpoint: any) => object) =>
  inArguments("setBreakpoints", ({ breakpoints = [] }) => ({
    breakpoints: breakpoints.map((each: object) => ({ ...each, ...change(each) })),
  }));

/** Adds a breakpoint to responses that contain breakpoints. */
export const oneMore = (name: string): Change =>
  inBody(name, ({ breakpoints }) =>
    breakpoints.length === 0
      ? {}
      : { breakpoints: [...breakpoints, { id: 4_000, verified: false, message: "one more" }] },
  );

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** Changes the header or the body of messages with the given name. */
export const inFrame =
  (name: string, change: (header: string, body: Buffer) => readonly [string, Buffer]) =>
  (frame: Uint8Array, message: Message): Uint8Array => {
    if (nameOf(message) !== name) return frame;
    const at = decoder.decode(frame).indexOf("\r\n\r\n") + 4;
    const [header, body] = change(
      decoder.decode(frame.subarray(0, at)),
      Buffer.from(frame.subarray(at)),
    );
    return Buffer.concat([encoder.encode(header), body]);
  };

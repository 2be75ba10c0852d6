import { createEncoder } from "@wirewright/dap";
import { FrameDecoder } from "../../runtime/index.js";
import {
  connect,
  type Connection,
  type ConnectOptions,
  type Problem,
  type RequestError,
  type Side,
  type Transport,
} from "@wirewright/dap/connection";

export type Fields = Record<string, any>;

const encoder = createEncoder();

/** Encodes messages as concatenated frames. */
export function framesOf(messages: readonly object[]): Uint8Array {
  return Buffer.concat(messages.map((message) => Buffer.from(encoder.encode(message as never))));
}

/** A transport whose peer is the test. Whatever the test does takes effect immediately. */
export class ScriptedTransport implements Transport {
  /** The messages that the connection has written. */
  readonly written: Fields[] = [];
  /** Names of the transport methods that the connection has called, apart from `write`. */
  readonly calls: string[] = [];
  /** Replaces what a method does. Calls to it are still logged. */
  onWrite: (bytes: Uint8Array) => unknown = () => undefined;
  onClose: () => unknown = () => undefined;
  onDestroy: () => unknown = () => undefined;
  onBytes: (bytes: Uint8Array) => void | Promise<void> = () => undefined;
  end: (error?: unknown, detail?: string) => void = () => undefined;
  readonly #decoder = new FrameDecoder({
    onMessage: (message) => void this.written.push(message),
  });

  read(onBytes: ScriptedTransport["onBytes"], onEnd: ScriptedTransport["end"]): void {
    this.onBytes = onBytes;
    this.end = onEnd;
  }

  write(bytes: Uint8Array): void | Promise<void> {
    const given = this.onWrite(bytes);
    this.#decoder.push(bytes);
    return given as void;
  }

  close(): void | Promise<void> {
    this.calls.push("close");
    return this.onClose() as void;
  }

  destroy(): void | Promise<void> {
    this.calls.push("destroy");
    return this.onDestroy() as void;
  }

  /** Delivers messages in one chunk. */
  say(...messages: readonly object[]): void | Promise<void> {
    return this.sayAll(messages);
  }

  sayAll(messages: readonly object[]): void | Promise<void> {
    return this.onBytes(framesOf(messages));
  }

  /** Returns the responses to a request. */
  responsesTo(seq: unknown): readonly Fields[] {
    return this.written.filter(
      (each) => each["type"] === "response" && each["request_seq"] === seq,
    );
  }
}

export interface Scripted<Which extends Side> {
  readonly connection: Connection<Which>;
  readonly transport: ScriptedTransport;
  readonly problems: Problem[];
  /** Returns the codes of the problems that the connection has reported. */
  readonly codes: () => readonly string[];
}

/** Creates a connection whose peer is the test. */
export function scripted<Which extends Side>(
  role: Which,
  options: ConnectOptions<Which> = {},
): Scripted<Which> {
  const transport = new ScriptedTransport();
  const problems: Problem[] = [];
  const connection = connect(role, transport, {
    onProblem: (problem) => void problems.push(problem),
    ...options,
  });
  return { connection, transport, problems, codes: () => problems.map(({ code }) => code) };
}

/** Connects a client to the test, and collects the codes of its problems. */
export function scriptedClient(options: ConnectOptions<"client"> = {}) {
  const problems: string[] = [];
  const { connection, transport } = scripted("client", {
    onProblem: ({ code }) => void problems.push(code),
    ...options,
  });
  const raw = async (text: string | Uint8Array): Promise<void> => {
    await transport.onBytes(Buffer.from(text));
    await turns();
  };
  return {
    client: connection,
    written: transport.written,
    problems,
    raw,
    say: (...messages: readonly object[]) => raw(framesOf(messages)),
    end: () => transport.end(),
  };
}

export function request(seq: unknown, command: unknown, args?: unknown): object {
  return { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) };
}

export function response(request_seq: unknown, more: object = {}): object {
  return { seq: 0, type: "response", request_seq, success: true, command: "", ...more };
}

export function event(name: unknown, body?: unknown): object {
  return { seq: 0, type: "event", event: name, ...(body === undefined ? {} : { body }) };
}

/** Lets all pending work run, including timers of 1 ms. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), 1));
}

/** Lets work finish that takes several steps, each of which schedules the next. */
export async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await turn();
}

/** Waits for a condition. Fails with the condition's text after half a minute. */
export async function until(condition: () => boolean): Promise<void> {
  for (const from = Date.now(); !condition(); await turn())
    if (Date.now() - from > 30_000) throw new Error(`Waited in vain for ${condition.toString()}`);
}

/** Returns a promise's outcome as text: `pending` if it has not settled. */
export async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return Promise.race([
    promise.then(
      (value) => `resolved to ${JSON.stringify(value)}`,
      (error: { readonly code?: string; readonly message?: string }) =>
        error?.code ?? `rejected with ${error?.message}`,
    ),
    turn().then(() => "pending"),
  ]);
}

/** Returns the error's code, command and message with which a promise rejects. */
export function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    ({ code, command, message }: RequestError) =>
      `${code}${command === undefined ? "" : ` ${command}`}: ${message}`,
  );
}

/** Passes a promise through `count` async functions. */
export async function layers<Result>(count: number, promise: Promise<Result>): Promise<Result> {
  return count === 0 ? await promise : await layers(count - 1, promise);
}

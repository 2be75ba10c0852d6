import type { Readable, Writable } from "node:stream";
import { createDecoder, createEncoder } from "../../generated/dap/index.js";

type Body = Readonly<Record<string, unknown>>;

/** A client of a debug adapter, good enough to set breakpoints: requests, and events by name. */
export class DebugClient {
  readonly #pending = new Map<
    number,
    { resolve(body: unknown): void; reject(error: Error): void }
  >();
  readonly #waiting = new Map<string, ((body: Body) => void)[]>();
  readonly #encoder = createEncoder();
  readonly #output: Writable;
  #seq = 0;
  /** Called with each `breakpoint` event. */
  onBreakpoint: (body: Body) => void = () => undefined;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    const decoder = createDecoder({
      onMessage: (sorted) => {
        if (sorted.status !== "malformed") this.#receive(sorted.message as unknown as Body);
      },
    });
    input.on("data", (chunk: Uint8Array) => decoder.push(chunk));
  }

  request(command: string, args: object): Promise<unknown> {
    const seq = ++this.#seq;
    const message = { seq, type: "request", command, arguments: args };
    return new Promise((resolve, reject) => {
      this.#pending.set(seq, { resolve, reject });
      this.#output.write(this.#encoder.encode(message as never));
    });
  }

  /** The body of the next event of a name. */
  next(event: string): Promise<Body> {
    return new Promise((resolve) => {
      this.#waiting.set(event, [...(this.#waiting.get(event) ?? []), resolve]);
    });
  }

  #receive(message: Body): void {
    if (message["type"] === "event") {
      const name = String(message["event"]);
      if (name === "breakpoint") this.onBreakpoint(message["body"] as Body);
      const [first, ...rest] = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, rest);
      first?.((message["body"] ?? {}) as Body);
    } else if (message["type"] === "response") {
      const asked = this.#pending.get(message["request_seq"] as number);
      if (message["success"] === true) asked?.resolve(message["body"] ?? {});
      else asked?.reject(new Error(String(message["message"])));
    }
  }
}

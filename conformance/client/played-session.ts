import type { Readable, Writable } from "node:stream";
import { createDecoder } from "@wirewright/dap";
import { scriptAdapter, type AdapterScript, type ScriptedAdapter } from "@wirewright/dap/testing";
import type { AnyMessage, TraceEntry } from "../session/wire.js";

/** An adapter that behaves in a way that the protocol allows but does not require. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  script(session: PlayedSession): AdapterScript;
  /** Judges the client once the session has ended. */
  judge?(
    session: PlayedSession,
    verdict: (check: string, isFine: boolean, difference: Difference) => void,
  ): void;
}

interface Difference {
  readonly expected: string;
  readonly actual: string;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A session in which the suite plays the adapter for a client. */
export class PlayedSession {
  readonly scenario: Scenario;
  readonly trace: TraceEntry[] = [];
  /** The bytes sent by the client. */
  readonly chunks: Uint8Array[] = [];
  readonly closed: Promise<void>;
  readonly adapter: ScriptedAdapter;
  /** The arguments of the `initialize` request. */
  client: AnyMessage = {};
  isClosedByClient = false;
  /** Number of other connections that the client opened while this connection was open. */
  children = 0;
  readonly #began = performance.now();
  readonly #output: Writable;
  #isOver = false;
  #close: () => void = () => undefined;

  /** @param limitMs Milliseconds after which the session ends, regardless of the client. */
  constructor(scenario: Scenario, input: Readable, output: Writable, limitMs = 20_000) {
    this.scenario = scenario;
    this.#output = output;
    this.closed = new Promise((resolve) => (this.#close = resolve));
    this.adapter = scriptAdapter(scenario.script(this));
    const reader = (from: "client" | "adapter") =>
      createDecoder({
        onMessage: (decoded) => {
          if (decoded.status !== "malformed") this.#record(from, decoded.message as AnyMessage);
        },
        onFault: () => undefined,
      });
    const [incoming, outgoing] = [reader("client"), reader("adapter")];
    this.adapter.read(
      (bytes) => {
        outgoing.push(bytes);
        return new Promise<void>((resolve) => output.write(bytes, () => resolve()));
      },
      () => this.end(),
    );
    input.on("data", (bytes: Buffer) => {
      if (this.#isOver) return;
      this.chunks.push(Uint8Array.from(bytes));
      incoming.push(bytes);
      try {
        void this.adapter.write(bytes);
      } catch {
        // Ignore the failure: the adapter has ended.
      }
    });
    const onEnd = (): void => {
      this.isClosedByClient ||= !this.#isOver;
      this.end();
    };
    input.on("end", onEnd).on("close", onEnd).on("error", onEnd);
    output.on("error", onEnd);
    const limit = setTimeout(() => this.end(), limitMs);
    void this.closed.then(() => clearTimeout(limit));
  }

  /** Ends the connection. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#output.end();
    this.#close();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  pause = pause;

  /** Returns the client's messages with the given name, in order of arrival. */
  sent(name: string): readonly TraceEntry[] {
    return this.trace.filter(
      ({ from, message }) =>
        from === "client" && message["type"] === "request" && message["command"] === name,
    );
  }

  /** Returns the adapter's messages with the given name. */
  played(name: string): readonly TraceEntry[] {
    return this.trace.filter(
      ({ from, message }) =>
        from === "adapter" && (message["event"] === name || message["command"] === name),
    );
  }

  /** Returns the client's response to a request from the adapter. */
  responseTo(command: string): AnyMessage | undefined {
    const request = this.played(command).find(({ message }) => message["type"] === "request");
    return this.trace.find(
      ({ from, message }) =>
        from === "client" &&
        message["type"] === "response" &&
        message["request_seq"] === request?.message["seq"],
    )?.message;
  }

  /** Waits until a test returns true. Resolves to false if this takes longer than `ms`. */
  async until(test: () => boolean, ms: number): Promise<boolean> {
    for (const end = performance.now() + ms; performance.now() < end && !this.#isOver;) {
      if (test()) return true;
      await pause(20);
    }
    return test();
  }

  #record(from: "client" | "adapter", message: AnyMessage): void {
    const time = Math.round((performance.now() - this.#began) * 1_000) / 1_000;
    this.trace.push({ index: this.trace.length, from, message, time });
  }
}

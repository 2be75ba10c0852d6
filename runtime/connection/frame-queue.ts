import { Fifo } from "../base/fifo.js";
import { asPromise, markHandled } from "../base/promises.js";
import type { MessageLink, Transport } from "./transport.js";

/** A frame, or the text of a message for a transport that carries texts. */
export type Unit = Uint8Array | string;

interface QueuedFrame {
  readonly bytes: Unit;
  /** Set if the caller awaits the write. */
  readonly outcome?: Outcome;
}

interface Outcome {
  readonly name: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface FrameQueueEvents {
  /** Writing failed. The owner must end the queue. */
  onFailure(cause: unknown): void;
  /** The transport has accepted a frame that it was slow to accept. */
  onProgress(): void;
}

/** Writes frames one at a time, with one call each, at the pace of the transport. */
export class FrameQueue {
  readonly #sink: Transport | MessageLink;
  readonly #events: FrameQueueEvents;
  readonly #queue = new Fifo<QueuedFrame>();
  #isBusy = false;
  /** The caller that awaits the frame being written. */
  #current: Outcome | undefined;
  #backlog = 0;
  #errorOf: ((name: string) => Error) | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Transport | MessageLink, events: FrameQueueEvents) {
    this.#sink = sink;
    this.#events = events;
  }

  /** Number of bytes that wait behind the frame being written. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Whether the transport is slow to accept a frame. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  push(bytes: Unit): void {
    if (this.#hasEnded()) return;
    if (this.#isBusy) this.#enqueue({ bytes });
    else this.#write(bytes);
  }

  /**
   * Writes a frame. Resolves when the transport accepts more data. Ignoring a rejection does not
   * make it an unhandled one.
   *
   * @param name Name of the message, for errors.
   */
  write(bytes: Unit, name: string): Promise<void> {
    if (this.#hasEnded()) return markHandled(Promise.reject(this.#errorOf!(name)));
    if (!this.#isBusy) {
      this.#write(bytes);
      if (this.#hasEnded()) return markHandled(Promise.reject(this.#errorOf!(name)));
      if (!this.#isBusy) return done;
      return this.#outcome(name, (outcome) => (this.#current = outcome));
    }
    return this.#outcome(name, (outcome) => this.#enqueue({ bytes, outcome }));
  }

  /** Resolves when everything has been written, or the queue has ended. */
  drain(): Promise<void> {
    if (!this.#isBusy) return done;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Stops writing and rejects the queued frames. */
  end(errorOf: (name: string) => Error): void {
    if (this.#hasEnded()) return;
    this.#errorOf = errorOf;
    this.#current?.reject(errorOf(this.#current.name));
    for (const { outcome } of this.#queue.takeAll()) outcome?.reject(errorOf(outcome.name));
    this.#backlog = 0;
    this.#becomeIdle();
  }

  #hasEnded(): boolean {
    return this.#errorOf !== undefined;
  }

  #outcome(name: string, keep: (outcome: Outcome) => void): Promise<void> {
    return markHandled(
      new Promise<void>((resolve, reject) => {
        keep({ name, resolve, reject });
      }),
    );
  }

  #enqueue(frame: QueuedFrame): void {
    this.#queue.push(frame);
    this.#backlog += frame.bytes.length;
  }

  /** Writes a frame, and those queued meanwhile. */
  #write(bytes: Unit): void {
    this.#isBusy = true;
    if (this.#isAccepted(bytes)) this.#writeQueued();
  }

  #writeQueued(): void {
    for (let frame = this.#queue.shift(); frame !== undefined; frame = this.#queue.shift()) {
      const { bytes, outcome } = frame;
      this.#backlog -= bytes.length;
      this.#current = outcome;
      if (!this.#isAccepted(bytes)) return;
      outcome?.resolve();
    }
    this.#becomeIdle();
  }

  /** Passes a frame to the transport. Returns false if the transport is slow or fails. */
  #isAccepted(bytes: Unit): boolean {
    let writing: Promise<unknown> | undefined;
    try {
      writing = asPromise(this.#sink.write(bytes as never));
    } catch (cause) {
      this.#events.onFailure(cause);
      return false;
    }
    if (writing === undefined) return !this.#hasEnded();
    writing.then(
      () => {
        if (this.#hasEnded()) return;
        this.#current?.resolve();
        this.#writeQueued();
        this.#events.onProgress();
      },
      (cause: unknown) => {
        if (!this.#hasEnded()) this.#events.onFailure(cause);
      },
    );
    return false;
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    this.#current = undefined;
    for (const wake of this.#idle.splice(0)) wake();
  }
}

const done = /* @__PURE__ */ Promise.resolve();

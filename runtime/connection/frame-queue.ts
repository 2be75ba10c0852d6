import { Fifo } from "../base/fifo.js";
import { asPromise, markHandled } from "../base/promises.js";
import type { Transport } from "./transport.js";

interface QueuedFrame {
  readonly bytes: Uint8Array;
  /** Of a frame whose fate somebody awaits. */
  readonly outcome?: Outcome;
}

interface Outcome {
  readonly name: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface FrameQueueEvents {
  /** Writing failed. The owner ends the queue. */
  onFailure(cause: unknown): void;
  /** The transport has taken a frame that it was slow to take. */
  onProgress(): void;
}

/** Writes frames one after the other, each with one call, at the pace of the transport. */
export class FrameQueue {
  readonly #transport: Transport;
  readonly #events: FrameQueueEvents;
  readonly #queue = new Fifo<QueuedFrame>();
  #isBusy = false;
  /** Of the frame that the transport is slow to take. */
  #current: Outcome | undefined;
  #backlog = 0;
  #errorOf: ((name: string) => Error) | undefined;
  #idle: (() => void)[] = [];

  constructor(transport: Transport, events: FrameQueueEvents) {
    this.#transport = transport;
    this.#events = events;
  }

  /** Bytes of the frames that wait for the one that is being written. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Writes a frame. */
  push(bytes: Uint8Array): void {
    if (this.#hasEnded()) return;
    if (this.#isBusy) this.#enqueue({ bytes });
    else this.#write(bytes);
  }

  /**
   * Writes a frame; resolves when the transport takes more. A rejection that nobody looks at is no unhandled
   * one.
   *
   * @param name What the rejection is about.
   */
  write(bytes: Uint8Array, name: string): Promise<void> {
    if (this.#hasEnded()) return markHandled(Promise.reject(this.#errorOf!(name)));
    if (!this.#isBusy) {
      this.#write(bytes);
      if (this.#hasEnded()) return markHandled(Promise.reject(this.#errorOf!(name)));
      if (!this.#isBusy) return done;
      return this.#outcome(name, (outcome) => (this.#current = outcome));
    }
    return this.#outcome(name, (outcome) => this.#enqueue({ bytes, outcome }));
  }

  /** Resolves when everything has been written, or nothing is written any more. */
  drain(): Promise<void> {
    if (!this.#isBusy) return done;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Writes nothing any more: what waits is rejected. */
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

  /** Writes a frame, and what came to wait meanwhile. */
  #write(bytes: Uint8Array): void {
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

  /** Hands a frame to the transport; false if that is slow to take it, or fails. */
  #isAccepted(bytes: Uint8Array): boolean {
    let writing: Promise<unknown> | undefined;
    try {
      writing = asPromise(this.#transport.write(bytes));
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

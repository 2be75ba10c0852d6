import { Fifo } from "../base/fifo.js";
import { asPromise, deferred, markHandled } from "../base/promises.js";
import type { MessageLink, Transport } from "./transport.js";

/** A frame, or a message as a string for transports that carry strings. */
export type Unit = Uint8Array | string;

interface QueuedFrame {
  readonly bytes: Unit;
  /** Settles a caller's wait; undefined if no caller is waiting for this frame. */
  outcome?: Outcome | undefined;
}

interface Outcome {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface FrameQueueEvents {
  /** Called when writing has failed. The owner must then end the queue. */
  onFailure(cause: unknown): void;
  /** Called when the transport has accepted a frame after a delay. */
  onProgress(): void;
}

/** Writes frames one at a time, each with a single call, as fast as the transport accepts them. */
export class FrameQueue {
  readonly #sink: Transport | MessageLink;
  readonly #events: FrameQueueEvents;
  readonly #queue = new Fifo<QueuedFrame>();
  #isBusy = false;
  #last: QueuedFrame | undefined;
  /** Settles the calls that are waiting for the current frame to be written. */
  #current: Outcome | undefined;
  #backlog = 0;
  #error: (() => Error) | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: Transport | MessageLink, events: FrameQueueEvents) {
    this.#sink = sink;
    this.#events = events;
  }

  /** Number of bytes queued after the frame being written. */
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

  /** Writes a frame. Resolves once the transport has accepted it; see `flushed`. */
  write(bytes: Unit): Promise<void> {
    this.push(bytes);
    return this.flushed();
  }

  /**
   * Resolves once the transport has accepted all frames so far. Rejects if the queue ends first. A
   * rejection that the caller ignores does not count as unhandled.
   */
  flushed(): Promise<void> {
    if (this.#hasEnded()) return markHandled(Promise.reject(this.#error!()));
    if (!this.#isBusy) return done;
    const last = this.#queue.size === 0 ? undefined : this.#last;
    if (last === undefined) return (this.#current ??= outcome()).promise;
    return (last.outcome ??= outcome()).promise;
  }

  /** Resolves once everything has been written or the queue has ended. */
  drain(): Promise<void> {
    if (!this.#isBusy) return done;
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Stops writing, and rejects all pending waits. */
  end(error: () => Error): void {
    if (this.#hasEnded()) return;
    this.#error = error;
    this.#current?.reject(error());
    for (const frame of this.#queue.takeAll()) frame.outcome?.reject(error());
    this.#backlog = 0;
    this.#becomeIdle();
  }

  #hasEnded(): boolean {
    return this.#error !== undefined;
  }

  #enqueue(frame: QueuedFrame): void {
    this.#queue.push(frame);
    this.#last = frame;
    this.#backlog += frame.bytes.length;
  }

  /** Writes a frame, followed by any frames queued in the meantime. */
  #write(bytes: Unit): void {
    this.#isBusy = true;
    if (this.#isAccepted(bytes)) this.#writeQueued();
  }

  #writeQueued(): void {
    for (let frame = this.#queue.shift(); frame !== undefined; frame = this.#queue.shift()) {
      const { bytes } = frame;
      this.#backlog -= bytes.length;
      this.#current = frame.outcome;
      if (!this.#isAccepted(bytes)) return;
      this.#current?.resolve();
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
    this.#last = undefined;
    for (const wake of this.#idle.splice(0)) wake();
  }
}

const done = /* @__PURE__ */ Promise.resolve();

function outcome(): Outcome {
  const { promise, resolve, reject } = deferred<void>();
  return { promise: markHandled(promise), resolve, reject };
}

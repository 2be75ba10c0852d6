import type { IncomingRequest } from "./incoming-request.js";
import { Fifo } from "../base/fifo.js";
import { startTimer } from "../base/waiting-limits.js";

/** Number of bytes counted for a queued request in addition to its body. */
const requestBytes = 256;

/** Maximum number of concurrent cancel request handlers, which are limited separately. */
const maxCancelling = 1_000;

/**
 * Reading resumes if no handler completes within this many pauses, because handlers may be waiting
 * for unread data. The limit is a number of pauses rather than a time, because a blocked event loop
 * delays pauses.
 */
const stallLimit = { pauses: 10, milliseconds: 10 };

/**
 * The pause limit that applies while no handler can start because the peer is not reading our
 * responses. When the limit is reached, `onStalled` is called.
 */
const backlogStallLimit = { pauses: 30, milliseconds: 1_000 };

export interface IncomingRequestsOptions {
  /** Maximum number of concurrent handlers. */
  readonly maxAnswering: number;
  /** Maximum total size of queued requests, in bytes. */
  readonly maxQueuedBytes: number;
  /**
   * Answers a request. Returns a promise if the handler is asynchronous. Neither throws nor
   * rejects.
   */
  readonly answer: (request: IncomingRequest) => Promise<void> | undefined;
  /** Called with a request that was cancelled while it was queued. */
  readonly answerCancelled: (request: IncomingRequest) => void;
  /**
   * Called with a request that does not fit into the queue. `isFirstRefusal` is set for the first
   * such request since the queue last had room.
   */
  readonly refuse: (request: IncomingRequest, isFirstRefusal: boolean) => void;
  /** Returns whether so much output is unwritten that no handler may start. */
  readonly isBacklogged: () => boolean;
  /** Called when the queue has waited too long for the peer to read our responses. */
  readonly onStalled: () => void;
}

/**
 * Incoming requests that have not been answered yet. They are either running or queued.
 *
 * Reading continues while requests are queued, so that a running handler can receive the response,
 * event or cancellation that it is waiting for. When the queue is half full, reading pauses as long
 * as handlers keep completing. If none completes, they may be waiting for unread data. Reading then
 * resumes, and requests that do not fit into the queue are refused.
 */
export class IncomingRequests {
  readonly #options: IncomingRequestsOptions;
  readonly #queue = new Fifo<IncomingRequest>();
  /**
   * Running and queued requests by id. If several requests share an id, this contains the latest
   * one.
   */
  readonly #byId = new Map<unknown, IncomingRequest>();
  readonly #running = new Set<IncomingRequest>();
  #queuedBytes = 0;
  /** Number of running handlers, not counting those of cancel requests. */
  #runningCount = 0;
  #cancelCount = 0;
  /** Incremented whenever the queue gains room. */
  #progress = 0;
  /** Whether reading continues although the queue is full. */
  #isStuck = false;
  #isStarting = false;
  #isStopped = false;
  #isRefusing = false;
  #wake: () => void = () => undefined;

  constructor(options: IncomingRequestsOptions) {
    this.#options = options;
  }

  /** Answers a request immediately or queues it. Cancel requests are never queued. */
  receive(request: IncomingRequest, isCancel: boolean): void {
    if (this.#mayCancelNow(isCancel)) this.#answerCancel(request);
    else if (this.#queue.size === 0 && this.#hasSlot()) this.#answer(request);
    else if (this.#queuedBytes >= this.#options.maxQueuedBytes) {
      const isFirstRefusal = !this.#isRefusing;
      this.#isRefusing = true;
      this.#options.refuse(request, isFirstRefusal);
    } else {
      this.#queue.push(request);
      this.#byId.set(request.id, request);
      this.#queuedBytes += request.bytes + requestBytes;
    }
  }

  /** Cancels a running or queued request. */
  cancel(id: unknown): void {
    const request = this.#byId.get(id);
    if (request === undefined || request.isCancelled) return;
    request.cancel();
    if (!request.isStarted) this.#options.answerCancelled(request);
  }

  /** Starts as many queued requests as the limits allow. */
  startQueued(): void {
    this.#progress++;
    this.#isStuck = false;
    if (!this.#isStarting) {
      this.#isStarting = true;
      while (this.#queue.size > 0 && this.#hasSlot()) {
        const request = this.#queue.shift()!;
        this.#queuedBytes -= request.bytes + requestBytes;
        this.#forget(request);
        if (!request.isAnswered) this.#answer(request);
      }
      this.#isStarting = false;
      this.#isRefusing &&= this.#isHalfFull;
    }
    this.#wake();
  }

  /** Settles when reading may continue. Undefined if it may continue right away. */
  untilRoom(): Promise<void> | undefined {
    return this.#mustWait() ? this.#waitForRoom() : undefined;
  }

  /** Prevents handlers from starting. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.takeAll();
    this.#queuedBytes = 0;
    this.#wake();
  }

  /** Aborts the signals of running handlers. */
  abort(): void {
    for (const request of this.#running) request.cancel();
  }

  get #isHalfFull(): boolean {
    return this.#queuedBytes >= this.#options.maxQueuedBytes / 2;
  }

  #hasSlot(): boolean {
    return this.#runningCount < this.#options.maxAnswering && !this.#options.isBacklogged();
  }

  #mayCancelNow(isCancel: boolean): boolean {
    return isCancel && this.#cancelCount < maxCancelling && !this.#options.isBacklogged();
  }

  #answer(request: IncomingRequest): void {
    // Count the handler first, because the next request may arrive before it returns.
    this.#runningCount++;
    request.isStarted = true;
    const answer = this.#options.answer(request);
    if (answer === undefined) {
      this.#runningCount--;
      if (this.#queue.size > 0 && !this.#isStarting) this.startQueued();
      return;
    }
    this.#begin(request);
    void answer.then(() => {
      this.#runningCount--;
      this.#finish(request);
      this.startQueued();
    });
  }

  /** Answers a cancel request. */
  #answerCancel(request: IncomingRequest): void {
    this.#cancelCount++;
    request.isStarted = true;
    const answer = this.#options.answer(request);
    if (answer === undefined) {
      this.#cancelCount--;
      return;
    }
    this.#begin(request);
    void answer.then(() => {
      this.#cancelCount--;
      this.#finish(request);
    });
  }

  #begin(request: IncomingRequest): void {
    this.#byId.set(request.id, request);
    this.#running.add(request);
  }

  #finish(request: IncomingRequest): void {
    this.#running.delete(request);
    this.#forget(request);
  }

  #forget(request: IncomingRequest): void {
    if (this.#byId.get(request.id) === request) this.#byId.delete(request.id);
  }

  #mustWait(): boolean {
    // Wait if the queue is half full: the other half is reserved for requests in the next chunk.
    if (!this.#isHalfFull || this.#isStopped) return false;
    return !this.#isStuck || this.#options.isBacklogged();
  }

  async #waitForRoom(): Promise<void> {
    let seen = this.#progress;
    for (let pauses = 0; this.#mustWait(); pauses++) {
      const isBacklogged = this.#options.isBacklogged();
      const limit = isBacklogged ? backlogStallLimit : stallLimit;
      if (this.#progress !== seen) {
        seen = this.#progress;
        pauses = 0;
      }
      if (pauses === limit.pauses) {
        if (isBacklogged) this.#options.onStalled();
        else this.#isStuck = true;
        return;
      }
      await this.#pause(limit.milliseconds);
    }
  }

  /** Waits for a delay to pass or for progress, whichever comes first. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const stopTimer = startTimer(milliseconds, resolve);
      this.#wake = () => {
        stopTimer();
        resolve();
      };
    });
  }
}

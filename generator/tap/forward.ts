import type { Readable, Writable } from "node:stream";

/** One of the two that a tap stands between. */
export interface Endpoint {
  /** What it says. */
  readonly input: Readable;
  /** What it is told. */
  readonly output: Writable;
}

/** What a tap tells while it forwards. */
export interface ForwardListener {
  /** Answers when it can take more, if it cannot at once. */
  onBytes(bytes: Uint8Array): Promise<void> | undefined;
  /** The sender has ended, or failed. Called once. */
  onEnd(error: Error | undefined): void;
}

/**
 * Forwards every byte unchanged, before anybody looks at it, at the pace of the receiver and of whoever listens.
 * When the sender ends, the receiver is told; when the receiver is gone, what the sender says is dropped.
 */
export function forward(from: Endpoint, to: Endpoint, listener: ForwardListener): void {
  const { input } = from;
  const { output } = to;
  let isOver = false;
  let isGone = false;
  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    if (!isGone && !output.writableEnded) output.end();
    listener.onEnd(error);
  };
  /** For how many the sender has to wait. */
  let waits = 0;
  let drain: (() => void) | undefined;
  const hold = (): (() => void) => {
    waits++;
    input.pause();
    return () => {
      if (--waits === 0) input.resume();
    };
  };
  const drained = (): void => {
    const release = drain;
    drain = undefined;
    release?.();
  };
  const gone = (): void => {
    isGone = true;
    drained();
    if (waits === 0) input.resume();
  };
  output.on("error", gone);
  output.on("close", gone);
  input.on("data", (bytes: Uint8Array) => {
    const goesOn = isGone || output.writableEnded || output.write(bytes);
    if (!goesOn) drain ??= hold();
    void listener.onBytes(bytes)?.then(hold());
  });
  output.on("drain", drained);
  input.on("error", end);
  input.on("end", () => end());
  input.on("close", () => end());
}

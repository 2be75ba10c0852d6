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
  onBytes(bytes: Uint8Array): void;
  /** The sender has ended, or failed. Called once. */
  onEnd(error: Error | undefined): void;
}

/**
 * Forwards every byte unchanged, before anybody looks at it, at the pace of the receiver. When the sender ends,
 * the receiver is told; when the receiver is gone, what the sender says is dropped.
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
  const gone = (): void => {
    isGone = true;
    input.resume();
  };
  output.on("error", gone);
  output.on("close", gone);
  input.on("data", (bytes: Uint8Array) => {
    const goesOn = isGone || output.writableEnded || output.write(bytes);
    listener.onBytes(bytes);
    if (goesOn) return;
    input.pause();
    output.once("drain", () => input.resume());
  });
  input.on("error", end);
  input.on("end", () => end());
  input.on("close", () => end());
}

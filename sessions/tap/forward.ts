import type { Readable, Writable } from "node:stream";

/** One of the two peers of a tapped session. */
export interface Endpoint {
  /** Bytes that the peer sends. */
  readonly input: Readable;
  /** Receives the bytes meant for the peer. */
  readonly output: Writable;
}

/** Callbacks for `forward`. */
export interface ForwardListener {
  /**
   * Called with bytes that have been forwarded. If it returns a promise, the sender is paused until
   * that promise resolves.
   */
  onBytes(bytes: Uint8Array): Promise<void> | undefined;
  /** Called once, when the sender has ended or failed. */
  onEnd(error: Error | undefined): void;
}

/**
 * Forwards every byte unchanged, then passes it to the listener. Pauses the sender while the
 * receiver or the listener cannot accept more. Ends the receiver's stream when the sender ends,
 * unless `keepsOpen` is set. Once the receiver has closed, further bytes are dropped.
 */
export function forward(
  { input }: Pick<Endpoint, "input">,
  { output }: Pick<Endpoint, "output">,
  listener: ForwardListener,
  { keepsOpen = false }: { readonly keepsOpen?: boolean } = {},
): void {
  let isOver = false;
  let isGone = false;
  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    if (!keepsOpen && !isGone && !output.writableEnded) output.end();
    listener.onEnd(error);
  };
  /** Number of reasons why the sender is currently paused. */
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
  const closed = (): void => {
    isGone = true;
    drained();
    if (waits === 0) input.resume();
  };
  output.on("error", closed);
  output.on("close", closed);
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

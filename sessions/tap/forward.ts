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
  /** Called with bytes that have been forwarded. */
  onBytes(bytes: Uint8Array): void;
  /** Called once, when the sender has ended or failed. */
  onEnd(error: Error | undefined): void;
}

/**
 * Forwards every byte unchanged, then passes it to the listener. Pauses the sender while the
 * receiver cannot accept more. Ends the receiver's stream when the sender ends, unless `keepsOpen`
 * is set. Once the receiver has closed, further bytes are dropped.
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
  const closed = (): void => {
    isGone = true;
    input.resume();
  };
  output.on("error", closed);
  output.on("close", closed);
  input.on("data", (bytes: Uint8Array) => {
    if (!isGone && !output.writableEnded && !output.write(bytes)) input.pause();
    listener.onBytes(bytes);
  });
  output.on("drain", () => input.resume());
  input.on("error", end);
  input.on("end", () => end());
  input.on("close", () => end());
}

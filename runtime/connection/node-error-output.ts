import type { Readable } from "node:stream";

/** Maximum number of bytes kept from the end of an output. */
const keptErrorBytes = 0x2000;
const keptLines = 10;

/** Keeps the last lines of an output. */
export class LastLines {
  #bytes: Uint8Array = new Uint8Array(0);
  #isCut = false;
  #isReading = false;

  constructor(output: Readable) {
    // A consumer that subscribes later still receives everything, because the stream does not flow
    // until then.
    output.on("newListener", (event) => {
      if (event === "data" || event === "readable") this.read(output);
    });
  }

  /** Starts reading the output. */
  read(output: Readable): void {
    if (this.#isReading) return;
    this.#isReading = true;
    output.on("data", (chunk: Uint8Array | string) =>
      this.#keep(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk),
    );
  }

  /** The last lines, without a trailing line feed. */
  get text(): string {
    const lines = new TextDecoder().decode(this.#bytes).trimEnd().split(/\r?\n/);
    // The first line is incomplete if bytes were dropped.
    if (this.#isCut && lines.length > 1) lines.shift();
    return lines.slice(-keptLines).join("\n");
  }

  #keep(chunk: Uint8Array): void {
    const length = this.#bytes.length + chunk.length;
    const last = chunk.subarray(Math.max(0, chunk.length - keptErrorBytes));
    const bytes = new Uint8Array(Math.min(length, keptErrorBytes));
    const rest = bytes.length - last.length;
    bytes.set(this.#bytes.subarray(this.#bytes.length - rest));
    bytes.set(last, rest);
    this.#bytes = bytes;
    this.#isCut ||= length > keptErrorBytes;
  }
}

/** Outputs being forwarded to our stderr. */
const forwarded = new Set<Readable>();

function resumeForwarded(): void {
  for (const output of forwarded) output.resume();
}

/**
 * Forwards an output to our stderr, as if the process had inherited it. If stderr fails, the output
 * is still consumed so that the process does not block.
 */
export function forwardToStderr(output: Readable): void {
  const { stderr } = process;
  if (forwarded.size === 0) stderr.on("error", resumeForwarded).on("drain", resumeForwarded);
  forwarded.add(output);
  output.on("data", (chunk: Uint8Array | string) => {
    if (!stderr.write(chunk) && stderr.writableNeedDrain) output.pause();
  });
  output.once("close", () => {
    forwarded.delete(output);
    if (forwarded.size === 0) stderr.off("error", resumeForwarded).off("drain", resumeForwarded);
  });
}

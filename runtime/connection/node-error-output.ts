import type { Readable } from "node:stream";

/** Bytes and lines that are kept of the end of an output. */
const keptBytes = 8 * 1024;
const keptLines = 10;

/** The last lines of an output. */
export class LastLines {
  #bytes: Uint8Array = new Uint8Array(0);
  #isCut = false;
  #isReading = false;

  constructor(output: Readable) {
    // Whoever reads it later gets all of it: it does not flow before.
    output.on("newListener", (event) => {
      if (event === "data" || event === "readable") this.read(output);
    });
  }

  /** Reads along from now on. */
  read(output: Readable): void {
    if (this.#isReading) return;
    this.#isReading = true;
    output.on("data", (chunk: Uint8Array | string) =>
      this.#keep(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk),
    );
  }

  /** Without the line feed at the end. */
  get text(): string {
    const lines = new TextDecoder().decode(this.#bytes).trimEnd().split(/\r?\n/);
    // The first line of what is left of more is not whole.
    if (this.#isCut && lines.length > 1) lines.shift();
    return lines.slice(-keptLines).join("\n");
  }

  #keep(chunk: Uint8Array): void {
    const length = this.#bytes.length + chunk.length;
    const last = chunk.subarray(Math.max(0, chunk.length - keptBytes));
    const bytes = new Uint8Array(Math.min(length, keptBytes));
    const rest = bytes.length - last.length;
    bytes.set(this.#bytes.subarray(this.#bytes.length - rest));
    bytes.set(last, rest);
    this.#bytes = bytes;
    this.#isCut ||= length > keptBytes;
  }
}

/** Outputs that are passed on to ours. */
const forwarded = new Set<Readable>();

function resumeForwarded(): void {
  for (const output of forwarded) output.resume();
}

/**
 * Passes an output on to our error output, as if the process had inherited that. Where ours has failed, it is
 * read all the same, so that the process does not wait.
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

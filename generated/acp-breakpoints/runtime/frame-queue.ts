import type { Transport } from "./transport.js";

/** Writes frames one behind the other, each with one call, at the pace of the transport. */
export class FrameQueue {
  readonly #transport: Transport;
  readonly #onError: (error: unknown) => void;
  /** The frames that are being written and those behind them. */
  #writing: Promise<void> | undefined;

  constructor(transport: Transport, onError: (error: unknown) => void) {
    this.#transport = transport;
    this.#onError = onError;
  }

  /** Writes a frame; resolves when the transport takes more. Never rejects. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#writing !== undefined)
      return this.#follow(this.#writing.then(() => this.#transport.write(bytes)));
    try {
      const writing = this.#transport.write(bytes);
      return writing instanceof Promise ? this.#follow(writing) : done;
    } catch (error) {
      this.#onError(error);
      return done;
    }
  }

  /** Resolves when everything has been written. */
  async drain(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #follow(writing: Promise<void>): Promise<void> {
    const settled: Promise<void> = writing.catch(this.#onError).then(() => {
      if (this.#writing === settled) this.#writing = undefined;
    });
    this.#writing = settled;
    return settled;
  }
}

const done = /* @__PURE__ */ Promise.resolve();

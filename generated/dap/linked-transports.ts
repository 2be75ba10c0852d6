// Copied by wirewright. Do not edit: change the original.

import type { Transport } from "./runtime/index.js";

/**
 * Two ends of a connection within the program. For an adapter that is to be tested without a
 * process: `const [own, adapters] = linkTransports(); adapter(adapters); launch(own, …)`.
 */
export function linkTransports(): readonly [Required<Transport>, Required<Transport>] {
  const [first, second] = [new End(), new End()];
  return [first.to(second), second.to(first)];
}

/** Opens an adapter of `defineAdapter` within the program, as the target of a session. */
export function openInside(adapter: (transport: Transport) => unknown): () => Transport {
  return () => {
    const [own, adapters] = linkTransports();
    adapter(adapters);
    return own;
  };
}

class End {
  #onBytes: Parameters<Transport["read"]>[0] | undefined;
  #onEnd: Parameters<Transport["read"]>[1] = () => undefined;
  #arriving: Promise<unknown> = Promise.resolve();
  #waiting: (() => void) | undefined;
  #isOver = false;

  /** Bytes, or the end, arrive here behind what has arrived before. */
  arrive(bytes: Uint8Array | undefined): void {
    this.#arriving = this.#arriving.then(async () => {
      if (this.#onBytes === undefined) await new Promise<void>((read) => (this.#waiting = read));
      if (this.#isOver) return;
      if (bytes !== undefined) return this.#onBytes!(bytes);
      this.#isOver = true;
      this.#onEnd(undefined, "the other side has closed the connection");
    });
    this.#arriving.catch(() => undefined);
  }

  /** This end as a transport to another one. */
  to(other: End): Required<Transport> {
    const close = (): void => {
      this.arrive(undefined);
      other.arrive(undefined);
    };
    return {
      read: (onBytes, onEnd) => {
        this.#onBytes = onBytes;
        this.#onEnd = onEnd;
        this.#waiting?.();
      },
      write: (bytes) => {
        if (this.#isOver) throw new Error("The connection has been closed");
        other.arrive(bytes.slice());
      },
      close,
      destroy: close,
    };
  }
}

import { createEncoder } from "../../../generated/dap/codec.js";
import { FrameDecoder, type Transport } from "@wirewright/runtime";

/** A message of any kind. */
export interface AnyMessage {
  readonly [field: string]: unknown;
}

/** A transport whose other end is code in this program, which receives and sends the messages. */
export class PlayedAdapter implements Transport {
  readonly #decoder: FrameDecoder;
  readonly #encoder = createEncoder();
  readonly #whenOpen: () => void;
  #onBytes: Parameters<Transport["read"]>[0] = () => undefined;
  #onEnd: Parameters<Transport["read"]>[1] = () => undefined;
  /** Settles once all messages to the client have been delivered, one after another. */
  #arriving: Promise<void> = Promise.resolve();
  /** Settles once all messages from the client have been received, one after another. */
  #receiving: Promise<void> = Promise.resolve();
  #sent = 0;
  #isOver = false;

  constructor(
    receive: (message: AnyMessage) => void | Promise<void>,
    whenOpen: () => void = () => undefined,
  ) {
    this.#whenOpen = whenOpen;
    this.#decoder = new FrameDecoder({
      onMessage: (message) => {
        // The client's write must have returned before the response arrives.
        this.#receiving = this.#receiving
          .then(() => (this.#isOver ? undefined : receive(message as AnyMessage)))
          .catch((error: unknown) => this.end(error));
      },
    });
  }

  read(...[onBytes, onEnd]: Parameters<Transport["read"]>): void {
    this.#onBytes = onBytes;
    this.#onEnd = onEnd;
    this.#whenOpen();
  }

  write(bytes: Uint8Array): void {
    if (this.#isOver) throw new Error("The adapter has ended");
    this.#decoder.push(bytes);
  }

  close(): void {
    this.end();
  }

  destroy(): void {
    this.end();
  }

  /** Sends a message, numbering it unless it has a `seq`. Returns its number. */
  send(message: object): number {
    const { seq = ++this.#sent } = message as { readonly seq?: number };
    const bytes = this.#encoder.encode({ ...message, seq } as never);
    this.#arriving = this.#arriving.then(() => (this.#isOver ? undefined : this.#onBytes(bytes)));
    this.#arriving.catch(() => undefined);
    return seq;
  }

  /** Ends the connection after the messages already sent. */
  end(error?: unknown, detail = "the adapter has ended"): void {
    this.#arriving = this.#arriving.then(() => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#onEnd(error, error === undefined ? detail : undefined);
    });
  }
}

import { ScriptedTransport, framesOf, type Fields } from "./scripted-connection.js";

/** An adapter that a test plays by defining its messages for each request. */
export class ScriptedAdapter extends ScriptedTransport {
  readonly #answer: (request: Fields, adapter: ScriptedAdapter) => readonly object[];
  /** Splits the messages' bytes into chunks. */
  readonly #chunks: (bytes: Uint8Array) => readonly Uint8Array[];
  #seen = 0;
  #seq = 0;
  #arrived = Promise.resolve();

  constructor(
    answer: (request: Fields, adapter: ScriptedAdapter) => readonly object[],
    chunks: (bytes: Uint8Array) => readonly Uint8Array[] = (bytes) => [bytes],
  ) {
    super();
    this.#answer = answer;
    this.#chunks = chunks;
    this.onClose = () => this.end();
  }

  override write(bytes: Uint8Array): void {
    void super.write(bytes);
    for (const message of this.written.slice(this.#seen)) {
      this.#seen++;
      if (message["type"] !== "request") continue;
      setImmediate(() => void this.arrive(this.#answer(message, this)));
    }
  }

  /** Delivers messages to the client, chunk by chunk. */
  arrive(messages: readonly object[]): Promise<void> {
    return (this.#arrived = this.#arrived.then(() => this.#arrive(messages)));
  }

  async #arrive(messages: readonly object[]): Promise<void> {
    const numbered = messages.map((each) => ({ seq: ++this.#seq, ...each }));
    for (const chunk of this.#chunks(framesOf(numbered))) {
      await this.onBytes(chunk);
      if (messages.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The names of the requests that the adapter has received. */
  get requests(): readonly string[] {
    return this.written.flatMap(({ type, command }) =>
      type === "request" ? [String(command)] : [],
    );
  }
}

export function answer(
  { seq, command }: Fields,
  body?: object,
): { readonly type: "response"; readonly [field: string]: unknown } {
  return { type: "response", request_seq: seq, success: true, command, ...(body && { body }) };
}

export function refusal({ seq, command }: Fields, message: string): object {
  return { type: "response", request_seq: seq, success: false, command, message };
}

export function event(name: string, body?: object): object {
  return { type: "event", event: name, ...(body && { body }) };
}

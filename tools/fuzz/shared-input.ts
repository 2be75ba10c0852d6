/** Maximum length of an input in shared memory. */
const capacity = 1 << 20;

/** A worker's current input, shared with the thread that watches the worker. */
export class SharedInput {
  readonly memory: SharedArrayBuffer;
  /** The number of inputs so far, followed by the length and the salt of the latest one. */
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(12 + capacity)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 3);
    this.#bytes = new Uint8Array(memory, 12);
  }

  write(input: Uint8Array, salt: number): void {
    const shown = input.length > capacity ? input.subarray(0, capacity) : input;
    this.#bytes.set(shown);
    this.#head[1] = shown.length;
    this.#head[2] = salt;
    Atomics.add(this.#head, 0, 1);
  }

  /** Number of inputs started so far, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.#head, 0);
  }

  read(): { readonly input: Uint8Array; readonly salt: number } {
    return { input: this.#bytes.slice(0, this.#head[1]), salt: this.#head[2]! };
  }
}

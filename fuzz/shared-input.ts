/** Most bytes of an input that can be told to another thread. */
const capacity = 1 << 20;

/** The input that a worker is running, for the thread that watches it. */
export class SharedInput {
  readonly memory: SharedArrayBuffer;
  /** How many there were; the length of the last one; its salt. */
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

  /** Inputs that were begun, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.#head, 0);
  }

  read(): { readonly input: Uint8Array; readonly salt: number } {
    return { input: this.#bytes.slice(0, this.#head[1]), salt: this.#head[2]! };
  }
}

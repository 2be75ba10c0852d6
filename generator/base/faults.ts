import { InputError } from "./input-error.js";

/** Faults in an input, after which reading continues, so that all of them are reported at once. */
export class Faults {
  readonly #faults = new Map<string, InputError>();

  /** Adds a fault, with the arguments of an InputError. The same fault counts once. */
  add(...fault: ConstructorParameters<typeof InputError>): void {
    const [, message, place] = fault;
    const key = JSON.stringify([message, place]);
    if (!this.#faults.has(key)) this.#faults.set(key, new InputError(...fault));
  }

  /** Throws an InputError with all faults, if there are any. */
  settle(): void {
    const [first, ...others] = this.#faults.values();
    if (first !== undefined) throw InputError.ofAll([first, ...others]);
  }
}

import type { SourceFile } from "../printer/source-file.js";

/**
 * Functions and constants that the conditions in a module share. Equal functions and constants are
 * emitted only once.
 */
export class SharedParts {
  readonly #file: SourceFile;
  /** Names of the functions and constants in the module, by the type that they check. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #printers: (() => void)[] = [];

  constructor(file: SourceFile) {
    this.#file = file;
  }

  /**
   * Returns the name of a function or constant, choosing it on first use. `print` emits the
   * function or constant later.
   *
   * @param key The type that the function or constant checks.
   */
  name(key: string, label: string, print: (name: string) => void): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = label;
    for (let count = 2; this.#taken.has(name); count++) name = `${label}${count}`;
    this.#taken.add(name);
    this.#names.set(key, name);
    this.#printers.push(() => print(name));
    return name;
  }

  /** Emits the functions and constants that have been named since the last call. */
  print(): void {
    // Emitting a function may require more functions to be emitted.
    for (let print = this.#printers.shift(); print !== undefined; print = this.#printers.shift()) {
      print();
      this.#file.line();
    }
  }
}

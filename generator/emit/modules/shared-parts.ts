import type { SourceFile } from "../printer/source-file.js";

/** Functions and constants that several conditions of a module share. Equal ones are printed once. */
export class SharedParts {
  readonly #file: SourceFile;
  /** Names in the module by the type that they check. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #printers: (() => void)[] = [];

  constructor(file: SourceFile) {
    this.#file = file;
  }

  /**
   * The name of a function or constant. It is created on first use, and printed later.
   *
   * @param key The type that it checks.
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

  /** Prints the functions that have been named since the last call. */
  print(): void {
    // Printing one may add others.
    for (let print = this.#printers.shift(); print !== undefined; print = this.#printers.shift()) {
      print();
      this.#file.line();
    }
  }
}

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { InstrumentedFile } from "./instrument.js";

/** Names of the runner's own files in `build/`, which do not belong to the project. */
const ownFiles = /^\.?mutants-/;

/** A copy of the project in which some files are instrumented and all others are linked. */
export class ScratchTree {
  readonly root: string;
  readonly #removeAtExit = (): void => this.remove();

  constructor(root: string, files: readonly InstrumentedFile[]) {
    mkdirSync(join(root, "build"), { recursive: true });
    this.root = mkdtempSync(join(root, "build", ".mutants-"));
    for (const name of readdirSync(root)) {
      if (name === ".git") continue;
      if (name === "build" || name === "runtime") this.#copy(root, name);
      else symlinkSync(join(root, name), join(this.root, name));
    }
    for (const file of files) this.#put(file);
    process.once("exit", this.#removeAtExit);
  }

  remove(): void {
    process.off("exit", this.#removeAtExit);
    rmSync(this.root, { recursive: true, force: true });
  }

  #copy(root: string, name: string): void {
    for (const entry of readdirSync(join(root, name)))
      if (!ownFiles.test(entry))
        cpSync(join(root, name, entry), join(this.root, name, entry), { recursive: true });
  }

  /**
   * Writes an instrumented file and replaces its copies: generated packages embed `runtime/`, and
   * tests generate further packages from the sources.
   */
  #put({ path, typescript, javascript }: InstrumentedFile): void {
    const compiled = path.replace(/\.ts$/, ".js");
    writeFileSync(join(this.root, "build", compiled), javascript);
    if (!path.startsWith("runtime/")) return;
    writeFileSync(join(this.root, path), typescript);
    const name = basename(compiled);
    for (const folder of packagedRuntimes(join(this.root, "build")))
      writeFileSync(join(folder, name), javascript);
  }
}

/** Copies of `runtime/` in compiled packages. */
function packagedRuntimes(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = join(folder, name);
      if (name !== "runtime") return packagedRuntimes(path);
      return basename(folder) === "test" ? [] : [path];
    });
}

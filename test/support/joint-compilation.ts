import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject, writeFiles } from "./compile.js";
import { compileStrictly, type Compiler } from "./compilers.js";

type Files = ReadonlyMap<string, string>;

/** Removes descriptions, because compilers ignore them. */
function codeOf(files: Files): string {
  const modules = [...files].filter(([path]) => path.endsWith(".ts"));
  return modules
    .map(([path, text]) => `${path}\n${text.replace(/^\s*(\/\/|\/?\*).*$/gm, "")}`)
    .join("");
}

/** How many packages a compiler reads at once. */
const together = 8;

/** Compiles packages in groups, each code once, and asserts that there are no errors. */
export class JointCompilation {
  readonly #compilers: readonly Compiler[];
  #waiting = new Map<string, Files>();
  readonly #seen = new Set<string>();

  constructor(compilers: readonly Compiler[]) {
    this.#compilers = compilers;
  }

  get packages(): number {
    return this.#seen.size;
  }

  async add(name: string, files: Files): Promise<void> {
    const code = codeOf(files);
    if (!this.#seen.has(code)) this.#waiting.set(name, files);
    this.#seen.add(code);
    if (this.#waiting.size >= together) await this.end();
  }

  async end(): Promise<void> {
    const packages = this.#waiting;
    if (packages.size === 0) return;
    this.#waiting = new Map();
    await withProject((folder) => {
      const paths: string[] = [];
      for (const [name, files] of packages) {
        const own = name.replaceAll(/\W/g, "-");
        writeFiles(join(folder, own), files);
        paths.push(...[...files.keys()].map((path) => `${own}/${path}`));
      }
      for (const compiler of this.#compilers)
        assert.equal(compileStrictly(compiler, folder, paths), "", compiler.version);
    });
  }
}

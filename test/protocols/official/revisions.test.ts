/**
 * Checks that published schema revisions generate packages that compile. If `OFFICIAL_CLONES` names
 * a folder with clones of their repositories, all revisions are read, and refused ones are listed
 * with the reason.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { generate, InputError } from "../../../cli/index.js";
import { compile, installedCompilers, withFolder, writeFiles } from "../../support/compile.js";
import { isLong } from "../../support/long-tests.js";
import { cloneOf, officialSchemas, revisionsOf } from "../../support/official-history.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";

type Files = ReadonlyMap<string, string>;

/** A schema revision, which may consist of several files. */
interface Revision {
  readonly name: string;
  readonly schema: readonly string[];
}

/**
 * Lists the published revisions in a folder. For MCP, each file is a version. For the others, all
 * files together form one version.
 */
function publishedIn(folder: string, protocol: string): readonly Revision[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"))
    .sort()
    .map((name) => join(folder, name));
  return protocol === "mcp"
    ? files.map((path) => ({ name: basename(path, ".json"), schema: [path] }))
    : [{ name: "newest", schema: files }];
}

/** Removes descriptions, because compilers ignore them. */
function codeOf(files: Files): string {
  const modules = [...files].filter(([path]) => path.endsWith(".ts"));
  return modules
    .map(([path, text]) => `${path}\n${text.replace(/^\s*(\/\/|\/?\*).*$/gm, "")}`)
    .join("");
}

/** How many packages a compiler reads at once. */
const together = 8;

/** Compiles packages in groups and asserts that there are no errors. */
class Compilation {
  readonly #compilers: typeof installedCompilers;
  #waiting = new Map<string, Files>();
  readonly #seen = new Set<string>();

  constructor(compilers: typeof installedCompilers) {
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
    await withFolder((folder) => {
      for (const [name, files] of packages) {
        const own = join(folder, name.replaceAll(/\W/g, "-"));
        writeFiles(own, files);
        // All packages contain the same runtime, so the compiler needs to read it only once.
        rmSync(join(own, "runtime"), { recursive: true });
        symlinkSync(fromRoot("runtime"), join(own, "runtime"), "junction");
      }
      const config = readFileSync(fromRoot("test/fixtures/ticker/generated/tsconfig.json"), "utf8");
      writeFiles(folder, {
        "tsconfig.json": JSON.stringify({
          ...(JSON.parse(config) as object),
          include: ["*/*.ts"],
        }),
      });
      for (const compiler of this.#compilers)
        assert.equal(compile(compiler, "-p", folder, "--noEmit"), "", compiler);
    });
  }
}

for (const protocol of ["mcp", "lsp", "cdp"])
  test(
    `packages generated from published revisions of ${protocol} compile`,
    { skip: skipWithout(`schemas/${protocol}`) },
    async () => {
      // The older compiler takes minutes, so only long test runs use it.
      const compilation = new Compilation(
        installedCompilers.filter((compiler) => compiler === "TypeScript 7" || isLong),
      );
      for (const { name, schema } of publishedIn(shared(`schemas/${protocol}`)!, protocol))
        await compilation.add(name, (await generate(protocol, { schema })).files);
      await compilation.end();
    },
  );

for (const [protocol, schemas] of Object.entries(officialSchemas)) {
  const missing = schemas.find(({ repository }) => cloneOf(repository) === undefined);
  const skip =
    missing !== undefined && `needs OFFICIAL_CLONES, a folder with a clone ${missing.repository}`;

  test(`all revisions of ${protocol} compile or are refused`, { skip }, async (t) => {
    const compilation = new Compilation(installedCompilers);
    const refused: string[] = [];
    let count = 0;
    for (const { name, texts } of schemas.flatMap((schema) => [...revisionsOf(schema)])) {
      count++;
      const files = await withFolder(async (folder) => {
        const named = texts.map((text, index): [string, string] => [`${index}.json`, text]);
        writeFiles(folder, new Map(named));
        try {
          const schema = named.map(([file]) => join(folder, file));
          return (await generate(protocol, { schema })).files;
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          refused.push(`${name} ${error.place.pointer ?? ""}: ${error.message}`);
          return undefined;
        }
      });
      if (files !== undefined) await compilation.add(name, files);
    }
    await compilation.end();
    t.diagnostic(
      `${count} revisions: ${count - refused.length} compile as ${compilation.packages} packages, ${refused.length} are refused`,
    );
    const golden = fromRoot(`test/golden/refused-revisions/${protocol}.txt`);
    const text = refused.map((line) => `${line}\n`).join("");
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
}

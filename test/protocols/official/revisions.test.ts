/**
 * Published revisions of schemas generate packages that compile. `OFFICIAL_REVISIONS` names a folder with others, each
 * `PROTOCOL/REVISION/FILE.json`: those that are refused are listed.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { generate, InputError } from "../../../generator/index.js";
import {
  compile,
  installedCompilers,
  withFolder,
  writeFiles,
} from "../../../tools/shared/compile.js";
import { isLong } from "../../support/long-tests.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";

/** A revision of a schema, which may consist of several files. */
interface Revision {
  readonly name: string;
  readonly schema: readonly string[];
}

const elsewhere = process.env["OFFICIAL_REVISIONS"];

function revisionsOf(protocol: string): readonly Revision[] {
  if (elsewhere === undefined) return publishedIn(shared(`schemas/${protocol}`)!, protocol);
  const folder = join(elsewhere, protocol);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => ({ name, schema: filesIn(join(folder, name)) }));
}

/** The folder has a file for each version, or the files of one. */
function publishedIn(folder: string, protocol: string): readonly Revision[] {
  const files = filesIn(folder).filter((path) => !path.endsWith(".schema.json"));
  return protocol === "mcp"
    ? files.map((path) => ({
        name: basename(path, ".json"),
        schema: [path],
      }))
    : [{ name: "newest", schema: files }];
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

/** The older compiler takes minutes. */
const used = installedCompilers.filter(
  (compiler) => compiler === "TypeScript 7" || isLong || elsewhere !== undefined,
);

/** Packages that a compiler reads at once. */
const together = 8;

for (const protocol of ["mcp", "lsp", "cdp"])
  test(
    `published revisions of ${protocol} compile`,
    { skip: elsewhere === undefined && skipWithout(`schemas/${protocol}`) },
    async (t) => {
      const revisions = revisionsOf(protocol);
      const refused: string[] = [];
      for (let start = 0; start < revisions.length; start += together)
        await withFolder(async (folder) => {
          for (const { name, schema } of revisions.slice(start, start + together))
            try {
              const { files } = await generate(protocol, { schema });
              writeFiles(join(folder, name), files);
              // All of them carry the same runtime, which the compiler needs to see once.
              rmSync(join(folder, name, "runtime"), { recursive: true });
              symlinkSync(fromRoot("runtime"), join(folder, name, "runtime"), "junction");
            } catch (error) {
              if (!(error instanceof InputError)) throw error;
              refused.push(`${name}: ${error.place.pointer ?? ""}: ${error.message}`);
            }
          if (readdirSync(folder).length === 0) return;
          const config = readFileSync(fromRoot("generated/dap/tsconfig.json"), "utf8");
          const include = { include: ["*/*.ts"] };
          writeFiles(folder, {
            "tsconfig.json": JSON.stringify({ ...(JSON.parse(config) as object), ...include }),
          });
          for (const compiler of used)
            assert.equal(compile(compiler, "-p", folder, "--noEmit"), "", compiler);
        });
      t.diagnostic(`${revisions.length - refused.length} of ${revisions.length} revisions compile`);
      if (elsewhere === undefined) assert.deepEqual(refused, []);
      for (const each of refused) t.diagnostic(each);
    },
  );

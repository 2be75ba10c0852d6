/** Every revision of official schemas generates code that compiles, or is refused with a sentence that is kept here. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { emitPackage } from "../../../generator/emit/emit-package.js";
import { InputError, readProtocol } from "../../../generator/index.js";
import {
  compile,
  installedCompilers,
  withFolder,
  writeFiles,
} from "../../../tools/shared/compile.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import {
  cloneOf,
  officialSchemas,
  revisionsOf,
  type Revision,
} from "../../support/official-history.js";

/** How many packages a compiler reads at once. */
const batch = 12;

type Package = ReadonlyMap<string, string>;

async function packageOf(protocol: string, { texts }: Revision): Promise<Package> {
  return withFolder(async (folder) => {
    const files = texts.map((text, index): [string, string] => [`${index}.json`, text]);
    writeFiles(folder, new Map(files));
    const schema = files.map(([name]) => join(folder, name));
    return emitPackage(await readProtocol(protocol, { schema }));
  });
}

/** The code without texts, which compilers do not read. */
function codeOf(files: Package): string {
  return [...files]
    .map(([path, text]) => `${path}\n${text.replace(/^\s*\/?\*.*$/gm, "")}`)
    .join("");
}

/** The complaints of all compilers. */
async function complaintsOf(packages: readonly (readonly [string, Package])[]): Promise<string[]> {
  return withFolder((folder) => {
    for (const [index, [, files]] of packages.entries())
      writeFiles(join(folder, `p${index}`), files);
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, target: "es2022", module: "nodenext", types: ["node"] },
          skipLibCheck: true,
        },
        include: ["p*/**/*.ts"],
      }),
    });
    return installedCompilers.flatMap((compiler) => {
      const text = compile(compiler, "-p", folder, "--pretty", "false");
      return text === "" ? [] : [`${compiler}\n${text}`];
    });
  });
}

for (const [protocol, schemas] of Object.entries(officialSchemas)) {
  const missing = schemas.find(({ repository }) => cloneOf(repository) === undefined);
  const skip =
    missing !== undefined && `needs OFFICIAL_CLONES, a folder with a clone ${missing.repository}`;

  test(`all revisions of ${protocol} compile or are refused`, { skip }, async (context) => {
    const refused: string[] = [];
    const waiting: [string, Package][] = [];
    const complaints: string[] = [];
    const seen = new Set<string>();
    let count = 0;
    for (const revision of schemas.flatMap((schema) => [...revisionsOf(schema)])) {
      count++;
      try {
        const files = await packageOf(protocol, revision);
        const code = codeOf(files);
        if (!seen.has(code)) waiting.push([revision.name, files]);
        seen.add(code);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        refused.push(`${revision.name} ${error.place.pointer ?? ""}: ${error.message}`);
      }
      if (waiting.length >= batch) complaints.push(...(await complaintsOf(waiting.splice(0))));
    }
    complaints.push(...(await complaintsOf(waiting)));
    context.diagnostic(`${count} revisions, ${seen.size} packages, ${refused.length} refused`);
    assert.deepEqual(complaints, []);
    const golden = fromRoot(`test/golden/refused-revisions/${protocol}.txt`);
    const text = `${refused.join("\n")}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
}

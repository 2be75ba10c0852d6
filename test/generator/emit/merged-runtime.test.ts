import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ts } from "ts-morph";
import { mergeRuntime } from "../../../generator/emit/merged-runtime.js";
import { generate } from "../../../generator/index.js";
import { fromRoot } from "../../../tools/shared/paths.js";

/** Names that a file declares at its top; those of a host are declared alike wherever they are. */
function declaredNames(text: string): readonly string[] {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ES2022);
  return source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true
        ? []
        : statement.declarationList.declarations.map(({ name }) => name.getText(source));
    const { name } = statement as { readonly name?: ts.Node };
    // Overloads of a function have one name.
    return name === undefined ||
      (ts.isFunctionDeclaration(statement) && statement.body === undefined)
      ? []
      : [name.getText(source)];
  });
}

test("names at the top of the modules of the runtime differ, so that they fit into one file", () => {
  const paths = readdirSync(fromRoot("runtime"), { recursive: true, encoding: "utf8" });
  const found = new Map<string, string>();
  for (const path of paths.filter((each) => each.endsWith(".ts")))
    for (const name of declaredNames(readFileSync(fromRoot(`runtime/${path}`), "utf8"))) {
      assert.equal(
        found.get(name),
        undefined,
        `${name} is declared in ${path}, too: choose another name`,
      );
      found.set(name, path);
    }
  assert.ok(found.size > 700, `${found.size} names`);
});

test("modules are put into files in the order in which they run", () => {
  const merged = mergeRuntime(
    new Map([
      [
        "index.ts",
        '// Entry.\n\nexport { A as Any, type B } from "./a/a.js";\nexport * as option from "./base/check-options.js";\n',
      ],
      ["node.ts", '// Entry.\n\nexport { n } from "./a/n.js";\n'],
      [
        "base/check-options.ts",
        'import { near } from "./near.js";\n\nexport const text: string = near;\n',
      ],
      ["base/near.ts", 'export const near = "near";\n'],
      [
        "a/a.ts",
        'import * as option from "../base/check-options.js";\nimport { b, type B } from "./b.js";\n\nexport type { B };\ndeclare const setTimeout: Later;\n\n/** An A. */\nexport class A {\n  b: B = b + option.text;\n}\n',
      ],
      [
        "a/b.ts",
        'import type { Later } from "../base/near.js";\n\nexport type B = string;\ndeclare const setTimeout: Later;\nexport const b = "b";\n',
      ],
      [
        "a/n.ts",
        'import { spawn } from "node:child_process";\nimport { A } from "./a.js";\nimport type { B } from "./b.js";\n\nexport const n: B = new A().b + spawn.name;\n',
      ],
    ]),
  );
  const head = "// What this package uses of the runtime.\n\n";
  assert.deepEqual(Object.fromEntries(merged), {
    "options.ts": `${head}export const near = "near";\n\nexport const text: string = near;\n`,
    "index.ts": `${head}import type { Later } from "./options.js";\n\nimport * as option from "./options.js";\n\nexport { A as Any };\nexport * as option from "./options.js";\n\nexport type B = string;\ndeclare const setTimeout: Later;\nexport const b = "b";\n\n/** An A. */\nexport class A {\n  b: B = b + option.text;\n}\n`,
    "node.ts": `${head}import { A, type B } from "./index.js";\nimport { spawn } from "node:child_process";\n\nexport const n: B = new A().b + spawn.name;\n`,
  });
});

test("the package that is written by default has at most 50 files", async () => {
  const { only } = (await import("../../../generator/library/generate.js")).generatedByDefault(
    "dap",
    undefined,
  );
  const { files } = await generate("dap", { trusted: true, only: only! });
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  assert.ok(files.size <= 50, `${files.size} files`);
  assert.ok(bytes <= 1_100_000, `${bytes} bytes`);
});

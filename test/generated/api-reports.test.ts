import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ApiReport } from "../support/api-report.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";

for (const name of packagedProtocols) {
  const folder = fromRoot(`test/golden/api/${name}`);

  test(`${name} has the declarations listed in its reports (UPDATE_GOLDEN=1 updates them)`, () => {
    const entries = [...entryPoints(name)].map(([entry, path]): [string, string] => [
      entry,
      fromRoot(`build/${path}.d.ts`),
    ]);
    const report = new ApiReport(entries.map(([, file]) => file));
    const texts = entries.map(([entry, file]): [string, string] => [
      `${entry}.txt`,
      report.ofEntry(entry, file),
    ]);
    if (process.env["UPDATE_GOLDEN"] !== undefined) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [file, text] of texts) writeFileSync(`${folder}/${file}`, text);
    }
    assert.ok(existsSync(folder), `${folder} is missing`);
    assert.deepEqual(readdirSync(folder).sort(), texts.map(([file]) => file).sort());
    for (const [file, text] of texts)
      assert.deepEqual(text.split("\n"), readFileSync(`${folder}/${file}`, "utf8").split("\n"));
  });
}

test("the tool has the declarations listed in its report and exports the types in its signatures", () => {
  const golden = fromRoot("test/golden/api/wirewright.txt");
  const file = fromRoot("build/cli/index.d.ts");
  const text = new ApiReport([file]).ofEntry("index", file);
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, text);
  assert.deepEqual(text.split("\n"), readFileSync(golden, "utf8").split("\n"));
  const [, hidden = ""] = text.split("// Not exported\n");
  // The declaration of a type derived from a value contains the name of that value.
  const names = hidden.matchAll(
    /^(?:export )?(?:declare )?(?:interface|type|class|function) (\w+)/gm,
  );
  assert.deepEqual(
    [...names].map(([, name]) => name),
    [],
  );
});

test("an API report lists signatures, marks type-only exports and lists the types that exports use", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "index.d.ts":
        'import { Shape } from "./shapes.js";\n' +
        'export { type Hidden, Shape as Form } from "./shapes.js";\n' +
        "/** Documented. */\nexport declare function area(of: Shape, ...more: Extra[]): number;\n" +
        "interface Extra { readonly size: number }\n",
      "shapes.d.ts":
        "export declare class Shape { #private; private kept; readonly sides: number; }\n" +
        "export declare class Hidden { private constructor(); }\n",
      "node.d.ts": 'export { area } from "./index.js";\nexport declare const one: 1;\n',
    });
    const report = new ApiReport([`${folder}/index.d.ts`, `${folder}/node.d.ts`]);
    assert.deepEqual(report.ofEntry("index", `${folder}/index.d.ts`).split("\n\n"), [
      "// index",
      "export type { Hidden };\nexport declare class Hidden {\n    private constructor();\n}",
      "export { Shape as Form };\nexport declare class Shape {\n    readonly sides: number;\n}",
      "export { area };\nexport declare function area(of: Shape, ...more: Extra[]): number;",
      "// Not exported",
      "interface Extra {\n    readonly size: number;\n}\n",
    ]);
    assert.deepEqual(report.ofEntry("node", `${folder}/node.d.ts`).split("\n\n"), [
      "// node",
      'export { area } from "index";',
      "export { one };\nexport declare const one: 1;\n",
    ]);
  });
});

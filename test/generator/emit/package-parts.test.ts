import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "../../../cli/index.js";
import { generatedParts } from "../../../generator/emit/package-parts.js";
import { compile, withProject, writeFiles } from "../../support/compile.js";

for (const [part, modules] of [
  ["types", ["index.ts", "messages.ts", "types.ts"]],
  ["guards", ["guards.ts", "index.ts", "maps.ts", "messages.ts", "types.ts"]],
  ["maps", ["index.ts", "maps.ts", "messages.ts", "types.ts"]],
  ["validators", ["index.ts", "messages.ts", "types.ts", "validators.ts"]],
] as const)
  test(`with only the part "${part}", the output has those modules that it needs`, async () => {
    const { files } = await generate("dap", { only: [part] });
    assert.deepEqual([...files.keys()], modules);
  });

test("the parts together are all modules", async () => {
  const { files } = await generate("dap", { only: generatedParts });
  assert.deepEqual([...files], [...(await generate("dap")).files]);
});

test("the package.json and the README of a partial package list only its entry points", async () => {
  const { files } = await generate("dap", { only: ["validators"], packageName: "checks" });
  const { exports } = JSON.parse(files.get("package.json")!) as { exports: object };
  assert.deepEqual(Object.keys(exports), [".", "./types", "./validators", "./package.json"]);
  assert.doesNotMatch(files.get("README.md")!, /checks\/(node|connection)/);
});

test("each part alone compiles", async () => {
  await withProject(async (folder) => {
    const present = generatedParts.filter((part) => part !== "configuration");
    for (const part of present)
      writeFiles(join(folder, part), (await generate("dap", { only: [part] })).files);
    const { files } = await generate("dap", { only: ["types"], packageName: "x" });
    const config = JSON.parse(files.get("tsconfig.json")!) as object;
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({
        ...config,
        include: ["*/*.ts"],
        exclude: ["node_modules"],
      }),
    });
    assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
  });
});

test("an unknown part is refused with a suggestion", async () => {
  await assert.rejects(generate("dap", { only: ["types", "validtors"] }), {
    code: "ERR_ARGUMENT",
    message: 'Cannot write only "validtors", which is not a part of this package',
    hint: 'Did you mean "validators"?',
  });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "../../../cli/index.js";
import { buildParts, generatedParts } from "../../../generator/emit/package-parts.js";
import { compile, withFolder, writeFiles } from "../../support/compile.js";

const common = [
  ".gitattributes",
  "README.md",
  "cjs/package.json",
  "index.ts",
  "package.json",
  "runtime/index.ts",
  "runtime/node.ts",
  "tsconfig.cjs.json",
  "tsconfig.json",
];

/**
 * Lists the files in a partial package, except those that all packages share and the runtime
 * modules.
 */
async function filesOfParts(only: readonly string[]): Promise<readonly string[]> {
  const { files } = await generate("dap", { only });
  const paths = [...files.keys()];
  assert.deepEqual(
    common.filter((path) => !paths.includes(path)),
    [],
  );
  return paths.filter((path) => !common.includes(path) && !path.startsWith("runtime/"));
}

test('a package with only the part "types" contains only types', async () => {
  assert.deepEqual(await filesOfParts(["types"]), ["messages.ts", "types.ts"]);
});

test('a package with only the part "guards" also contains the types and tables that guards import', async () => {
  const files = await filesOfParts(["guards"]);
  assert.deepEqual(files, ["classify.ts", "guards.ts", "maps.ts", "messages.ts", "types.ts"]);
});

test("a package with one hand-written entry point contains its files and their imports", async () => {
  const { files } = await generate("dap", { only: ["adapter"] });
  const { exports } = JSON.parse(files.get("package.json")!) as { exports: object };
  assert.deepEqual(Object.keys(exports), [".", "./types", "./adapter", "./package.json"]);
  assert.ok(files.has("adapter/adapter.ts"));
  assert.ok(!files.has("session.ts") && !files.has("testing.ts"));
});

test("a package with the parts for a build step omits the rest of the published package", async () => {
  const files = await filesOfParts(buildParts);
  const left = (await filesOfParts(["all"])).filter((path) => !files.includes(path));
  assert.ok(left.includes("compatibility.ts"));
  assert.deepEqual(
    [...new Set(left.map((path) => path.replace(/[/.].*/, "")))].filter(
      (name) => !["adapter", "session", "testing"].includes(name),
    ),
    ["compatibility"],
  );
  // Its README does not present a function whose argument comes from an omitted entry point.
  for (const [only, isMentioned] of [[buildParts, false] as const, [["all"], true] as const])
    assert.equal(
      (await generate("dap", { only })).files.get("README.md")!.includes("`runAdapter`, under"),
      isMentioned,
    );
});

test("packages with a single part, or with all parts for a build step, compile", async () => {
  await withFolder(async (folder) => {
    const present = generatedParts.filter((part) => part !== "configuration");
    for (const part of present)
      writeFiles(join(folder, part), (await generate("dap", { only: [part] })).files);
    writeFiles(join(folder, "build"), (await generate("dap", { only: buildParts })).files);
    const { files } = await generate("dap", { only: ["types"] });
    const config = JSON.parse(files.get("tsconfig.json")!) as object;
    writeFiles(folder, { "tsconfig.json": JSON.stringify({ ...config, include: ["*/**/*.ts"] }) });
    assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
  });
});

test("trusted packages differ only by a marker in modules that have no types of their own", async () => {
  const { files: checked } = await generate("dap", { only: buildParts });
  const { files: trusted } = await generate("dap", { only: buildParts, trusted: true });
  const mark = "// @ts-nocheck\n";
  const unmarked: string[] = [];
  for (const [path, text] of trusted) {
    const isMarked = text.startsWith(mark);
    if (path.endsWith(".ts") && !isMarked) unmarked.push(path);
    assert.equal(isMarked ? text.slice(mark.length) : text, checked.get(path), path);
  }
  assert.deepEqual(unmarked, ["maps.ts", "messages.ts", "types.ts"]);
  assert.deepEqual([...trusted.keys()], [...checked.keys()]);
});

test("an unknown part is refused with a suggestion", async () => {
  await assert.rejects(generate("dap", { only: ["types", "validtors"] }), {
    code: "ERR_ARGUMENT",
    message: 'Cannot write only "validtors", which is not a part of this package',
    hint: 'Did you mean "validators"?',
  });
});

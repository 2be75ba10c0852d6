import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { format } from "prettier";
import { editJson } from "../../launch/edit-json.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import type { Json } from "../../generator/model/types.js";
import { installPackages, writeFiles } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";
import { interfaces, manifest, withProject } from "../support/configuration-project.js";

const written = `{
	"name": "notes", "keywords": ["a", "b"],
	"contributes": {
		"debuggers": [
			{ "type": "other", "configurationAttributes": { "launch": { "properties": {} } } },
			{ "type": "notes", "label": "Notes",
			  "configurationAttributes": {
				"launch": { "required": ["program"], "properties": {
					"program": { "description": "%program%",   "type": ["string"], "order": 1 },
					"port": {"type":"integer", "default": 4711, "suggestSortText": "b", "minimum": 1, "description": "Port to listen on."},
					"cwd": {
						"type": "string",`;

for (const source of ["launch.ts", "launch.schema.json"])
  test(`generate writes the manifest and its strings from ${source}`, () =>
    withProject(async (folder) => {
      const run = (...args: string[]): readonly unknown[] => {
        const { status, stdout, stderr } = runCommand(folder, [
          "generate",
          "--configuration",
          source,
          "--manifest",
          "package.json",
          ...args,
        ]);
        return [status, stdout.trimEnd().split("\n"), stderr];
      };
      const read = (path: string): string => readFileSync(join(folder, path), "utf8");
      assert.deepEqual(run("--check"), [
        1,
        ["package.json: changed", "package.nls.json: changed"],
        "2 files are not up to date: run wirewright generate with the same arguments, without --check\n",
      ]);
      assert.equal(read("package.json"), manifest);
      const paths = ["package.json", "package.nls.json"];
      assert.deepEqual(run(), [0, paths.map((path) => `${path}: written`), ""]);
      assert.deepEqual(run(), [0, [`${source}: up to date`], ""]);
      assert.deepEqual(run("--check"), [0, [`the files of ${source} up to date`], ""]);

      // package.json now matches the source. Parts that already matched keep their formatting.
      const sets = async (path: string): Promise<unknown> =>
        (await readConfigurations(join(folder, path))).sets
          .filter(({ type }) => type === "notes")
          .map(({ request, schema: { definitions: _, ...rest } }) => [
            request,
            rest["required"],
            new Set(Object.entries(rest["properties"] as object)),
          ]);
      assert.deepEqual(await sets("package.json"), await sets(source));
      assert.equal(read("package.json").slice(0, written.length), written);
      assert.equal(
        read("package.nls.json"),
        '{\n  // for translators\n  "program": "Path of the program."\n}\n',
      );

      // `--check` ignores differences in formatting.
      writeFileSync(
        join(folder, "package.json"),
        await format(read("package.json"), { parser: "json" }),
      );
      assert.deepEqual(run("--check"), [0, [`the files of ${source} up to date`], ""]);
    }));

test("the project file lists packages and files, and --check checks both", () =>
  withProject((folder) => {
    writeFiles(folder, {
      "wirewright.config.json": JSON.stringify({
        packages: [{ protocol: "dap", out: "src/dap", configuration: "launch.ts" }],
        configurations: [{ source: "launch.ts", manifest: "package.json" }],
      }),
    });
    installPackages(folder, ["@wirewright/runtime"]);
    const first = runCommand(folder, ["generate"]);
    assert.deepEqual([first.status, first.stderr], [0, ""]);
    assert.match(
      first.stdout,
      /^src\/dap: \d+ files written \(Debug Adapter Protocol [^\n]+\)\npackage\.json: written\npackage\.nls\.json: written\n$/,
    );
    const same = runCommand(folder, ["generate", "--check"]);
    assert.deepEqual(
      [same.status, same.stdout],
      [0, "1 package, the files of launch.ts up to date\n"],
    );
    writeFileSync(join(folder, "launch.ts"), interfaces.replace("port?: number", "ports?: number"));
    const stale = runCommand(folder, ["generate", "--check"]);
    assert.equal(stale.status, 1);
    assert.deepEqual(stale.stdout.split("\n").slice(0, -1), [
      "package.json: changed",
      "src/dap/configuration-tables.ts: changed",
      "src/dap/configuration.ts: changed",
    ]);
  }));

test("editJson() changes only the value and formats new values like their neighbours", () => {
  const cases: readonly (readonly [string, string, Json | undefined, string])[] = [
    ['{ "a": 1, "b": 2 }', "/a", undefined, '{ "b": 2 }'],
    ['{ "a": 1, "b": 2 }', "/b", undefined, '{ "a": 1 }'],
    ['{ "a": 1 }', "/c", undefined, '{ "a": 1 }'],
    ['{ "a": 1 }', "/b", { c: [1, 2] }, '{ "a": 1, "b": { "c": [1, 2] } }'],
    ['{ "a": [1, 2] }', "/a", [3, {}], '{ "a": [3, {}] }'],
    ['{ "a": 1 }', "/a", "x", '{ "a": "x" }'],
    ["{}", "/a", 1, '{\n  "a": 1\n}'],
    ["{}", "/a/b/c", 1, '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}'],
    [
      '{\r\n\t"a": {\r\n\t\t"b": 1, // why\r\n\t},\r\n}',
      "/a/c",
      [1],
      '{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": [\r\n\t\t\t1\r\n\t\t] // why\r\n\t},\r\n}',
    ],
    ['{\n    "a/b": { "~": 1 }\n}', "/a~1b/~0", 2, '{\n    "a/b": { "~": 2 }\n}'],
    [
      '{\n    "a": [{ "b": 1 }, { "b": 2 }]\n}',
      "/a/1/b",
      3,
      '{\n    "a": [{ "b": 1 }, { "b": 3 }]\n}',
    ],
  ];
  for (const [text, pointer, value, expected] of cases)
    assert.equal(editJson(text, pointer, value), expected, `${text} ${pointer}`);
});

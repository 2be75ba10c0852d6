import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { check, format } from "prettier";
import { editJson } from "../../launch/edit-json.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import type { Json } from "../../generator/model/types.js";
import { writeFiles } from "../support/compile.js";
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
					"port": {"type":"integer", "default": 4711, "suggestSortText": "b", "description": "Port to listen on.", "minimum": 1},
					"cwd": {
						"type": "string",`;

const tables = `# Notes

<!-- configuration: notes launch -->

| attribute | type                               | default                | description                       |
| --------- | ---------------------------------- | ---------------------- | --------------------------------- |
| \`program\` | string                             |                        | Required. Path of the program.    |
| \`cwd\`     | string                             | \`"\${workspaceFolder}"\` | Folder in which the program runs. |
| \`env\`     | object                             |                        | Variables of the environment.     |
| \`log\`     | boolean                            |                        | Deprecated: Use \`trace\`.          |
| \`port\`    | integer                            | \`4711\`                 | Port to listen on.                |
| \`trace\`   | \`"off"\`, \`"messages"\`, \`"verbose"\` | \`"off"\`                | How much to tell.                 |
| \`args\`    | string[]                           |                        |                                   |
| \`profile\` | \`"default"\`, \`"fast"\` or string    | \`"default"\`            |                                   |

<!-- /configuration -->

Text.

<!-- configuration: notes attach -->

| attribute   | type             | default                | description                       |
| ----------- | ---------------- | ---------------------- | --------------------------------- |
| \`processId\` | number or string |                        | Required.                         |
| \`cwd\`       | string           | \`"\${workspaceFolder}"\` | Folder in which the program runs. |
| \`env\`       | object           |                        | Variables of the environment.     |
| \`log\`       | boolean          |                        | Deprecated: Use \`trace\`.          |

<!-- /configuration -->
`;

const all = [
  "--manifest",
  "package.json",
  "--zed",
  "zed",
  "--nvim",
  "schemas/launch.json",
  "--table",
  "page.md",
];

for (const source of ["launch.ts", "launch.schema.json"])
  test(`generate writes the manifest, its strings, the schemas and the tables from ${source}`, () =>
    withProject(async (folder) => {
      const run = (...args: string[]): readonly unknown[] => {
        const { status, stdout, stderr } = runCommand(folder, [
          "generate",
          "--configuration",
          source,
          ...all,
          ...args,
        ]);
        return [status, stdout.trimEnd().split("\n"), stderr];
      };
      const read = (path: string): string => readFileSync(join(folder, path), "utf8");
      assert.deepEqual(run("--check"), [
        1,
        [
          "package.json: changed",
          "package.nls.json: changed",
          "zed/notes.json: missing",
          "schemas/launch.json: missing",
          "page.md: changed",
        ],
        "5 files are not up to date: run wirewright generate with the same arguments, without --check\n",
      ]);
      assert.equal(read("package.json"), manifest);
      const paths = [
        "package.json",
        "package.nls.json",
        "zed/notes.json",
        "schemas/launch.json",
        "page.md",
      ];
      assert.deepEqual(run(), [0, paths.map((path) => `${path}: written`), ""]);
      assert.deepEqual(run(), [0, [`${source}: up to date`], ""]);
      assert.deepEqual(run("--check"), [0, [`the files of ${source} up to date`], ""]);

      // package.json now matches the source. Parts that already matched keep their formatting.
      const sets = async (path: string): Promise<unknown> =>
        (await readConfigurations(join(folder, path))).sets
          .filter(({ type }) => type === "notes")
          .map(({ request, schema: { definitions: _, ...rest } }) => [
            request,
            rest.required,
            new Set(Object.entries(rest.properties!)),
          ]);
      assert.deepEqual(await sets("package.json"), await sets(source));
      assert.equal(read("package.json").slice(0, written.length), written);
      assert.equal(
        read("package.nls.json"),
        '{\n  // for translators\n  "program": "Path of the program."\n}\n',
      );
      assert.equal(read("page.md"), tables);
      assert.equal(await check(tables, { parser: "markdown" }), true);

      // `--check` ignores differences in formatting.
      for (const path of ["package.json", "zed/notes.json", "schemas/launch.json"])
        writeFileSync(join(folder, path), await format(read(path), { parser: "json" }));
      assert.deepEqual(run("--check"), [0, [`the files of ${source} up to date`], ""]);
    }));

test("the schemas for Zed and for launch.json accept valid values and reject invalid ones", () =>
  withProject((folder) => {
    runCommand(folder, ["generate", "--configuration", "launch.ts", ...all]);
    const compiled = (path: string): ((value: unknown) => boolean) => {
      const ajv = new Ajv({ strict: false });
      const validate = ajv.compile(JSON.parse(readFileSync(join(folder, path), "utf8")) as object);
      return (value) => validate(value) === true;
    };
    const zed = compiled("zed/notes.json");
    const task = { adapter: "notes", label: "n", request: "launch", program: "p" };
    assert.equal(zed(task), true);
    assert.equal(zed({ ...task, port: 0 }), false);
    assert.equal(zed({ ...task, request: "attach" }), false);
    assert.equal(zed({ adapter: "notes", label: "n", request: "attach", processId: 1 }), true);
    const file = compiled("schemas/launch.json");
    const of = (...configurations: object[]): object => ({ version: "0.2.0", configurations });
    const launch = { type: "notes", request: "launch", name: "n", program: "p" };
    assert.equal(
      file(of(launch, { type: "python", request: "launch", name: "m", module: "x" })),
      true,
    );
    assert.equal(file(of({ ...launch, osx: { port: 1 }, preLaunchTask: "build" })), true);
    assert.equal(file(of({ ...launch, progam: "p" })), false);
    assert.equal(file(of({ ...launch, osx: { port: 0 } })), false);
    assert.equal(file(of({ ...launch, request: "attach" })), false);
  }));

test("the project file lists packages and files, and --check checks both", () =>
  withProject((folder) => {
    writeFiles(folder, {
      "wirewright.config.json": JSON.stringify({
        packages: [{ protocol: "dap", out: "src/dap", configuration: "launch.ts" }],
        configurations: [{ source: "launch.ts", manifest: "package.json", table: "page.md" }],
      }),
    });
    const first = runCommand(folder, ["generate"]);
    assert.deepEqual([first.status, first.stderr], [0, ""]);
    assert.match(
      first.stdout,
      /^src\/dap: \d+ files written \(Debug Adapter Protocol [^\n]+\)\npackage\.json: written\npackage\.nls\.json: written\npage\.md: written\n$/,
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
      "page.md: changed",
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

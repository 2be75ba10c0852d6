import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { readProtocol } from "../../cli/index.js";
import { describedVersions } from "../../generator/read/read-protocol.js";
import { packTool } from "../../tools/release/packages.js";
import { withFolder } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { runCommand, type Outcome } from "../support/run-command.js";

/**
 * The tool as it is published. Its folder is inside the repository so that the tool finds its
 * dependencies.
 */
const folder = fromRoot("build/packed-tool/wirewright");
const packed = await packTool(folder);

function runPacked(args: readonly string[], input?: string): Outcome {
  const bin = join(folder, "build/cli/main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: "utf8",
    input,
  });
  // Reports refer to the schemas that come with the tool.
  const schemas = `${relative(fromRoot("."), folder).replaceAll("\\", "/")}/schema/`;
  return { status, stdout: stdout.replaceAll(schemas, "schema/"), stderr };
}

const commands = ["generate", "tap", "lint", "view", "convert", "redact", "model", "diff"];

test("every command prints the same output in the packed tool as in the repository", () => {
  const calls = [
    ["--help"],
    ["--version"],
    ...commands.map((command) => [command, "--help"]),
    ["diff", "dap@1.68.0", "dap@1.71.0"],
    ["diff", "dap@1.70.0", "dap@1.71.0", "--format", "html"],
    ["lint", fromRoot("test/fixtures/recordings/no-such.jsonl")],
    ["model", "sqltools"],
    ["model", "dap@1.40"],
    ["diff", "dap@1.40", "dap@1.41.0", "--format", "json"],
  ];
  for (const args of calls)
    assert.deepEqual(runPacked(args), runCommand(fromRoot("."), args), args.join(" "));
});

test("the packed tool contains the models that are read from the bundled schemas", async () => {
  const names = packed.files.flatMap(
    (path) => /^schema\/([\w-]+)\/models\.jsonl$/.exec(path)?.[1] ?? [],
  );
  assert.deepEqual(names.sort(), ["acp", "acp-breakpoints", "dap", "ruby-debug-ide", "sqltools"]);
  for (const name of names) {
    const text = readFileSync(join(folder, `schema/${name}/models.jsonl`), "utf8");
    const [index = "", ...values] = text.split("\n").map((line) => JSON.parse(line) as object);
    const read = (line: number): unknown => values[line];
    assert.deepEqual(Object.keys(index).sort(), [...(await describedVersions(name))].sort());
    for (const [version, fields] of Object.entries(index))
      assert.deepEqual(
        Object.fromEntries(
          Object.entries(fields as Record<string, number | number[]>).map(([field, lines]) => [
            field,
            Array.isArray(lines) ? lines.map(read) : read(lines),
          ]),
        ),
        JSON.parse(JSON.stringify(await readProtocol(name, { version }))),
      );
  }
});

test("the packed tap records sessions and displays them from its second thread", async () => {
  await withFolder((place) => {
    const out = join(place, "session.jsonl");
    const frame =
      'Content-Length: 57\r\n\r\n{"seq":1,"type":"event","event":"initialized","body":{}}\n';
    const code = `process.stdout.write(${JSON.stringify(frame)})`;
    const { status, stdout, stderr } = runPacked(
      ["tap", "--out", out, "--", process.execPath, "-e", code],
      "",
    );
    assert.deepEqual([status, stdout], [0, frame]);
    assert.match(stderr, /initialized/);
    assert.match(readFileSync(out, "utf8"), /"event":"initialized"/);
  });
});

test("the packed tool has the same exports as the repository", async () => {
  const [bundled, source] = (await Promise.all([
    import(pathToFileURL(join(folder, "build/cli/index.js")).href),
    import("../../cli/index.js"),
  ])) as [object, object];
  assert.deepEqual(Object.keys(bundled).sort(), Object.keys(source).sort());
});

test("the packed tool consists of a few code files, and of the declarations of its functions", () => {
  const files = packed.files.filter((path) => path.startsWith("build/"));
  assert.ok(files.includes("build/cli/index.d.ts"));
  const code = files.filter((path) => path.endsWith(".js"));
  assert.deepEqual(
    code.filter((path) => !path.startsWith("build/cli/")),
    [],
  );
  assert.ok(code.length < 130, `${code.length} files`);
});

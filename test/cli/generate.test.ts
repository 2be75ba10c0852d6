import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, withProject, writeFiles } from "../support/compile.js";
import { dapSchemaText, newestDapSchema } from "../support/dap-versions.js";
import { until } from "../support/scripted-connection.js";
import { cli, wirewright } from "../support/run-command.js";

function snapshot(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => [
        join(entry.parentPath ?? entry.path, entry.name),
        readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8"),
      ])
      .sort(),
  );
}

/** The summary that generate prints for the newest DAP package. */
const dap = "(Debug Adapter Protocol 1.71.0: 62 messages, 236 types with validators)";

test("wirewright generate writes modules, and then reports that they are up to date", async () => {
  await withProject((folder) => {
    assert.deepEqual(wirewright(folder, ["generate", "dap"]), {
      status: 0,
      stdout: `generated/dap: all files written ${dap}\n`,
      stderr: "",
    });
    const files = readdirSync(join(folder, "generated/dap"));
    assert.deepEqual(
      files.filter((name) => !name.endsWith(".ts")),
      [".wirewright.json"],
    );
    assert.ok(files.length <= 13, `${files.length} files`);
    assert.deepEqual(wirewright(folder, ["generate", "dap"]), {
      status: 0,
      stdout: `generated/dap: up to date ${dap}\n`,
      stderr: "",
    });
    assert.deepEqual(wirewright(folder, ["generate", "dap", "--check"]), {
      status: 0,
      stdout: "1 package up to date\n",
      stderr: "",
    });
  });
});

test("wirewright generate --check lists stale files, writes nothing and exits with status 1", async () => {
  await withFolder((folder) => {
    wirewright(folder, ["generate", "dap"]);
    const out = join(folder, "generated/dap");
    writeFileSync(join(out, "types.ts"), "// edited\n");
    rmSync(join(out, "maps.ts"));
    const before = snapshot(folder);
    assert.deepEqual(wirewright(folder, ["generate", "dap", "--check"]), {
      status: 1,
      stdout: "generated/dap/maps.ts: missing\ngenerated/dap/types.ts: changed\n",
      stderr:
        "2 files are not up to date: run wirewright generate with the same arguments, without --check\n",
    });
    assert.deepEqual(snapshot(folder), before);
    assert.equal(
      wirewright(folder, ["generate", "dap"]).stdout,
      `generated/dap: 2 files written ${dap}\n`,
    );
  });
});

test("wirewright generate removes files that it no longer writes and keeps all others", async () => {
  await withFolder((folder) => {
    wirewright(folder, ["generate", "dap"]);
    const out = join(folder, "generated/dap");
    writeFileSync(join(out, "mine.ts"), "export {};\n");
    wirewright(folder, ["generate", "dap", "--only", "types"]);
    assert.deepEqual(readdirSync(out).sort(), [
      ".wirewright.json",
      "index.ts",
      "messages.ts",
      "mine.ts",
      "types.ts",
    ]);
  });
});

test("wirewright generate does not overwrite files that it did not write", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "package.json": '{ "name": "mine" }' });
    const generate = ["generate", "dap", "--package", "my-dap", "--out", "."];
    assert.deepEqual(wirewright(folder, generate), {
      status: 2,
      stdout: "",
      stderr:
        "package.json: Cannot overwrite a file that was not generated [ERR_OUTPUT]\n  Choose another folder with --out, or pass --force\n",
    });
    assert.deepEqual(readdirSync(folder), ["package.json"]);
    assert.equal(wirewright(folder, ["generate", "dap", "--out", "."]).status, 0);
    assert.equal(readFileSync(join(folder, "package.json"), "utf8"), '{ "name": "mine" }');
    assert.equal(wirewright(folder, [...generate, "--force"]).status, 0);
    assert.match(readFileSync(join(folder, "package.json"), "utf8"), /"name": "my-dap"/);
  });
});

test("wirewright generate keeps the old output on any error", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "wirewright.config.json":
        '{ "packages": [{ "protocol": "dap", "out": "a" }, { "protocol": "dap", "out": "b", "schema": "broken.json" }] }',
    });
    writeFiles(folder, { "broken.json": readFileSync(newestDapSchema, "utf8") });
    assert.equal(wirewright(folder, ["generate"]).status, 0);
    const before = snapshot(folder);
    writeFileSync(join(folder, "broken.json"), '{\n  "definitions": {,}\n}');
    const refused = wirewright(folder, ["generate"]);
    assert.deepEqual(refused, {
      status: 2,
      stdout:
        "a: up to date (Debug Adapter Protocol 1.71.0: 62 messages, 236 types with validators)\n",
      stderr: 'broken.json:2:19: Cannot parse JSON: value expected at "," [ERR_JSON]\n',
    });
    writeFileSync(join(folder, "broken.json"), before[join(folder, "broken.json")]!);
    assert.deepEqual(snapshot(folder), before);

    // generate notices a file where a folder should be before it writes anything.
    rmSync(join(folder, "a"), { recursive: true });
    writeFiles(folder, { a: "in the way\n" });
    const damaged = snapshot(folder);
    const half = wirewright(folder, ["generate"]);
    assert.equal(half.status, 2);
    assert.equal(half.stderr, "a: Cannot create a folder: a file has this name [ERR_OUTPUT]\n");
    assert.deepEqual(snapshot(folder), damaged);
  });
});

test("wirewright generate reads a project file and reports errors in it", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "wirewright.config.json":
        '{\n  "packages": [\n    { "protocol": "dap", "out": "x", "overlay": [] }\n  ]\n}',
    });
    assert.deepEqual(wirewright(folder, ["generate"]), {
      status: 2,
      stdout: "",
      stderr:
        'wirewright.config.json:3:49 /packages/0/overlay: Cannot use the unknown key "overlay" [ERR_CONFIG]\n  Did you mean "overlays"?\n',
    });
    writeFiles(folder, {
      "sub/w.json":
        '{ "packages": [{ "protocol": "dap", "out": "x", "package": "@me/dap", "version": "1.40.0" }] }',
    });
    assert.equal(
      wirewright(folder, ["generate", "--config", "sub/w.json"]).stdout,
      "sub/x: all files written (Debug Adapter Protocol 1.40.0: 56 messages, 211 types with validators)\n",
    );
    const manifest = JSON.parse(readFileSync(join(folder, "sub/x/package.json"), "utf8")) as {
      name: string;
      version: string;
    };
    assert.deepEqual([manifest.name, manifest.version], ["@me/dap", "1.40.0"]);
  });
});

test("wirewright generate reads a schema from standard input", async () => {
  await withFolder((folder) => {
    assert.equal(
      wirewright(folder, ["generate", "dap", "--schema", "-"], dapSchemaText("1.51.0")).status,
      0,
    );
    assert.match(
      readFileSync(join(folder, "generated/dap/protocol.ts"), "utf8"),
      /protocolVersion: string = "custom"/,
    );
    assert.equal(
      wirewright(folder, ["generate", "dap", "--schema", "-"], "{").stderr,
      "<stdin>:1:2: Cannot parse JSON: close brace expected at the end [ERR_JSON]\n",
    );
  });
});

test(
  "wirewright generate --watch writes again when an input changes, and keeps watching after a broken input",
  { timeout: 60_000 },
  async () => {
    await withFolder(async (folder) => {
      const text = dapSchemaText("1.40.0");
      writeFiles(folder, { "in/dap.json": text });
      const child = spawn(
        process.execPath,
        [cli, "generate", "dap", "--schema", "in/dap.json", "--out", "out", "--watch"],
        { cwd: folder },
      );
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
      try {
        await until(() => /Watching/.test(output));
        writeFileSync(join(folder, "in/dap.json"), "{");
        await until(() => /ERR_JSON/.test(output));
        writeFileSync(
          join(folder, "in/dap.json"),
          text.replaceAll("supportsGotoTargetsRequest", "supportsGoto"),
        );
        await until(() => /out: \d files? written/.test(output));
        assert.match(readFileSync(join(folder, "out/types.ts"), "utf8"), /supportsGoto\?: boolean/);
      } finally {
        child.kill();
      }
    });
  },
);

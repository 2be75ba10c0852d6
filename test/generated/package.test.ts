import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { emittedModules } from "../../generator/emit/emitted-modules.js";
import { compareOutput, generate, readProtocol } from "../../cli/index.js";
import { completeProtocols } from "../support/bundled-protocols.js";
import { fromRoot } from "../support/paths.js";
import { packages, filesOf } from "../support/package-files.js";

/** Modules that need Node. */
const onNode = /^(node\.ts|node\/.*|dispatcher\.ts|runtime\/(.*\/)?node(-[\w-]+)?\.ts)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "dist" || (name !== "package.json" && folder.endsWith("cjs"))) return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

for (const { protocol, name, code } of packages) {
  const folder = fromRoot(name);

  test(`${name} matches the output of generate for its schema (update it with "npm run generate")`, async () => {
    const runtime = relative(join(folder, "runtime"), fromRoot("runtime")).replaceAll("\\", "/");
    const { files } = await generate(protocol, { runtime, code });
    assert.deepEqual(await compareOutput(folder, files), []);
  });

  test(`${name} is identical if generate runs again`, async () => {
    assert.deepEqual([...(await generate(protocol)).files], [...(await filesOf(protocol))]);
  });

  test(`${name} imports nothing from outside its folder, and Node only in its entry point for Node`, async () => {
    const files = await filesOf(protocol);
    for (const [path, text] of files) {
      if (!path.endsWith(".ts")) continue;
      for (const [, target] of text.matchAll(/from ["']([^"']+)["']/g)) {
        const where = `${path} imports ${target}`;
        if (target!.startsWith("node:")) assert.match(path, onNode, where);
        else {
          const imported = posix.join(posix.dirname(path), target!).replace(/\.js$/, ".ts");
          assert.ok(files.has(imported) && target!.startsWith("."), where);
          assert.ok(!onNode.test(imported) || onNode.test(path), where);
        }
      }
    }
  });

  test(`${name} is formatted as by Prettier, except for tables and checks`, async () => {
    const tables = emittedModules(await readProtocol(protocol))
      .filter(({ isTable }) => isTable === true)
      .map(({ file }) => file);
    assert.deepEqual(tables, [
      "message-checks.ts",
      "checks.ts",
      "validators.ts",
      "faults.ts",
      "rules.ts",
      "message-rule.ts",
      "known-fields.ts",
    ]);
    const paths = filesBelow(folder).filter(
      (path) => /\.(ts|json|md)$/.test(path) && !path.endsWith(".wirewright.json"),
    );
    assert.ok(paths.length > 15, `${paths.length} files`);
    for (const path of paths) {
      const text = readFileSync(path, "utf8");
      assert.doesNotMatch(text, /prettier-ignore/, path);
      if (tables.some((table) => path === join(folder, table))) continue;
      assert.equal(await check(text, { filepath: path, printWidth: 100 }), true, path);
    }
  });

  test(`${name} contains no time, tool version or path`, () => {
    const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as {
      version: string;
    };
    for (const path of filesBelow(folder)) {
      const text = readFileSync(path, "utf8");
      // Only package.json contains the package version. Other files contain the protocol version.
      assert.ok(basename(path) === "package.json" || !text.includes(version), path);
      assert.doesNotMatch(text, /20\d\d-\d\d-\d\d|\/home\/|\/root\/|\/tmp\/|node_modules/, path);
      assert.ok(!text.includes(fromRoot("")), path);
    }
  });
}

/**
 * The rooms of the runtime, each with a pattern that matches the names of its functions and
 * classes. These names are unique in the runtime.
 */
const rooms = readdirSync(fromRoot("runtime"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name: room }) => {
    const names = readdirSync(fromRoot(`runtime/${room}`))
      .map((file) => readFileSync(fromRoot(`runtime/${room}/${file}`), "utf8"))
      .flatMap((text) => [...text.matchAll(/^export (?:async )?(?:function\*?|class) (\w+)/gm)])
      .map(([, name]) => name);
    return { room, declares: new RegExp(`^(export )?(async )?(function\\*?|class) (${names.join("|")})\\b`, "m") };
  })
  .sort((one, two) => (one.room < two.room ? -1 : 1));

test("a package contains those rooms of the runtime that its protocol can use", async () => {
  const everywhere = ["base", "frames", "json", "protocol", "validation"];
  const connects = [...everywhere, "connection", "dialects"].sort();
  const carried: Record<string, readonly string[]> = {};
  for (const protocol of completeProtocols) {
    const files = await filesOf(protocol);
    const text = [...files].map(([path, each]) => (path.startsWith("runtime/") ? each : "")).join("");
    carried[protocol] = rooms.filter(({ declares }) => declares.test(text)).map(({ room }) => room);
  }
  assert.deepEqual(carried, {
    acp: connects,
    "acp-breakpoints": connects,
    dap: connects,
    "ruby-debug-ide": [...everywhere, "connection", "lanes", "spellings"].sort(),
    sqltools: connects,
  });
});

test("--runtime SPEC changes only the runtime folder", async () => {
  const embedded = await filesOf("dap");
  const referring = await generate("dap", { runtime: "@wirewright/runtime" });
  const outside = (files: ReadonlyMap<string, string>) =>
    [...files].filter(([path]) => !path.startsWith("runtime/"));
  assert.deepEqual(outside(referring.files), outside(embedded));
  assert.equal(
    referring.files.get("runtime/index.ts"),
    '// Re-exports the runtime instead of including a copy.\n\nexport * from "@wirewright/runtime";\n',
  );
  assert.deepEqual(
    [...referring.files.keys()].filter((path) => path.startsWith("runtime/")),
    ["runtime/index.ts", "runtime/node.ts"],
  );
  const beside = await generate("dap", { runtime: "../../../runtime" });
  assert.deepEqual(outside(beside.files), outside(embedded));
  assert.equal(
    beside.files.get("runtime/node.ts"),
    '// Re-exports the runtime instead of including a copy.\n\nexport * from "../../../runtime/node.js";\n',
  );
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { emittedModules } from "../../generator/emit/emitted-modules.js";
import { compareOutput, generate, readProtocol } from "../../generator/index.js";
import { packPackage } from "../../tools/release/pack-package.js";
import { completeProtocols } from "../../tools/shared/bundled-protocols.js";
import { compile, compilers, withFolder, writeFiles } from "../../tools/shared/compile.js";
import { bundledDap, newestDap, publishedDap } from "../../tools/shared/dap-versions.js";
import { isLong, someOf } from "../support/long-tests.js";
import { fromRoot } from "../../tools/shared/paths.js";

const packages = [
  { protocol: "dap", name: "generated/dap", code: "../../protocols/dap" },
  { protocol: "sqltools", name: "generated/sqltools" },
  {
    protocol: "ruby-debug-ide",
    name: "generated/ruby-debug-ide",
    code: "../../protocols/ruby-debug-ide",
  },
  {
    protocol: "acp-breakpoints",
    name: "generated/acp-breakpoints",
    code: "../../protocols/acp-breakpoints",
  },
  { protocol: fromRoot("test/fixtures/ticker"), name: "test/fixtures/ticker/generated" },
];
const newest = "TypeScript 7";

/** Modules that need Node. */
const onNode = /^(node\.ts|node\/.*|dispatcher\.ts|runtime\/(.*\/)?node(-[\w-]+)?\.ts)$/;

const defaults = new Map<string, ReadonlyMap<string, string>>();

/** What `generate` makes of a protocol without options; made once. */
async function filesOf(protocol: string): Promise<ReadonlyMap<string, string>> {
  const files = defaults.get(protocol) ?? (await generate(protocol)).files;
  defaults.set(protocol, files);
  return files;
}

/** Puts a link to the one runtime in place of a package's own: a compiler follows links and reads it once. */
function linkRuntime(folder: string): void {
  const own = join(folder, "runtime");
  rmSync(own, { recursive: true, force: true });
  symlinkSync(fromRoot("runtime"), own, "junction");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "dist" || (name !== "package.json" && folder.endsWith("cjs"))) return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

for (const { protocol, name, code } of packages) {
  const folder = fromRoot(name);

  test(`${name} is what generate makes of its schema: run "npm run generate" if this fails`, async () => {
    const runtime = relative(join(folder, "runtime"), fromRoot("runtime")).replaceAll("\\", "/");
    const { files } = await generate(protocol, {
      runtime,
      ...(code === undefined ? {} : { code }),
    });
    assert.deepEqual(await compareOutput(folder, files), []);
  });

  test(`${name} is the same in a second run`, async () => {
    assert.deepEqual([...(await generate(protocol)).files], [...(await filesOf(protocol))]);
  });

  test(`${name} imports nothing from outside its folder, and Node only where its entry for Node leads`, async () => {
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

  test(`${name} is formatted as prettier would format it, apart from tables and checks`, async () => {
    const tables = emittedModules(await readProtocol(protocol))
      .filter(({ isTable }) => isTable === true)
      .map(({ file }) => file);
    assert.deepEqual(tables, [
      "message-checks.ts",
      "checks.ts",
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

  test(`${name} carries no time, tool version or path`, () => {
    const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as {
      version: string;
    };
    for (const path of filesBelow(folder)) {
      const text = readFileSync(path, "utf8");
      // The version of a package is its own.
      assert.ok(basename(path) === "package.json" || !text.includes(version), path);
      assert.doesNotMatch(text, /20\d\d-\d\d-\d\d|\/home\/|\/root\/|\/tmp\/|node_modules/, path);
      assert.ok(!text.includes(fromRoot("")), path);
    }
  });
}

test("packages that carry their runtime compile alone under strict settings", async () => {
  await withFolder(async (folder) => {
    const config = JSON.parse(
      readFileSync(fromRoot("generated/dap/tsconfig.json"), "utf8"),
    ) as object;
    writeFiles(folder, {
      "tsconfig.json": JSON.stringify({ ...config, include: ["*/*.ts", "*/runtime"] }),
    });
    for (const { protocol, name } of packages)
      writeFiles(join(folder, basename(name)), await filesOf(protocol));
    // One process for all packages. What the newer flags add, the older compiler does not know.
    const flags = ["--erasableSyntaxOnly", "--verbatimModuleSyntax"];
    assert.equal(compile(newest, "-p", folder, "--noEmit", ...flags), "");
    // All of them carry the same text, which the slow compiler needs to see once.
    for (const { name } of packages) linkRuntime(join(folder, basename(name)));
    assert.equal(compile("TypeScript 5.4", "-p", folder, "--noEmit"), "");
  });
});

test("a package carries the rooms of the runtime that its protocol can reach", async () => {
  const everywhere = ["base", "frames", "json", "protocol", "validation"];
  const connects = [...everywhere, "connection", "dialects"].sort();
  const carried: Record<string, readonly string[]> = {};
  for (const protocol of completeProtocols) {
    const files = await filesOf(protocol);
    const rooms = [...files.keys()].map((path) => /^runtime\/(\w+)\//.exec(path)?.[1] ?? "");
    carried[protocol] = [...new Set(rooms)].filter((room) => room !== "").sort();
  }
  assert.deepEqual(carried, {
    acp: connects,
    "acp-breakpoints": connects,
    dap: connects,
    "ruby-debug-ide": [...everywhere, "connection", "lanes", "spellings"].sort(),
    sqltools: connects,
  });
});

test("--runtime SPEC changes the runtime folder and nothing else", async () => {
  const embedded = await filesOf("dap");
  const referring = await generate("dap", { runtime: "@wirewright/runtime" });
  const outside = (files: ReadonlyMap<string, string>) =>
    [...files].filter(([path]) => !path.startsWith("runtime/"));
  assert.deepEqual(outside(referring.files), outside(embedded));
  assert.equal(
    referring.files.get("runtime/index.ts"),
    '// Re-exports the runtime instead of carrying it.\n\nexport * from "@wirewright/runtime";\n',
  );
  assert.deepEqual(
    [...referring.files.keys()].filter((path) => path.startsWith("runtime/")),
    ["runtime/index.ts", "runtime/node.ts"],
  );
  const beside = await generate("dap", { runtime: "../../../runtime" });
  assert.deepEqual(outside(beside.files), outside(embedded));
  assert.equal(
    beside.files.get("runtime/node.ts"),
    '// Re-exports the runtime instead of carrying it.\n\nexport * from "../../../runtime/node.js";\n',
  );
});

test("the packed package installs and runs in an empty project, from ESM and from CommonJS", async () => {
  await withFolder(async (folder) => {
    const run = (command: string, args: readonly string[], cwd: string): string =>
      execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const { tarball, files } = await packPackage("dap", fromRoot("build/packages/dap"));
    assert.deepEqual(files.filter((path) => !/\.m?js$|\.d\.m?ts$/.test(path)).sort(), [
      "LICENSE",
      "README.md",
      "package.json",
    ]);

    const app = join(folder, "app");
    writeFiles(app, {
      "package.json": '{ "name": "app", "private": true }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: "es2022",
          module: "nodenext",
          types: [],
        },
        files: ["esm.mts", "cjs.cts"],
      }),
      "esm.mjs":
        'import { isEvent, protocolVersion } from "@wirewright/dap"; console.log(protocolVersion, isEvent({ type: "event", event: "stopped" }, "stopped"));',
      "whole.mjs": `
        import * as dap from "@wirewright/dap";
        import { createMessageTransform } from "@wirewright/dap/node";
        const at = import.meta.resolve("@wirewright/dap");
        const transform = createMessageTransform();
        transform.end(dap.createEncoder().encode({ seq: 1, type: "event", event: "initialized" }));
        for await (const classified of transform) console.log(classified.kind);
        console.log(at.split("/dap/")[1]);`,
      "whole.cjs": `
        const dap = require("@wirewright/dap");
        const { createMessageTransform } = require("@wirewright/dap/node");
        const at = require.resolve("@wirewright/dap");
        const transform = createMessageTransform();
        transform.on("data", (classified) => console.log(classified.kind));
        transform.on("end", () => console.log(at.split("/dap/")[1]));
        transform.end(dap.createEncoder().encode({ seq: 1, type: "event", event: "initialized" }));`,
      "cjs.cjs":
        'const { isEvent, protocolVersion } = require("@wirewright/dap"); console.log(protocolVersion, isEvent({ type: "event", event: "stopped" }, "stopped"));',
      "esm.mts":
        'import { requests, type StoppedEvent } from "@wirewright/dap"; const name: "next" = requests.next.name; export const reason = (event: StoppedEvent): string => event.body.reason + name;',
      "cjs.cts":
        'import dap = require("@wirewright/dap"); const name: "next" = dap.requests.next.name; export const reason = (event: dap.StoppedEvent): string => event.body.reason + name;',
    });
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], app);
    assert.deepEqual(
      readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")),
      ["@wirewright"],
    );
    assert.equal(run(process.execPath, ["esm.mjs"], app), `${newestDap} true\n`);
    assert.equal(run(process.execPath, ["cjs.cjs"], app), `${newestDap} true\n`);
    assert.equal(run(process.execPath, ["whole.mjs"], app), "event\nindex.mjs\n");
    assert.deepEqual(run(process.execPath, ["whole.cjs"], app).split("\n").sort(), [
      "",
      "event",
      "index.js",
    ]);
    for (const compiler of Object.keys(compilers) as (keyof typeof compilers)[]) {
      assert.equal(compile(compiler, "-p", app), "", compiler);
    }
    // Compilers that know no exports find the entries, too.
    const old = { strict: true, noEmit: true, target: "es2022", module: "commonjs" };
    writeFiles(app, {
      "old.ts":
        'import type { DebugProtocol } from "@wirewright/dap/compatibility"; import { spawnAdapter } from "@wirewright/dap/node"; export const event: DebugProtocol.Event = { seq: 1, type: "event", event: typeof spawnAdapter };',
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...old, moduleResolution: "node10", types: ["node"] },
        files: ["old.ts"],
      }),
    });
    assert.equal(compile("TypeScript 5.4", "-p", app), "");
  });
});

test(
  "versions of DAP generate packages that compile",
  async () => {
    const versions = someOf(bundledDap);
    await withFolder(async (folder) => {
      for (const version of versions) {
        const { files } = await generate("dap", publishedDap(version).source);
        const own = [...files].filter(([path]) => !path.startsWith("runtime/"));
        writeFiles(join(folder, version), new Map(own));
        linkRuntime(join(folder, version));
      }
      const config = JSON.parse(
        readFileSync(fromRoot("generated/dap/tsconfig.json"), "utf8"),
      ) as object;
      const compiled = (compiler: keyof typeof compilers, folders: readonly string[]): string => {
        const include = folders.map((each) => `${each}/*.ts`);
        writeFiles(folder, { "tsconfig.json": JSON.stringify({ ...config, include }) });
        return compile(compiler, "-p", folder, "--noEmit");
      };
      assert.equal(compiled(newest, versions), "");
      // The slow compiler takes minutes for all of them.
      const some = isLong ? versions : [versions[0]!, versions.at(-1)!];
      assert.equal(compiled("TypeScript 5.4", some), "");
    });
  },
);

test("a protocol that is framed differently each way asks who speaks, and compiles", async () => {
  await withFolder(async (folder) => {
    const fixture = fromRoot("test/fixtures/ticker");
    const description = JSON.parse(readFileSync(join(fixture, "protocol.json"), "utf8")) as {
      framing: unknown;
    };
    description.framing = { watcher: "lines", clock: "content-length" };
    writeFiles(join(folder, "input"), {
      "protocol.json": JSON.stringify(description),
      "types.json": readFileSync(join(fixture, "types.json"), "utf8"),
    });
    const { files } = await generate(join(folder, "input"));
    for (const path of ["codec.ts", "node.ts", "protocol.ts"]) {
      assert.equal(await check(files.get(path)!, { filepath: path, printWidth: 100 }), true, path);
    }
    writeFiles(join(folder, "out"), files);
    writeFiles(join(folder, "out"), {
      "use.ts": `import { createDecoder, createEncoder } from "./index.js";
export const bytes = createEncoder({ from: "clock" }).encode({ jsonrpc: "2.0", method: "ticker/tick", params: { tickerId: "a", count: 1 } });
const kinds: string[] = [];
const decoder = createDecoder({ from: "clock", onMessage: (message) => void kinds.push(message.status) });
decoder.push(bytes);
decoder.end();
export const seen: readonly string[] = kinds;
// @ts-expect-error TS2345: who speaks must be said.
createEncoder({});
`,
    });
    for (const compiler of Object.keys(compilers) as (keyof typeof compilers)[]) {
      assert.equal(compile(compiler, "-p", join(folder, "out")), "", compiler);
    }
    writeFiles(join(folder, "out/dist"), { "package.json": '{ "type": "module" }' });
    const { bytes, seen } = (await import(join(folder, "out/dist/use.js"))) as {
      bytes: Uint8Array;
      seen: readonly string[];
    };
    assert.match(Buffer.from(bytes).toString(), /^Content-Length: 76\r\n\r\n/);
    assert.deepEqual(seen, ["known"]);
  });
});

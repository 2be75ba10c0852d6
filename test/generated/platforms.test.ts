import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runInBrowser } from "../support/platforms/browser-session.js";
import { checkTarball } from "../support/platforms/check-package.js";
import {
  checkTypes,
  createApp,
  packedPrograms,
  sourcePrograms,
  writePrograms,
  writeSources,
  type App,
} from "../support/platforms/check-types.js";
import { compileWith, compilers, isInstalled, oldest, ownCompilers } from "../support/compilers.js";
import { hosts, loaders, runSession, writeSession } from "../support/platforms/hosts.js";
import {
  packDeclarations,
  packProtocol,
  packRuntime,
  packTool,
} from "../../tools/release/packages.js";
import { installedCompilers, withFolder, writeFiles } from "../support/compile.js";
import { completeProtocols } from "../support/bundled-protocols.js";
import { skipWithoutBrowser } from "../support/headless-browser.js";
import { fromRoot, skipWithoutPeer } from "../support/paths.js";

/** Packs every package, installs it in an empty folder and uses it on each host. */
const withoutTypeChecker = skipWithoutPeer("@arethetypeswrong/core");
let app: App;
let sources: App;

before(async () => {
  const runtime = await packRuntime(fromRoot("build/platforms-test/runtime"));
  const tarballs = [runtime.tarball];
  for (const protocol of completeProtocols.filter((name) => name !== "acp")) {
    const folder = fromRoot(`build/platforms-test/${protocol}`);
    const declarations = await packDeclarations(protocol, `${folder}-declarations`);
    if (declarations !== undefined) tarballs.push(declarations.tarball);
    tarballs.push((await packProtocol(protocol, folder)).tarball);
  }
  app = createApp(tarballs);
  sources = createApp([runtime.tarball]);
  const dap = app.packages.find(({ name }) => name === "@wirewright/dap")!;
  writeSession(app.folder, dap);
  await writePrograms(app);
  await writeSources(sources);
});

after(() => {
  for (const { folder } of [app, sources]) rmSync(folder, { recursive: true, force: true });
});

test(
  'publint and "Are the types wrong?" find no problems in any package',
  { skip: withoutTypeChecker },
  async () => {
    const found: Record<string, readonly string[]> = {};
    for (const { name, tarball } of app.packages) found[name] = await checkTarball(tarball);
    assert.deepEqual(found, {
      "@wirewright/acp-breakpoints": [],
      "@wirewright/dap": [],
      "@wirewright/debugprotocol": [],
      "@wirewright/ruby-debug-ide": [],
      "@wirewright/runtime": [],
      "@wirewright/sqltools": [],
    });
  },
);

test(
  'publint and "Are the types wrong?" find no problems in the tool',
  { skip: withoutTypeChecker },
  async () => {
    await withFolder(async (folder) => {
      const found = await checkTarball((await packTool(join(folder, "tool"))).tarball);
      assert.deepEqual(found, []);
    });
  },
);

test(
  'publint and "Are the types wrong?" find planted faults in a package',
  { skip: withoutTypeChecker },
  async () => {
    await withFolder(async (folder) => {
      writeFiles(folder, {
        "package.json": JSON.stringify({
          name: "wrong",
          version: "1.0.0",
          type: "module",
          engines: { node: ">=20" },
          main: "./none.js",
          exports: { types: "./index.d.cts", default: "./index.js" },
          files: ["*.js", "*.cts"],
        }),
        "index.js": "export const one = 1;\n",
        "index.d.cts": "export declare const one: 1;\n",
      });
      execFileSync("npm", ["pack", "--silent"], {
        cwd: folder,
        shell: process.platform === "win32",
      });
      const found = (await checkTarball(join(folder, "wrong-1.0.0.tgz"))).join("\n");
      assert.match(found, /main is \.\/none\.js but the file does not exist/);
      assert.match(found, /"kind":"FalseCJS"/);
    });
  },
);

const golden = fromRoot("test/golden/platform-session.json");

for (const host of hosts)
  for (const loader of loaders)
    test(`the test program runs in ${host.name} from ${loader}`, { skip: host.skip }, () => {
      const session = runSession(host, app.folder, loader);
      if (process.env["UPDATE_GOLDEN"] === "1" && host.name === "Node")
        writeFileSync(golden, `${JSON.stringify(session, undefined, 2)}\n`);
      assert.deepEqual(session, JSON.parse(readFileSync(golden, "utf8")));
    });

test(
  "the test program runs in a browser that forbids inline scripts and eval, and in a worker",
  { skip: skipWithoutBrowser, timeout: 120_000 },
  async () => {
    const expected = JSON.parse(readFileSync(golden, "utf8")) as unknown;
    assert.deepEqual(await runInBrowser(app.folder), {
      sessions: { page: expected, worker: expected },
      evaluation: "forbidden",
    });
  },
);

/**
 * Older compilers would take half a minute for all programs, so they compile only one per module
 * resolution.
 */
const ofOldCompilers = ["nodenext, Node", "bundler, DOM"];

for (const compiler of compilers)
  test(
    `packages compile in strict programs with TypeScript ${compiler.version}, with every module resolution`,
    { skip: isInstalled(compiler) ? false : skipWithoutPeer(`typescript-${compiler.version}`) },
    () => {
      const programs = Object.entries(packedPrograms).filter(
        ([name]) => compiler.version === "7" || ofOldCompilers.includes(name),
      );
      assert.deepEqual(
        checkTypes(compiler, app, Object.fromEntries(programs)),
        Object.fromEntries(programs.map(([name]) => [name, ""])),
      );
    },
  );

test("generated sources compile in strict programs without host declarations", () => {
  const found = checkTypes(ownCompilers.at(-1)!, sources, sourcePrograms);
  const all = Object.keys(sourcePrograms).map((name) => [name, ""]);
  assert.deepEqual(found, Object.fromEntries(all));
});

test("a program that uses a package incorrectly does not compile", () => {
  const { folder } = app;
  writeFileSync(
    join(folder, "wrong.mts"),
    'import { requests } from "@wirewright/dap";\nexport const back: "back" = requests.next.name;\n',
  );
  const program = { ...packedPrograms["nodenext, no types"]!, files: ["wrong.mts"] };
  const complaints = checkTypes(ownCompilers.at(-1)!, app, { wrong: program })["wrong"]!;
  assert.match(complaints, /wrong\.mts\(2,14\): error TS2322/);
});

test(
  `the compatible declarations compile with TypeScript ${oldest.version}`,
  { skip: skipWithoutPeer("typescript-4.5") },
  () => {
    const { folder } = app;
    const use = (from: string): string => `
import { DebugProtocol } from "${from}";
export const event: DebugProtocol.Event = { seq: 1, type: "event", event: "mine" };
`;
    writeFileSync(join(folder, "oldest.ts"), use("@wirewright/debugprotocol"));
    const compilerOptions = {
      target: "es2019",
      module: "commonjs",
      moduleResolution: "node",
      strict: true,
      types: [],
      noEmit: true,
      skipLibCheck: false,
    };
    const files = ["oldest.ts"];
    assert.equal(compileWith(oldest, folder, { compilerOptions, files }), "");
  },
);

test(
  "test/peers contains the older compilers",
  {
    skip: skipWithoutPeer("typescript-5.4"),
  },
  () => {
    assert.deepEqual(
      [oldest, ...ownCompilers].map(({ version, tsc }) => [version, existsSync(tsc)]),
      [
        ["4.5", true],
        ["5.4", true],
        ["7", true],
      ],
    );
    assert.deepEqual(installedCompilers, ["TypeScript 5.4", "TypeScript 7"]);
    assert.equal(isInstalled({ version: "0", tsc: fromRoot("node_modules/none") }), false);
  },
);

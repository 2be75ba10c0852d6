import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  packedFiles,
  packProtocol,
  packRuntime,
  type PackedPackage,
} from "../../tools/release/packages.js";
import { unreadiness } from "../../tools/release/readiness.js";
import { smokeTest } from "../../tools/release/smoke-test.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { brokenLinks, parsePage, type MarkdownPage } from "../support/markdown-page.js";
import { fromRoot, root, readJson } from "../support/paths.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";

const tool = readJson("package.json") as Record<string, unknown>;

test("published packages have the tool's version, repository and license", async () => {
  const folder = fromRoot("build/release-test/runtime");
  const packed = await packRuntime(folder);
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const { name, version, keywords, homepage, bugs, repository, publishConfig, exports, ...rest } =
    JSON.parse(read("package.json")) as Record<string, unknown>;
  assert.deepEqual(
    { name, version, keywords, homepage, bugs, repository, publishConfig, exports },
    {
      name: "@wirewright/runtime",
      version: tool["version"],
      keywords: ["debugger", "protocol", "typescript"],
      homepage: tool["homepage"],
      bugs: tool["bugs"],
      repository: { ...(tool["repository"] as object), directory: "runtime" },
      publishConfig: { access: "public" },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./node": { types: "./dist/node.d.ts", default: "./dist/node.js" },
        "./package.json": "./package.json",
      },
    },
  );
  assert.ok(!("private" in rest) && !("dependencies" in rest));
  assert.equal(read("LICENSE"), readFileSync(fromRoot("LICENSE"), "utf8"));
  assert.deepEqual(packed.files.filter((path) => !/^dist\/.*(?:\.js|\.d\.ts)$/.test(path)).sort(), [
    "LICENSE",
    "README.md",
    "package.json",
  ]);
});

test("a protocol's package can be installed and used with each module system", async () => {
  await withFolder(async (folder) => {
    writeFiles(folder, { "project/.npmrc": "offline=true\n" });
    const runtime = await packRuntime(fromRoot("build/release-test/runtime"));
    const packed = await packProtocol("ruby-debug-ide", fromRoot("build/release-test/ruby"));
    assert.deepEqual(smokeTest([runtime, packed], join(folder, "project")).slice(0, 3), [
      "@wirewright/runtime",
      "@wirewright/runtime/node",
      "@wirewright/ruby-debug-ide",
    ]);
  });
});

for (const protocol of packagedProtocols)
  test(`the README of the ${protocol} package names each of its entry points`, async () => {
    const folder = fromRoot(`build/release-test/${protocol}`);
    await packProtocol(protocol, folder);
    const text = readFileSync(join(folder, "README.md"), "utf8");
    const missing = [...entryPoints(protocol).keys()].filter(
      (entry) => entry !== "index" && !text.includes(`/${entry}\``),
    );
    assert.deepEqual(missing, []);
  });

/** Creates a package with a few files, in the form in which npm installs a folder. */
function smallPackage(folder: string, files: Readonly<Record<string, string>>): PackedPackage {
  writeFiles(join(folder, "small"), {
    "package.json": JSON.stringify({
      name: "small",
      version: "1.0.0",
      protocolVersion: "3",
      exports: {
        ".": {
          import: { types: "./index.d.mts", default: "./index.mjs" },
          require: { types: "./index.d.cts", default: "./index.cjs" },
        },
      },
    }),
    "index.mjs": 'export const protocolVersion = "3";\n',
    "index.cjs": 'exports.protocolVersion = "3";\n',
    "index.d.mts": "export declare const protocolVersion: string;\n",
    "index.d.cts": "export declare const protocolVersion: string;\n",
    ...files,
  });
  const tarball = join(folder, "small");
  return { name: "small", version: "1.0.0", tarball, files: [], unpackedSize: 0 };
}

for (const [what, files, expected] of [
  ["passes", {}, undefined],
  [
    "has different names in CommonJS",
    { "index.cjs": 'exports.protocolVersion = "3"; exports.more = 1;\n' },
    /^Error: small exports different names for import and require$/,
  ],
  [
    "exports a different protocol version than its package.json gives",
    { "index.cjs": 'exports.protocolVersion = "4";\n' },
    /^Error: small exports protocol version 4, but its package.json says 3$/,
  ],
  ["lacks a file", { "index.mjs": 'export * from "./none.mjs";\n' }, /ERR_MODULE_NOT_FOUND/],
  [
    "has declarations that do not compile",
    { "index.d.cts": "export declare const protocolVersion: Missing;\n" },
    /error TS2304: Cannot find name 'Missing'/,
  ],
] as const) {
  test(`smokeTest() judges a package that ${what}`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, { "project/.npmrc": "offline=true\n" });
      const run = (): readonly string[] =>
        smokeTest([smallPackage(folder, files)], join(folder, "project"));
      if (expected === undefined) assert.deepEqual(run(), ["small"]);
      else assert.throws(run, expected);
    });
  });
}

test("a version is not published from a tree with uncommitted changes, nor without a changelog section and date", () => {
  const changelog = "# Changelog\n\n## 1.2.0 (2026-01-31)\n\n## 1.1.0 (unreleased)\n";
  assert.deepEqual(unreadiness("1.2.0", { status: "", changelog }), []);
  assert.deepEqual(unreadiness("1.1.0", { status: " M a.ts\n", changelog }), [
    "git has uncommitted changes",
    "CHANGELOG.md has no date for 1.1.0",
  ]);
  assert.deepEqual(unreadiness("1.3.0", { status: "", changelog }), [
    "CHANGELOG.md has no section for 1.3.0",
  ]);
});

test("pages in the tool's package link only to files in the package", () => {
  const files = packedFiles(root);
  const pages = files
    .filter((path) => path.endsWith(".md"))
    .map((path): MarkdownPage => parsePage(path, readFileSync(fromRoot(path), "utf8")));
  assert.ok(pages.some(({ path }) => path === "docs/guides/own-protocol.md"));
  assert.deepEqual(brokenLinks(pages), []);
  const targets = pages.flatMap(({ path, links }) =>
    links
      .filter((link) => !/^(https:|#)/.test(link))
      .map((link) => new URL(link.split("#")[0]!, `file:///${path}`).pathname.slice(1)),
  );
  assert.ok(targets.length > 30);
  assert.deepEqual(
    targets.filter((target) => !files.includes(target)),
    [],
  );
});

test("the tool's package contains no files for contributors", () => {
  const folders = new Set(
    packedFiles(root).map((path) =>
      path
        .split("/")
        .slice(0, /^(?:build|cli)\//.test(path) ? 2 : 1)
        .join("/"),
    ),
  );
  assert.deepEqual(
    [...folders].sort(),
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "build/cli",
      "build/diff",
      "build/generator",
      "build/launch",
      "build/runtime",
      "build/sessions",
      "cli/command.js",
      "docs",
      "examples",
      "package.json",
      "schema",
    ].sort(),
  );
});

test("npm ci does not install compilers and peers that only some tests and benchmarks need", () => {
  const { packages } = readJson("package-lock.json") as {
    packages: Record<string, { optional?: boolean }>;
  };
  const paths = Object.keys(packages).filter((path) => path !== "");
  // npm installs only those optional packages that match the platform.
  assert.ok(paths.filter((path) => packages[path]!.optional !== true).length <= 190);
  const needed = /typescript-[45]\.|quicktype|arethetypeswrong|typia|debugprotocol-/;
  assert.deepEqual(
    paths.filter((path) => needed.test(path)),
    [],
  );
});

test("every dependency supports Node 20, so that npm ci does not warn", () => {
  const { packages } = readJson("package-lock.json") as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
  };
  const ranges = Object.entries(packages).flatMap(([path, { engines, optional }]) =>
    // Ignore optional packages, because npm silently skips packages for other platforms.
    engines?.node === undefined || optional === true ? [] : [[path, engines.node] as const],
  );
  assert.ok(ranges.length > 100);
  assert.deepEqual(
    ranges.filter(([, range]) => !acceptsNode20(range)),
    [],
  );
  assert.deepEqual(
    [">=20", ">= 12.22.0", "18 || 20 || >=22", "^20.19.0 || >=22", "*", ">=20.19.0"].filter(
      (range) => !acceptsNode20(range),
    ),
    [],
  );
  assert.deepEqual([">=22", "^22.1.0 || >=24", "18", "^18.0.0", ">=200"].filter(acceptsNode20), []);
});

/** Returns whether a version range includes the latest Node 20 versions. */
function acceptsNode20(range: string): boolean {
  return range.split("||").some((part) => {
    const [, sign, major] = /^\s*(>=|>|\^|~|)\s*v?(\d+|\*)/.exec(part) ?? [];
    if (major === "*") return true;
    return sign === ">=" || sign === ">" ? Number(major) <= 20 : Number(major) === 20;
  });
}

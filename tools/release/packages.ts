import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform, type Plugin } from "esbuild";
import { emitDeclarationsPackage, generate, readProtocol } from "../../cli/index.js";
import { bundledModelsPath, bundledProtocols } from "../../generator/base/bundled.js";
import { printBuiltModels } from "../../generator/read/built-model.js";
import { describedVersions } from "../../generator/read/read-protocol.js";
import { openDescription } from "../../generator/read/open-description.js";
import { entryPoints, packagedProtocols } from "../../test/support/workspaces.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiled = join(root, "build");

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths of the files in the tarball, relative to the package. */
  readonly files: readonly string[];
  /** The total size of the files in bytes. */
  readonly unpackedSize: number;
}

type Files = ReadonlyMap<string, string | Uint8Array>;
type Manifest = Readonly<Record<string, unknown>>;

/**
 * Packs everything that is published into a folder: the runtime, the package of each protocol, the
 * declarations that replace a published package, the tool, and the conformance suite. Everything
 * must have been built.
 *
 * @param folder The folder to write to. It is emptied first.
 */
export async function packAll(folder: string): Promise<readonly PackedPackage[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = [await packRuntime(join(folder, "runtime"))];
  for (const protocol of packagedProtocols) {
    packed.push(await packProtocol(protocol, join(folder, protocol)));
    const declarations = await packDeclarations(protocol, join(folder, `${protocol}-types`));
    if (declarations !== undefined) packed.push(declarations);
  }
  packed.push(await packTool(join(folder, "wirewright")), await packSuite(join(folder, "suite")));
  return packed;
}

export async function packRuntime(folder: string): Promise<PackedPackage> {
  const { exports, ...manifest } = readManifest("runtime") as { readonly exports: object };
  // Our own tests and the bundled suite use internal modules; users must not.
  const published = Object.entries(exports).filter(([path]) => !path.startsWith("./internal/"));
  const files = await compiledModules("runtime", ["index", "node"]);
  const text = JSON.stringify({ ...manifest, exports: Object.fromEntries(published) });
  const packed = new Map([...files, ["package.json", text], ["README.md", runtimeReadme]]);
  return pack(packed, "runtime", folder);
}

/** Packs a protocol's package: what the compiler wrote for its generated and hand-written code. */
export async function packProtocol(protocol: string, folder: string): Promise<PackedPackage> {
  const workspace = `protocols/${protocol}`;
  const manifest = readManifest(workspace);
  const modules = await compiledModules("", [...entryPoints(protocol).values()]);
  const { files } = await generate(protocol, { packageName: manifest["name"] as string });
  // `wirewright diff` reads from these fields which version a package was generated from.
  const { protocol: generatedFrom, protocolVersion } = JSON.parse(
    files.get("package.json")!,
  ) as Manifest;
  const fields = { ...manifest, protocol: generatedFrom, protocolVersion };
  // A package with modules written by hand has its own README, because the generated one lacks them.
  const ownReadme = join(root, workspace, "README.md");
  const readme = existsSync(ownReadme) ? readFileSync(ownReadme, "utf8") : files.get("README.md")!;
  return pack(
    new Map([["README.md", readme], ...modules, ["package.json", JSON.stringify(fields)]]),
    workspace,
    folder,
  );
}

/** The tool's command and its public functions. */
const toolEntries = { main: "cli/main.js", index: "cli/index.js" };

/**
 * Modules with a bundle of their own, which starts faster than fifty files with shared code: what
 * starts every command, and the commands that are run most often.
 */
const wholeEntries = {
  "run-command": "cli/run-command.js",
  "lint-command": "cli/lint-command.js",
  "diff-command": "cli/diff-command.js",
  "tap-command": "cli/tap-command.js",
  viewer: "sessions/tap/viewer.js",
};

/** Entries that the whole bundles load on demand, and with which they share no classes. */
const apart = {
  "diff-code": "diff/diff-code.js",
  "findings-in-session": "cli/findings-in-session.js",
  "recording-page": "sessions/show/inspector/recording-page.js",
  "lint-configuration": "cli/lint-configuration.js",
  "open-protocol": "sessions/judge/open-protocol.js",
  "redact-command": "cli/redact-command.js",
  "build-protocol": "generator/read/build-protocol.js",
  "read-format": "generator/read/formats/read-format.js",
};

/**
 * Packs the declarations that replace a published package. Returns undefined if the protocol has
 * none.
 */
export async function packDeclarations(
  protocol: string,
  folder: string,
): Promise<PackedPackage | undefined> {
  const files = emitDeclarationsPackage(await readProtocol(protocol));
  return files === undefined ? undefined : pack(files, `protocols/${protocol}`, folder);
}

/** Bundles the tool into a few files, which load faster than hundreds of modules, and packs it. */
export async function packTool(folder: string): Promise<PackedPackage> {
  const rooms = /^build\//;
  const copied = packedFiles(root).filter((path) => !rooms.test(path));
  const bundled = [
    ...(await bundle(compiled, { ...toolEntries, ...apart }, { outside: wholeEntries })),
    ...(await bundle(compiled, wholeEntries, { splitting: false, outside: apart })),
  ];
  return pack(
    new Map<string, string | Uint8Array>([
      ...copied.map((path) => [path, readFileSync(join(root, path))] as const),
      ...(await bundledModels()),
      ...bundled.map(([path, text]) => [`build/cli/${path}`, text] as const),
      ...[...(await compiledModules("", ["cli/index"], [".d.ts"]))].map(
        ([path, text]) => [path.replace(/^dist/, "build"), text] as const,
      ),
    ]),
    ".",
    folder,
  );
}

/** The models of the bundled protocols whose schemas are bundled, too, as the tool reads them. */
async function bundledModels(): Promise<readonly (readonly [path: string, text: string])[]> {
  const models: [path: string, text: string][] = [];
  for (const name of bundledProtocols()) {
    const { current = "", versions = {} } = (await openDescription(name)).description.schema;
    const listed = versions[current];
    if (listed === undefined || [listed].flat().some((file) => file.startsWith("npm:"))) continue;
    const earlier = (await describedVersions(name)).filter((version) => version !== current);
    const all = [current, ...earlier.reverse()];
    const text = printBuiltModels(
      await Promise.all(all.map((version) => readProtocol(name, { version }))),
    );
    models.push([relative(root, bundledModelsPath(name)).replaceAll("\\", "/"), text]);
  }
  return models;
}

/** Bundles the conformance suite and packs it with its programs. */
export async function packSuite(folder: string): Promise<PackedPackage> {
  const source = join(root, "conformance");
  const copied = packedFiles(source).filter((path) => !path.startsWith("dist/"));
  const schema = join(root, "schema/formats/conformance-results.schema.json");
  const code = await bundle(join(compiled, "conformance"), { cli: "cli.js", index: "index.js" });
  return pack(
    new Map([
      ...copied.map((path) => [path, readFileSync(join(source, path), "utf8")] as const),
      ["results.schema.json", readFileSync(schema, "utf8")],
      ...code.map(([path, text]) => [`dist/${path}`, text] as const),
      ...(await compiledModules("conformance", ["index"], [".d.ts"])),
    ]),
    "conformance",
    folder,
  );
}

const runtimeReadme = `# @wirewright/runtime

The code that packages generated by wirewright import: decoders, encoders, validators and connections. Install it together with generated code; its functions are documented with the packages that use them, such as \`@wirewright/dap\`.
`;

const codeExtensions = [".js", ".d.ts"] as const;

/**
 * Reads compiled modules and the modules that they import by path. Code loses its comments, which
 * declarations have, too.
 *
 * @param room The folder in `build/` that the published `dist` corresponds to.
 * @param entries Paths of modules in the folder, without extensions.
 */
async function compiledModules(
  room: string,
  entries: readonly string[],
  extensions: readonly (typeof codeExtensions)[number][] = codeExtensions,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const extension of extensions) {
    const paths = new Set(entries);
    for (const path of paths) {
      const text = readFileSync(join(compiled, room, path + extension), "utf8");
      for (const [, from] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
        paths.add(join(dirname(path), from!).replaceAll("\\", "/"));
      const isCode = extension === ".js";
      files.set(
        `dist/${path}${extension}`,
        isCode ? (await transform(text, { legalComments: "none" })).code : text,
      );
    }
  }
  return files;
}

/**
 * Reads Node's modules without `import`, which would also load what their getters load, such as
 * streams for `node:fs`. The functions of `node:crypto` load it when they are called.
 */
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]build[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /^import (\w+|\{[^}]*\}) from "(node:[\w/]+)";$/gm,
        (_, names: string, module: string) => {
          const loaded = `process.getBuiltinModule("${module}")`;
          const functions = module === "node:crypto" ? (names.match(/\w+/g) ?? []) : [];
          return functions.length === 0
            ? `const ${names.replaceAll(" as ", ": ")} = ${loaded};`
            : functions
                .map((name) => `const ${name} = (...values) => ${loaded}.${name}(...values);`)
                .join(" ");
        },
      ),
    }));
  },
};

type Entries = Readonly<Record<string, string>>;

/**
 * Bundles compiled programs, which keep their dependencies outside.
 *
 * @param splitting Whether they share code. Default: true.
 * @param outside Entries of another bundle in the same folder.
 */
async function bundle(
  folder: string,
  entries: Entries,
  { splitting = true, outside = {} as Entries } = {},
): Promise<readonly (readonly [path: string, text: string])[]> {
  const bundledApart: Plugin = {
    name: "bundled-apart",
    setup({ onResolve }) {
      for (const name of Object.keys(outside))
        onResolve({ filter: new RegExp(`/${name}\\.js$`) }, ({ kind }) =>
          kind === "dynamic-import" ? { path: `./${name}.js`, external: true } : undefined,
        );
    },
  };
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    bundle: true,
    splitting,
    plugins: [nodeModules, bundledApart],
    format: "esm",
    platform: "node",
    target: "node20",
    external: Object.keys(readManifest(".")["dependencies"] as object).concat(
      "@wirewright/dap",
      "prettier",
      "wirewright",
    ),
    outdir: folder,
    write: false,
    legalComments: "none",
    logLevel: "error",
  });
  return outputFiles.map(({ path, text }) => [relative(folder, path).replaceAll("\\", "/"), text]);
}

function readManifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8")) as Manifest;
}

/** Writes a package's files and packs them, with the facts that all packages share. */
function pack(files: Files, directory: string, folder: string): PackedPackage {
  const { private: _, ...manifest } = JSON.parse(String(files.get("package.json"))) as Manifest;
  const { version, homepage, bugs, repository, publishConfig } = readManifest(".");
  const keywords = ["debugger", "protocol", "typescript"];
  const shared = { keywords, version, homepage, bugs, publishConfig };
  const published =
    directory === "."
      ? manifest
      : { ...shared, ...manifest, version, repository: { ...(repository as object), directory } };
  const all = new Map<string, string | Uint8Array>([
    ...files,
    ["LICENSE", readFileSync(join(root, "LICENSE"))],
    ["package.json", `${JSON.stringify(published, undefined, 2)}\n`],
  ]);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of all) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const destination = dirname(folder);
  const packed = runNpmPack(folder, ["--pack-destination", destination]);
  return {
    name: packed.name,
    version: packed.version,
    unpackedSize: packed.unpackedSize,
    tarball: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
  };
}

/** Returns the paths of the files that npm would pack from a folder. */
export function packedFiles(folder: string): readonly string[] {
  return runNpmPack(folder, ["--dry-run"]).files.map(({ path }) => path);
}

/** The fields in npm's output about a packed package. */
interface NpmPackage extends Omit<PackedPackage, "files" | "tarball"> {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function runNpmPack(folder: string, options: readonly string[]): NpmPackage {
  const printed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...options], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  return (JSON.parse(printed) as [NpmPackage])[0];
}

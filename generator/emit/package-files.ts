import type { Protocol } from "../model/protocol.js";
import { printJson } from "../print/json-text.js";
import type { PackageNames } from "./modules/package-names.js";
import { emitReadme } from "./package-readme.js";

/** Emits the files other than code: package.json, compiler settings, README, and what git should know. */
export function emitPackageFiles(
  protocol: Protocol,
  names: PackageNames,
  packageName: string,
): ReadonlyMap<string, string> {
  return new Map([
    [".gitattributes", "* text eol=lf linguist-generated\n"],
    ["README.md", emitReadme(protocol, names, packageName)],
    ["cjs/package.json", json({ type: "commonjs" })],
    ["package.json", `${printJson(manifest(protocol, packageName))}\n`],
    [
      "tsconfig.cjs.json",
      json({ extends: "./tsconfig.json", compilerOptions: { module: "commonjs", outDir: "cjs" } }),
    ],
    ["tsconfig.json", json(compilerSettings)],
  ]);
}

const compilerSettings = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022", "dom"],
    types: ["node"],
    module: "es2022",
    rootDir: ".",
    outDir: "dist",
    declaration: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    noPropertyAccessFromIndexSignature: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
    skipLibCheck: true,
  },
  include: ["*.ts", "runtime"],
};

function manifest(protocol: Protocol, packageName: string): object {
  return {
    name: packageName,
    version: protocol.packageVersion,
    protocol: protocol.name,
    protocolVersion: protocol.version,
    description: `Types, guards, message maps, validators and codec of the ${protocol.title}`,
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    main: "./cjs/index.js",
    types: "./dist/index.d.ts",
    // For compilers that know no exports: `moduleResolution: node10`.
    typesVersions: {
      "*": Object.fromEntries(
        ["node", ...(protocol.compatibility === undefined ? [] : ["compatibility"])].map((name) => [
          name,
          [`./cjs/${name}.d.ts`],
        ]),
      ),
    },
    exports: {
      ".": {
        import: entry("dist", "index"),
        require: entry("cjs", "index"),
      },
      "./node": {
        import: entry("dist", "node"),
        require: entry("cjs", "node"),
      },
      ...(protocol.compatibility === undefined
        ? {}
        : {
            "./compatibility": {
              import: declarations("dist", "compatibility"),
              require: declarations("cjs", "compatibility"),
            },
          }),
      "./package.json": "./package.json",
    },
    files: ["dist", "cjs"],
    scripts: {
      build: [
        "tsc -p tsconfig.json",
        "tsc -p tsconfig.cjs.json",
        bundling("dist", "--format=esm --splitting"),
        bundling("cjs", "--format=cjs"),
      ].join(" && "),
      prepack: "npm run build",
    },
    devDependencies: { "@types/node": ">=20", esbuild: ">=0.20", typescript: ">=5.4" },
  };
}

/** The command that bundles modules for Node, which takes half a millisecond to load each. */
function bundling(folder: string, format: string): string {
  return `esbuild dist/index.js dist/node.js --bundle --platform=node --packages=external ${format} --outdir=${folder}/bundle --log-level=warning`;
}

function entry(folder: string, name: string): object {
  return {
    types: `./${folder}/${name}.d.ts`,
    node: `./${folder}/bundle/${name}.js`,
    default: `./${folder}/${name}.js`,
  };
}

/** The exports entry of a module that contains declarations only. */
function declarations(folder: string, name: string): object {
  return { types: `./${folder}/${name}.d.ts`, default: `./${folder}/${name}.js` };
}

/** Prints JSON with short lists on one line. */
function json(value: object): string {
  const text = printJson(value).replaceAll(/\[\n[^[\]{}]*\]/g, (list) => {
    const flat = list.replaceAll(/\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]");
    return flat.length > 70 ? list : flat;
  });
  return `${text}\n`;
}

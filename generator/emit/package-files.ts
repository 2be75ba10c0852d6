import type { Protocol } from "../model/protocol.js";
import { printJson } from "../print/json-text.js";
import type { PackageNames } from "./modules/package-names.js";
import { packageEntries } from "./package-entries.js";
import type { PackageParts } from "./package-parts.js";
import { emitReadme } from "./package-readme.js";

/**
 * Emits the files other than code: package.json, compiler settings, README, and attributes for git.
 */
export function emitPackageFiles(
  protocol: Protocol,
  names: PackageNames,
  packageName: string,
  parts?: PackageParts,
): ReadonlyMap<string, string> {
  return new Map([
    [".gitattributes", "* text eol=lf linguist-generated\n"],
    ["README.md", emitReadme(protocol, names, packageName, parts)],
    ["cjs/package.json", json({ type: "commonjs" })],
    ["package.json", `${printJson(manifest(protocol, packageName, parts))}\n`],
    [
      "tsconfig.cjs.json",
      json({ extends: "./tsconfig.json", compilerOptions: { module: "commonjs", outDir: "cjs" } }),
    ],
    ["tsconfig.json", json(compilerSettings(protocol))],
  ]);
}

function compilerSettings(protocol: Protocol): object {
  const folders = Object.keys(protocol.code?.files ?? {}).flatMap((path) => path.split("/", 1));
  return {
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
    include: ["*.ts", ...new Set(["runtime", ...folders.filter((name) => !name.endsWith(".ts"))])],
  };
}

function manifest(
  protocol: Protocol,
  packageName: string,
  parts: PackageParts | undefined,
): object {
  const entries = packageEntries(protocol, parts);
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
        entries
          .filter(({ name }) => name !== "index")
          .map(({ name }) => [name, [`./cjs/${name}.d.ts`]]),
      ),
    },
    exports: {
      ...Object.fromEntries(
        entries.map(({ name }) => [
          name === "index" ? "." : `./${name}`,
          { import: built("dist", name), require: built("cjs", name) },
        ]),
      ),
      "./package.json": "./package.json",
    },
    files: ["dist", "cjs"],
    scripts: {
      build: "tsc -p tsconfig.json && tsc -p tsconfig.cjs.json",
      prepack: "npm run build",
    },
    devDependencies: { "@types/node": ">=20", typescript: ">=5.4" },
  };
}

/** An entry of `exports` for a module that the compiler has written. */
function built(folder: string, name: string): object {
  return { types: `./${folder}/${name}.d.ts`, default: `./${folder}/${name}.js` };
}

/** Prints JSON with short lists on one line. */
function json(value: object): string {
  const text = printJson(value).replaceAll(/\[\n[^[\]{}]*\]/g, (list) => {
    const flat = list.replaceAll(/\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]");
    return flat.length > 80 ? list : flat;
  });
  return `${text}\n`;
}

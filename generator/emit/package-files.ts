import type { Protocol } from "../model/protocol.js";
import { printJson } from "../print/json-text.js";
import type { PackageNames } from "./modules/package-names.js";
import { packageEntries } from "./package-entries.js";
import type { PackageParts } from "./package-parts.js";
import { emitReadme } from "./package-readme.js";

/** The languages in which a package's modules can be emitted. */
export const packageTargets = ["ts", "js+dts"] as const;

export type PackageTarget = (typeof packageTargets)[number];

/**
 * Emits the files that are not code: package.json, README, `.gitattributes` and, if the package
 * needs them, compiler settings.
 */
export function emitPackageFiles(
  protocol: Protocol,
  names: PackageNames,
  packageName: string,
  target: PackageTarget,
  parts?: PackageParts,
): ReadonlyMap<string, string> {
  const files: readonly (readonly [path: string, text: string])[] = [
    [".gitattributes", "* text eol=lf linguist-generated\n"],
    ["README.md", emitReadme(protocol, names, packageName, parts)],
    ["package.json", `${printJson(manifest(protocol, packageName, target, parts))}\n`],
  ];
  if (target === "js+dts") return new Map(files);
  return new Map([
    ...files,
    ["cjs/package.json", json({ type: "commonjs" })],
    [
      "tsconfig.cjs.json",
      json({ extends: "./tsconfig.json", compilerOptions: { module: "commonjs", outDir: "cjs" } }),
    ],
    ["tsconfig.json", json(compilerSettings(protocol))],
  ]);
}

function compilerSettings(protocol: Protocol): object {
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
    include: ["*.ts", ...folders(protocol)],
  };
}

/** Returns the folders that contain a package's modules. */
function folders({ code }: Protocol): readonly string[] {
  const written = Object.keys(code?.files ?? {}).flatMap((path) => path.split("/", 1));
  return [...new Set(["runtime", ...written.filter((name) => !name.endsWith(".ts"))])];
}

function manifest(
  protocol: Protocol,
  packageName: string,
  target: PackageTarget,
  parts: PackageParts | undefined,
): object {
  const entries = packageEntries(protocol, parts).map(({ name }) => name);
  const exported = (describe: (entry: string) => object): object => ({
    ...Object.fromEntries(
      entries.map((entry) => [entry === "index" ? "." : `./${entry}`, describe(entry)]),
    ),
    "./package.json": "./package.json",
  });
  const head = {
    name: packageName,
    version: protocol.packageVersion,
    protocol: protocol.name,
    protocolVersion: protocol.version,
    description: `Types, guards, message maps, validators and a codec for the ${protocol.title}`,
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
  };
  if (target === "js+dts")
    return {
      ...head,
      main: "./index.js",
      types: "./index.d.ts",
      exports: exported((entry) => built(".", entry)),
      files: ["*.js", "*.d.ts", ...folders(protocol)],
    };
  return {
    ...head,
    main: "./cjs/index.js",
    types: "./dist/index.d.ts",
    // Compilers that use `moduleResolution: node10` do not support `exports` and fall back to this.
    typesVersions: {
      "*": Object.fromEntries(
        entries
          .filter((entry) => entry !== "index")
          .map((entry) => [entry, [`./cjs/${entry}.d.ts`]]),
      ),
    },
    exports: exported((entry) => ({
      import: built("./dist", entry),
      require: built("./cjs", entry),
    })),
    files: ["dist", "cjs"],
    scripts: {
      build: "tsc -p tsconfig.json && tsc -p tsconfig.cjs.json",
      prepack: "npm run build",
    },
    devDependencies: { "@types/node": ">=20", typescript: ">=5.4" },
  };
}

/** Returns the `exports` entry for a compiled module. */
function built(folder: string, entry: string): object {
  return { types: `${folder}/${entry}.d.ts`, default: `${folder}/${entry}.js` };
}

/** Formats JSON, keeping short arrays on one line. */
function json(value: object): string {
  const text = printJson(value).replaceAll(/\[\n[^[\]{}]*\]/g, (list) => {
    const flat = list.replaceAll(/\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]");
    return flat.length > 80 ? list : flat;
  });
  return `${text}\n`;
}

import type { Protocol } from "../model/protocol.js";
import { runtimeRange } from "../base/bundled.js";
import { printJson } from "../print/json-text.js";
import type { PackageNames } from "./modules/package-names.js";
import { packageEntries } from "./package-entries.js";
import type { PackageParts } from "./package-parts.js";
import { emitReadme } from "./package-readme.js";

/**
 * Emits the files that a package needs in addition to its modules: package.json, README,
 * `.gitattributes` and compiler settings.
 */
export function emitPackageFiles(
  protocol: Protocol,
  names: PackageNames,
  packageName: string,
  target: "ts" | "js+dts",
  parts?: PackageParts,
): ReadonlyMap<string, string> {
  const isCompiled = target === "js+dts";
  return new Map([
    [".gitattributes", "* text eol=lf linguist-generated\n"],
    ["README.md", emitReadme(protocol, names, packageName, parts)],
    ["package.json", `${printJson(manifest(protocol, packageName, isCompiled, parts))}\n`],
    ...(isCompiled ? [] : [["tsconfig.json", json(compilerSettings)] as const]),
  ]);
}

const compilerSettings = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    rootDir: ".",
    outDir: "dist",
    declaration: true,
    strict: true,
    types: ["node"],
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

function manifest(
  protocol: Protocol,
  packageName: string,
  isCompiled: boolean,
  parts: PackageParts | undefined,
): object {
  const folder = isCompiled ? "." : "./dist";
  const entries = packageEntries(protocol, parts).map(({ name }) => [
    name === "index" ? "." : `./${name}`,
    { types: `${folder}/${name}.d.ts`, default: `${folder}/${name}.js` },
  ]);
  return {
    name: packageName,
    version: protocol.packageVersion,
    protocol: protocol.name,
    protocolVersion: protocol.version,
    description: `Types, guards, message maps, validators and a codec for the ${protocol.title}`,
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    exports: { ...Object.fromEntries(entries), "./package.json": "./package.json" },
    files: isCompiled ? ["*.js", "*.d.ts"] : ["dist"],
    ...(isCompiled ? {} : { scripts: { build: "tsc", prepack: "npm run build" } }),
    dependencies: { "@wirewright/runtime": runtimeRange() },
    ...(isCompiled ? {} : { devDependencies: { "@types/node": ">=20", typescript: ">=5.4" } }),
  };
}

/** Formats JSON, keeping short arrays on one line. */
function json(value: object): string {
  const text = printJson(value).replaceAll(/\[\n[^[\]{}]*\]/g, (list) => {
    const flat = list.replaceAll(/\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]");
    return flat.length > 80 ? list : flat;
  });
  return `${text}\n`;
}

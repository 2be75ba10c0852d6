import { completeProtocols } from "../bundled-protocols.js";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generate } from "../../../cli/index.js";
import { installPackages, writeFiles } from "../compile.js";
import { compileWith, settingsOf, type Compiler, type Program } from "../compilers.js";
import { install, specifier, type Installed } from "./packed-app.js";
import { packedPrograms, sourcePrograms, writePackedPrograms } from "./type-programs.js";

/** An application with packages and Node's declarations installed. */
export interface App {
  readonly folder: string;
  readonly packages: readonly Installed[];
}

/** Installs tarballs into an empty application. */
export function createApp(tarballs: readonly string[]): App {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-platforms-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const packages = tarballs.map((tarball) => install(tarball, folder));
  installPackages(folder, ["@types/node", "undici-types"]);
  return { folder, packages };
}

/** Writes the programs that use an application's packages. */
export async function writePrograms({ folder, packages }: App): Promise<void> {
  const dap = packages.find(({ name }) => name === "@wirewright/dap")!;
  const { resolve } = createRequire(join(folder, "main.cjs"));
  const entries = new Map<string, string>();
  for (const entry of dap.entries.filter((each) => each !== "./node")) {
    const from = specifier(dap, entry);
    const exported = (await import(pathToFileURL(resolve(from)).href)) as object;
    for (const name of Object.keys(exported)) if (!entries.has(name)) entries.set(name, from);
  }
  writePackedPrograms(folder, packages, (name) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`No entry of ${dap.name} exports ${name}`);
    return entry;
  });
}

/** Generates the sources of all bundled protocols into an application's folder. */
export async function writeSources({ folder }: App): Promise<void> {
  const protocols = completeProtocols.filter((name) => name !== "acp");
  const entries: string[] = [];
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const name of protocols) {
    const { files } = await generate(name);
    writeFiles(join(folder, "src", name), files);
    for (const path of files.keys()) entries.push(`./src/${name}/${path.replace(/ts$/, "js")}`);
  }
  const exportAll = (paths: readonly string[]): string =>
    paths.map((path, index) => `export * as entry${index} from "${path}";\n`).join("");
  const isNode = (path: string): boolean => path.endsWith("/node.js");
  const web = entries.filter((path) => !isNode(path));
  writeFileSync(join(folder, "sources.ts"), exportAll(web));
  writeFileSync(join(folder, "node-sources.ts"), exportAll(entries.filter(isNode)));
  // The sources are ES modules.
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
}

/** Compiles each program. Returns the errors by program. */
export function checkTypes(
  compiler: Compiler,
  { folder }: App,
  programs: Readonly<Record<string, Program>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(programs).map(([name, program]) => [
      name,
      compileWith(compiler, folder, settingsOf(compiler, program)),
    ]),
  );
}

export { packedPrograms, sourcePrograms };

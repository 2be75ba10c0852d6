import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../../test/support/paths.js";
import { entryPoints } from "../../test/support/workspaces.js";
import { toolManifest } from "./published-files.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Writes a package from `generated/` in the form published on JSR: its sources, together with those
 * of the runtime and its protocol, at the same paths as in the repository.
 *
 * @param folder The folder to write to. It is emptied first.
 */
export function writeJsrPackage(protocol: string, readme: string, folder: string): void {
  const generated = `generated/${protocol}`;
  rmSync(folder, { recursive: true, force: true });
  for (const part of [generated, `protocols/${protocol}`, "runtime"])
    if (existsSync(join(root, part))) copySources(part, folder);
  const manifest = join(root, "protocols", protocol, "package.json");
  const { name } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly name: string };
  const { version } = toolManifest();
  const jsr = {
    name,
    version,
    license: "MIT",
    exports: Object.fromEntries(
      [...entryPoints(protocol)].map(([entry, module]) => [
        entry === "index" ? "." : `./${entry}`,
        `./${module}.ts`,
      ]),
    ),
  };
  writeFileSync(join(folder, "jsr.json"), `${JSON.stringify(jsr, undefined, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "README.md"), readme);
}

/** The Deno version that `node build/tools/platforms/cli.js` installs. */
export const deno: string = join(root, "tools/platforms/node_modules/.bin/deno");

/**
 * Checks JSR's requirements with Deno: ES modules, types that require no inference, and no global
 * declarations.
 *
 * @param folder A package outside any repository, because Deno ignores files that git ignores.
 * @throws Error with Deno's output if the package does not pass.
 */
export function checkJsrPackage(folder: string): void {
  const { status, stdout, stderr, error } = spawnSync(
    deno,
    ["publish", "--dry-run", "--allow-dirty"],
    { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
  );
  if (status !== 0) throw new Error(error?.message ?? `${stdout}${stderr}`);
}

/**
 * Copies TypeScript files, changing their imports to name source files, as JSR requires. References
 * to Node's types are removed, because Deno provides these types by itself.
 */
function copySources(part: string, folder: string): void {
  for (const path of filesBelow(part, /\.ts$/)) {
    const text = readFileSync(join(root, path), "utf8")
      .replaceAll(/((?:from|import)\s*\(?\s*"\.[^"]*)\.js"/g, '$1.ts"')
      .replace(/^\/\/\/ <reference types="node"[^\n]*\n+/m, "");
    const target = join(folder, path);
    mkdirSync(join(target, ".."), { recursive: true });
    writeFileSync(target, text);
  }
}

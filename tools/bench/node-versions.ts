/** Finds the Node versions to measure with and installs those that are missing. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot } from "../../test/support/paths.js";

/** A Node executable and the major version that was requested. */
export interface NodeVersion {
  readonly major: string;
  readonly path: string;
}

/**
 * Returns the executables for a list such as `22,24,26`, from the npm package `node`. Without a
 * list, returns the Node executable that runs this process.
 */
export function findNodes(list: string | undefined): readonly NodeVersion[] {
  if (list === undefined)
    return [{ major: process.versions.node.split(".")[0]!, path: process.execPath }];
  return list.split(",").map((major) => ({ major, path: installed(major) }));
}

function installed(major: string): string {
  if (!/^\d+$/.test(major)) throw new Error(`--node ${major}: expected a version such as 24`);
  const folder = fromRoot(`tools/bench/nodes/${major}`);
  const file = process.platform === "win32" ? "node.exe" : "node";
  const path = join(folder, "node_modules/node/bin", file);
  if (!existsSync(path)) {
    console.error(`Installing Node ${major} in bench/nodes`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", `node@${major}`];
    execFileSync("npm", args, { cwd: folder, stdio: "inherit", shell: file === "node.exe" });
  }
  return path;
}

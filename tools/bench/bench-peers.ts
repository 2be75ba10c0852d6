import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fromRoot } from "../../test/support/paths.js";

const isInstalled = (): boolean => existsSync(fromRoot("tools/bench/peers/node_modules"));

/** Returns the reason why a benchmark cannot run until packages have been installed. */
export const withoutBenchPeers = (): string | undefined =>
  isInstalled() ? undefined : "needs npm ci --prefix tools/bench/peers";

/**
 * Returns a path into the packages used only by benchmarks, installing those packages if they are
 * missing.
 */
export function inBenchPeers(path: string): string {
  const folder = fromRoot("tools/bench/peers");
  if (!isInstalled()) {
    console.error("Installing tools/bench/peers");
    execFileSync("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
  }
  return fromRoot(`tools/bench/peers/node_modules/${path}`);
}

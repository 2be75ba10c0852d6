import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fromRoot } from "../shared/paths.js";

const isInstalled = (): boolean => existsSync(fromRoot("tools/bench/peers/node_modules"));

/** Why a benchmark cannot run that must install nothing. */
export const withoutBenchPeers = (): string | undefined =>
  isInstalled() ? undefined : "needs npm ci --prefix tools/bench/peers";

/** A path in the packages that only benchmarks compare with. The first one that is asked for installs them. */
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

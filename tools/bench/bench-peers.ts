import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fromRoot } from "../shared/paths.js";

/** A path in the packages that only benchmarks compare with. The first one that is asked for installs them. */
export function inBenchPeers(path: string): string {
  const folder = fromRoot("tools/bench/peers");
  if (!existsSync(fromRoot("tools/bench/peers/node_modules"))) {
    console.error("Installing tools/bench/peers");
    execFileSync("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
  }
  return fromRoot(`tools/bench/peers/node_modules/${path}`);
}

import { existsSync } from "node:fs";
import { fromRoot } from "./paths.js";

/**
 * Returns a path in the `test/peers` packages, which are installed separately:
 * `npm ci --prefix test/peers`.
 */
export function inPeers(path: string): string {
  return fromRoot(`test/peers/node_modules/${path}`);
}

/**
 * Returns the reason for skipping a test that requires such a package, or false if the package is
 * installed.
 */
export function skipWithoutPeer(name: string): string | false {
  return existsSync(inPeers(name)) ? false : `needs ${name}: npm ci --prefix test/peers`;
}

import { existsSync } from "node:fs";
import { fromRoot } from "../../tools/shared/paths.js";

/** A path of the packages in `test/peers`. */
export function inPeers(path: string): string {
  return fromRoot(`test/peers/node_modules/${path}`);
}

/** What a test that needs such a package says when it is skipped; false where it is installed. */
export function skipWithoutPeer(name: string): string | false {
  return existsSync(inPeers(name)) ? false : `needs ${name}: npm ci --prefix test/peers`;
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The project root. Tests run from `build/test`. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns a path below the root. */
export function fromRoot(path: string): string {
  return `${root}${path}`;
}

/** Returns the value in a JSON file, by its path from the root. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(fromRoot(path), "utf8"));
}

/** Lists the files below a folder of the project whose paths match, as paths from the root. */
export function filesBelow(folder: string, pattern: RegExp): readonly string[] {
  return (
    readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      // A workspace's `dist` links to its part of `build/`.
      .filter((path) => pattern.test(path) && !/\/(node_modules|dist)\//.test(path))
      .sort()
  );
}

/** Folders in `../shared` whose contents also come with a package in `test/peers`. */
const carried: Readonly<Record<string, string>> = {
  "schemas/cdp": "test/peers/node_modules/devtools-protocol/json",
};

/**
 * Returns the path of a published schema or a recording that cannot be part of the project, or
 * undefined if it is absent.
 */
export function shared(path: string): string | undefined {
  const folder = Object.keys(carried).find((each) => `${path}/`.startsWith(`${each}/`));
  return [
    `../shared/${path}`,
    ...(folder === undefined ? [] : [`${carried[folder]!}${path.slice(folder.length)}`]),
  ]
    .map(fromRoot)
    .find(existsSync);
}

/**
 * Returns the reason for skipping a test that requires such a file, or false if the file exists.
 */
export function skipWithout(path: string): string | false {
  return shared(path) === undefined
    ? `needs ../shared/${path}, which cannot be part of the project because it was written by others`
    : false;
}

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

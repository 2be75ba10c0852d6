import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the project; tests run from `build/test`. */
export const root: string = fileURLToPath(new URL("../../../", import.meta.url));

/** A path below the root. */
export function fromRoot(path: string): string {
  return `${root}${path}`;
}

/** The folders of `../shared` that a package of `test/peers` carries, too. */
const carried: Readonly<Record<string, string>> = {
  "schemas/cdp": "test/peers/node_modules/devtools-protocol/json",
};

/** Published schemas and recordings that cannot be part of the project; undefined if they are absent. */
export function shared(path: string): string | undefined {
  const folder = Object.keys(carried).find((each) => `${path}/`.startsWith(`${each}/`));
  return [
    `../shared/${path}`,
    ...(folder === undefined ? [] : [`${carried[folder]!}${path.slice(folder.length)}`]),
  ]
    .map(fromRoot)
    .find(existsSync);
}

/** The reason for skipping a test that needs such a file; false if the file exists. */
export function skipWithout(path: string): string | false {
  return shared(path) === undefined
    ? `needs ../shared/${path}: others wrote it, so it cannot be part of the project`
    : false;
}

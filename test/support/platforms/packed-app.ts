import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package that has been packed and then unpacked again, as npm would install it. */
export interface Installed {
  readonly name: string;
  readonly tarball: string;
  /** The package's entry points, such as `.` and `./node`, except `./package.json`. */
  readonly entries: readonly string[];
}

/** Unpacks a tarball into an application's `node_modules`. */
export function install(tarball: string, app: string): Installed {
  const folder = join(app, "node_modules", "unpacked");
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const { name, exports = { ".": {} } } = JSON.parse(
    readFileSync(join(folder, "package", "package.json"), "utf8"),
  ) as { name: string; exports?: object };
  const place = join(app, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  renameSync(join(folder, "package"), place);
  const entries = Object.keys(exports).filter((entry) => !/package\.json$|\*/.test(entry));
  return { name, tarball, entries };
}

/** Returns the specifier for importing an entry point. */
export function specifier({ name }: Installed, entry: string): string {
  return entry === "." ? name : `${name}${entry.slice(1)}`;
}

import { readdirSync, readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";

/** The protocols that have a package in this repository. */
export const packagedProtocols: readonly string[] = readdirSync(fromRoot("generated"), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Returns the entry points of a protocol's package. Each is a path relative to the root, without an
 * extension: of the source, or in `build/` of the compiled code.
 */
export function entryPoints(protocol: string): ReadonlyMap<string, string> {
  const text = readFileSync(fromRoot(`protocols/${protocol}/package.json`), "utf8");
  const { exports } = JSON.parse(text) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return new Map(
    Object.entries(exports).flatMap(([name, target]) =>
      typeof target === "string"
        ? []
        : [
            [
              name.slice("./".length) || "index",
              target.default.slice("./dist/".length, -".js".length),
            ],
          ],
    ),
  );
}

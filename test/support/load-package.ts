import { build } from "esbuild";
import type { GeneratedPackage } from "../../cli/index.js";

const hostless = ["index.ts", "validators.ts", "dialects.ts"];

/**
 * Loads a generated package without writing it to disk. Returns what its entry points export.
 *
 * @param entries Entry point files. By default, those that do not depend on a host.
 */
export async function loadPackage(
  { files }: GeneratedPackage,
  entries: readonly string[] = hostless,
): Promise<Record<string, unknown>> {
  const result = await build({
    stdin: {
      contents: entries
        .filter((entry) => files.has(entry))
        .map((entry) => `export * from "./${entry}";`)
        .join("\n"),
    },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    tsconfigRaw: {},
    plugins: [
      {
        name: "generated",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
          onResolve({ filter: /^@wirewright\/runtime/ }, ({ path }) => ({
            path: import.meta.resolve(path),
            external: true,
          }));
          onResolve({ filter: /./ }, ({ path, importer }) => ({
            path: new URL(path, `file:///${importer}`).pathname.slice(1).replace(/\.js$/, ".ts"),
            namespace: "generated",
          }));
          onLoad({ filter: /./, namespace: "generated" }, ({ path }) => ({
            contents: files.get(path)!,
            loader: "ts",
          }));
        },
      },
    ],
  });
  const code = Buffer.from(result.outputFiles[0]!.contents).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)) as Record<string, unknown>;
}

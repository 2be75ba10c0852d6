/**
 * Bundles the script of the inspector's page, and writes `generator/inspector/page-bundle.ts`. The file is committed,
 * so that the tool is built by the compiler alone.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, transform } from "esbuild";
import { fromRoot } from "../shared/paths.js";

const target = "generator/inspector/page-bundle.ts";
const bundledPackages = ["preact", "@preact/signals", "@preact/signals-core"];
/** In this order: later ones go before earlier ones. */
const styleFiles = ["page.css", "list.css", "message.css", "narrow.css"];
/** Browsers since 2024. */
const browsers = ["chrome123", "firefox120", "safari17.5"];

/** The module that holds the script and the style of the page. */
export async function bundleInspector(): Promise<string> {
  const page = fromRoot("generator/inspector/page");
  const { outputFiles } = await build({
    entryPoints: [join(page, "main.tsx")],
    tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: browsers,
    charset: "ascii",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const styles = styleFiles.map((file) => readFileSync(join(page, file), "utf8")).join("\n");
  const { code: style } = await transform(styles, {
    loader: "css",
    minify: true,
    target: browsers,
    charset: "ascii",
  });
  const script = `/*\n${licenses()}\n*/\n${outputFiles[0]!.text.trim()}`;
  for (const text of [script, style])
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error("the bundle would end its element");
  return `/** Written by \`npm run bundle:inspector\`: the script and the style of the page, minified. */
export const pageScript: string = ${literal(script)};
export const pageStyle: string = ${literal(style.trim())};
`;
}

/** Name and licence of what the script contains. */
function licenses(): string {
  const require = createRequire(import.meta.url);
  return bundledPackages
    .map((name) => {
      const folder = packageFolder(require.resolve(name), name);
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        version: string;
      };
      return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}`;
    })
    .join("\n\n");
}

function packageFolder(file: string, name: string): string {
  const end = join("node_modules", ...name.split("/"));
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (folder.endsWith(end)) return folder;
  throw new Error(`Cannot find the package ${name}`);
}

function literal(text: string): string {
  return JSON.stringify(text);
}

if (process.argv[1]?.endsWith("bundle-inspector.js") === true)
  writeFileSync(fromRoot(target), await bundleInspector());

/**
 * Bundles the page of the inspector when the tool is built: writes its script and style as a module
 * of the compiled tool. This file is JavaScript, because it runs before other tools are compiled.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const target = join(root, "build/sessions/show/inspector/page-bundle.js");
const bundledPackages = ["preact", "@preact/signals", "@preact/signals-core"];
/** The order matters: later styles override earlier ones. */
const styleFiles = ["page.css", "list.css", "message.css", "narrow.css"];
/** The page supports browsers released since 2024. */
const browsers = ["chrome123", "firefox120", "safari17.5"];

const page = join(root, "sessions/show/inspector/page");
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
const script = `/*\n${licenses()}\n*/\n${outputFiles[0].text.trim()}`;
for (const text of [script, style])
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error("the bundle would end its element");
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `export const pageScript = ${JSON.stringify(script)};\nexport const pageStyle = ${JSON.stringify(style.trim())};\n`,
);

/** Returns the names and licenses of the packages in the script. */
function licenses() {
  const require = createRequire(import.meta.url);
  return bundledPackages
    .map((name) => {
      const folder = packageFolder(require.resolve(name), name);
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}`;
    })
    .join("\n\n");
}

function packageFolder(file, name) {
  const end = join("node_modules", ...name.split("/"));
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (folder.endsWith(end)) return folder;
  throw new Error(`Cannot find the package ${name}`);
}

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { fromRoot, filesBelow } from "../../../test/support/paths.js";
import type { SitePage } from "../pages/site-pages.js";
import { base } from "../pages/addresses.js";
import { bundledProtocols } from "../../../generator/base/bundled.js";
import { openDescription } from "../../../generator/read/open-description.js";
import { describedVersions } from "../../../generator/read/read-protocol.js";
import type { OfferedProtocol } from "./tasks.js";

/** The playground page. Its program is in the folder `playground/` below the site's base. */
export const playgroundPage: SitePage = {
  address: "playground",
  title: "Playground",
  description:
    "Lint a log, compare two versions of a protocol, generate types or browse a protocol, entirely in this page: nothing is sent anywhere",
  isWide: true,
  body: `Lint a log, compare two versions of a protocol, generate types, or browse a protocol. The tool runs entirely in this page: nothing that you paste or drop leaves it, and once loaded, the page also works offline.

<link rel="stylesheet" href="${base}/playground/playground.css">
<div id="playground"><p class="loading"><progress aria-label="Loading"></progress> The playground is loading. It requires JavaScript.</p></div>
<script type="module" src="${base}/playground/main.js"></script>
`,
};

const source = fromRoot("docs/site/playground");

/** Replacements for imported Node modules and packages. */
const replacedImports: readonly (readonly [RegExp, string])[] = [
  [/^(node:)?path$/, "path-browserify"],
  [/^(node:)?(fs|url|util|buffer|crypto|zlib|v8|child_process)$/, `${source}/platform.mjs`],
  [/^(ts-morph|@ts-morph\/common)$/, `${source}/no-declarations.mjs`],
];

/** Replacements for the tool's own modules that depend on Node. */
const replacedModules: readonly (readonly [RegExp, string])[] = [
  [/generator\/base\/files\.js$/, fromRoot("build/docs/site/playground/mapped-files.js")],
  [/generator\/base\/packages\.js$/, `${source}/loaded-packages.mjs`],
];

const replace: Plugin = {
  name: "replace",
  setup({ onLoad, onResolve, resolve }) {
    for (const [filter, target] of replacedImports)
      onResolve({ filter }, ({ kind }) => resolve(target, { kind, resolveDir: source }));
    for (const [filter, target] of replacedModules)
      onLoad({ filter }, () => ({
        contents: `export * from ${JSON.stringify(target)};`,
        resolveDir: source,
      }));
  },
};

/**
 * Returns the contents of the files that the tool reads: every JSON file in `schema/`, and the
 * sources that packages embed.
 */
function toolFiles(): Readonly<Record<string, string>> {
  const paths = [
    "package.json",
    ...filesBelow("schema", /\.json$/),
    ...filesBelow("runtime", /\.ts$/),
    ...filesBelow("protocols", /\.ts$/),
  ].sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(fromRoot(path), "utf8")]));
}

/** Lists the bundled protocols, so that the page can show them before the tool is loaded. */
function offeredProtocols(): Promise<readonly OfferedProtocol[]> {
  return Promise.all(
    bundledProtocols().map(async (name) => {
      const { description } = await openDescription(name);
      return {
        name,
        title: description.title,
        versions: [...(await describedVersions(name))].reverse(),
        dialects: Object.keys(description.dialects ?? {}),
      };
    }),
  );
}

/** Bundles the playground's program into a folder, along with the files that it reads. */
export async function bundlePlayground(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const shared: BuildOptions = {
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    outdir: folder,
    define: { "process.env.SITE_VERSION": JSON.stringify(process.env.SITE_VERSION ?? "") },
    legalComments: "linked",
  };
  const built = fromRoot("build/docs/site/playground");
  await build({
    ...shared,
    entryPoints: [`${built}/main.js`],
    define: { ...shared.define, offeredProtocols: JSON.stringify(await offeredProtocols()) },
  });
  await build({
    ...shared,
    entryPoints: [`${built}/worker.js`],
    plugins: [replace],
    inject: [`${source}/platform.mjs`],
    // The folder in which the tool believes it is installed.
    define: {
      ...shared.define,
      "import.meta.url": '"file:///tool/tool.js"',
      global: "globalThis",
    },
  });
  writeFileSync(`${folder}/tool-files.json`, JSON.stringify(toolFiles()));
  copyFileSync(`${source}/playground.css`, `${folder}/playground.css`);
}

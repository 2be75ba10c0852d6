import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { fromRoot } from "../../test/support/paths.js";
import { apiOptions, apiPackages, deferSearch } from "./api-options.js";
import { bundlePlayground, playgroundPage } from "./playground/bundle-playground.js";
import { readProtocolPages } from "./protocol/read-protocol-pages.js";
import { versionList } from "./pages/version-list.js";
import { printIndex, printPlainPage, printSitePage, readSitePages } from "./pages/site-pages.js";

/** The protocols shown on the site: those whose doc texts we wrote ourselves. */
const protocols = ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"];

const help = `npm run site [-- --serve]

Builds the documentation site into build/site-pages. The first run installs the packages in site/.

If the environment variable SITE_VERSION is set to a version such as 0.1, the site is built for that release's address.

  --serve  serves the site afterwards, until you press Ctrl+C
  --help   prints this help
`;

const site = fromRoot("site");

/** Runs a program in `site/`. If it fails, exits with the program's status. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, {
    cwd: site,
    stdio: "inherit",
    shell: program === "npm" && process.platform === "win32",
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
  });
  const status = await new Promise<number | null>((resolve) => {
    child.on("exit", resolve).on("error", ({ message }) => {
      console.error(`Cannot run ${program}: ${message}`);
      resolve(2);
    });
  });
  if (status !== 0) process.exit(status ?? 2);
}

/** Runs a script with the site's own Node, because Astro does not run on Node 20. */
async function runScript(script: string, ...args: readonly string[]): Promise<void> {
  const bin = `${site}/node_modules/node/bin`;
  const program = `${bin}/${process.platform === "win32" ? "node.exe" : "node"}`;
  await run(program, [`${site}/node_modules/${script}`, ...args]);
}

/** Writes the API references of all packages into a folder. */
async function writeReferences(references: string): Promise<void> {
  for (const name of apiPackages) {
    const options = fromRoot(`build/api-${name}.json`);
    write(options, JSON.stringify(apiOptions(name, `${references}/${name}`)));
    await runScript("typedoc/bin/typedoc", "--options", options);
    deferSearch(`${references}/${name}`);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes the pages and images to the folders that Astro reads. */
async function writePages(): Promise<void> {
  const guides = readSitePages();
  const versions = versionList(readFileSync(fromRoot("CHANGELOG.md"), "utf8"));
  const pages = [...guides, playgroundPage, versions];
  const starts = [];
  for (const name of protocols) {
    const [start, ...others] = await readProtocolPages(name);
    starts.push(start!);
    pages.push(start!, ...others);
  }
  rmSync(`${site}/content`, { recursive: true, force: true });
  rmSync(`${site}/public`, { recursive: true, force: true });
  for (const page of pages) {
    write(`${site}/content/docs/${page.address || "index"}.md`, printSitePage(page));
    write(`${site}/public/${page.address || "index"}.md`, printPlainPage(page));
  }
  await bundlePlayground(`${site}/public/playground`);
  write(`${site}/public/llms.txt`, printIndex([...guides, ...starts], apiPackages));
  const files = readdirSync(fromRoot("docs"), { recursive: true, encoding: "utf8" });
  for (const path of files.filter((file) => /^(?!site[\\/]).*\.(svg|png)$/.test(file))) {
    cpSync(fromRoot(`docs/${path}`), `${site}/public/${path}`);
  }
}

let options: { serve?: boolean; help?: boolean } = {};
try {
  const flags = { serve: { type: "boolean" }, help: { type: "boolean" } } as const;
  options = parseArgs({ options: flags }).values;
} catch (error) {
  console.error(`${(error as Error).message}\n\n${help}`);
  process.exit(2);
}
if (options.help === true) {
  process.stdout.write(help);
} else {
  if (!existsSync(`${site}/node_modules`)) await run("npm", ["ci"]);
  const from = performance.now();
  await writePages();
  // Astro empties its output folder, so write the references elsewhere and move them afterwards.
  const references = fromRoot("build/site-references");
  rmSync(references, { recursive: true, force: true });
  await Promise.all([runScript("astro/bin/astro.mjs", "build"), writeReferences(references)]);
  renameSync(references, fromRoot("build/site-pages/api"));
  const seconds = Math.round((performance.now() - from) / 1_000);
  console.log(`Built build/site-pages in ${seconds} s`);
  if (options.serve === true) await runScript("astro/bin/astro.mjs", "preview");
}

import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { fromRoot } from "../../test/support/paths.js";
import { readApiPages, writeApiOptions } from "./api-reference.js";
import { bundlePlayground, playgroundPage } from "./playground/bundle-playground.js";
import { base } from "./pages/addresses.js";
import { createSidebar } from "./pages/sidebar.js";
import { printIndex, printPlainPage, printSitePage, readSitePages } from "./pages/site-pages.js";
import { versionList } from "./pages/version-list.js";
import { readProtocolPages } from "./protocol/read-protocol-pages.js";
import { serveSite } from "./serve-site.js";

/** The protocols shown on the site: those whose doc texts we wrote ourselves. */
const protocols = ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"];

const help = `npm run site [-- --serve]

Builds the documentation site into build/site-pages. The first run installs the packages in docs/site/.

If the environment variable SITE_VERSION is set to a version such as 0.1, the site is built for that release's address.

  --serve  serves the site afterwards, until you press Ctrl+C
  --help   prints this help
`;

const site = fromRoot("docs/site");

/** Runs a program in `docs/site/`. If it fails, exits with the program's status. */
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

/** Prints a step of the build with the time since the start. */
function report(step: string): void {
  console.log(`${Math.round(performance.now() / 1_000)} s: ${step}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes the pages and images to the folders that Astro reads. */
async function writePages(): Promise<void> {
  const apiFolder = fromRoot("build/site-api");
  const apiOptions = fromRoot("build/site-api.json");
  writeApiOptions(apiOptions, apiFolder);
  rmSync(`${site}/public`, { recursive: true, force: true });
  report("reading the API");
  const api = runScript("typedoc/bin/typedoc", "--options", apiOptions);
  const playground = bundlePlayground(`${site}/public/playground`);
  const protocolPages = [];
  for (const name of protocols) {
    report(`reading ${name}`);
    protocolPages.push(await readProtocolPages(name));
  }
  await Promise.all([api, playground]);

  const guides = readSitePages();
  const versions = versionList(readFileSync(fromRoot("CHANGELOG.md"), "utf8"));
  const addresses = new Set(protocolPages.flat().map(({ address }) => address));
  const apiPages = readApiPages(apiFolder, addresses);
  const pages = [...guides, ...protocolPages.flat(), ...apiPages, playgroundPage];
  if (versions !== undefined) pages.push(versions);
  rmSync(`${site}/theme/content`, { recursive: true, force: true });
  for (const page of pages) {
    write(`${site}/theme/content/docs/${page.address || "index"}.md`, printSitePage(page));
    write(`${site}/public/${page.address || "index"}.md`, printPlainPage(page));
  }
  const listed = [...guides, ...protocolPages.map(([start]) => start!), apiPages[0]!];
  write(`${site}/public/llms.txt`, printIndex(listed));
  const readme = readFileSync(fromRoot("README.md"), "utf8");
  const sidebar = createSidebar(readme, protocolPages, versions !== undefined);
  write(fromRoot("build/site-sidebar.json"), JSON.stringify(sidebar));
  const files = readdirSync(fromRoot("docs"), { recursive: true, encoding: "utf8" });
  for (const path of files.filter((file) => /^(?!site[\\/]).*\.(svg|png)$/.test(file))) {
    cpSync(fromRoot(`docs/${path}`), `${site}/public/${path}`);
  }
  for (const name of readdirSync(`${site}/start`).filter((file) =>
    /\.(svg|png|webp|jsonl)$/.test(file),
  )) {
    cpSync(`${site}/start/${name}`, `${site}/public/start/${name}`);
  }
  const demo = ["view", `${site}/start/session.jsonl`, "--out", `${site}/public/demo/index.html`];
  mkdirSync(`${site}/public/demo`);
  await run(process.execPath, [fromRoot("build/cli/main.js"), ...demo]);
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
  if (!existsSync(`${site}/node_modules`)) {
    report("installing the site's packages");
    await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  }
  await writePages();
  report("building the pages and the search index");
  await runScript("astro/bin/astro.mjs", "build", "--silent");
  report("built build/site-pages");
  if (options.serve === true) {
    const { origin } = await serveSite(4321).catch(() => serveSite());
    console.log(`${origin}${base}/ (Ctrl+C to stop)`);
    // npm and its shell do not pass every signal on, so watch for their end.
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) process.exit();
    }, 1_000);
  }
}

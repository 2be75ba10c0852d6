import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { base } from "../../../docs/site/pages/addresses.js";
import { searchRanking } from "../../../docs/site/pages/search-words.js";
import { setView, withPage } from "../../support/headless-browser.js";
import { fromRoot } from "../../support/paths.js";
import { serveSite, skipWithoutSite as skip } from "./served-site.js";

const axe = fromRoot("docs/site/node_modules/axe-core/axe.min.js");

/** The pages to test: one of each kind, and the longest ones. */
const looked = [
  "",
  "guides/client/",
  "guides/inspector/",
  "reference/cli/",
  "benchmarks/",
  "conformance/",
  "api/",
  "api/dap/adapter/",
  "protocols/dap/",
  "protocols/dap/capabilities/",
  "protocols/dap/stoppedevent/",
  "protocols/dap/versions/",
  "playground/",
];

test(
  "the site's pages open without errors, are accessible, and fit narrow and wide screens",
  { skip, timeout: 900_000 },
  async () => {
    const { server, origin } = await serveSite();
    const faults: string[] = [];
    const script = readFileSync(axe, "utf8");
    try {
      await withPage(`${origin}${base}/`, async (evaluate, send) => {
        await send("Page.enable");
        await send("Page.addScriptToEvaluateOnNewDocument", {
          source: `window.faults = [];
          addEventListener("error", (event) => faults.push(event.message ?? event.target.src), true);
          const { error } = console;
          console.error = (...parts) => { faults.push(parts.join(" ")); error(...parts); };`,
        });
        for (const page of looked)
          for (const [width, theme] of [
            [400, "dark"],
            [1024, "dark"],
            [1400, "light"],
          ] as const) {
            await setView(send, { width, height: 900, scheme: theme });
            await send("Page.navigate", { url: `${origin}${base}/${page}` });
            const path = `${base}/${page}`;
            const isThere = `document.readyState === "complete" && location.pathname === ${JSON.stringify(path)}`;
            for (const from = Date.now(); (await evaluate(isThere)) !== true;) {
              assert.ok(Date.now() - from < 30_000, `Cannot load ${path}`);
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
            const name = `${path} at ${width} px, ${theme}`;
            for (const fault of (await evaluate("window.faults")) as string[])
              faults.push(`${name}: ${fault}`);
            if (((await evaluate("document.documentElement.scrollWidth")) as number) > width)
              faults.push(`${name}: it scrolls sideways`);
            // Code blocks that have a scroll bar become focusable once the page is idle.
            await evaluate(
              "new Promise((resolve) => setTimeout(() => requestIdleCallback(() => resolve()), 300))",
            );
            await evaluate(`${script}; undefined`);
            // Exclude two problems in Starlight: code blocks become regions without names, and the
            // search button's label lacks its shortcut.
            const violations = (await evaluate(
              "axe.run({ exclude: ['button[data-open-modal]'] }, { rules: { 'landmark-unique': { enabled: false } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' ')))",
            )) as string[];
            for (const violation of violations) faults.push(`${name}: ${violation}`);
          }
      });
      assert.deepEqual(faults, []);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
);

/**
 * Returns the size in bytes of the scripts that a page loads when it opens: inline scripts, linked
 * scripts and the modules that they import.
 */
function scriptSize(html: string, folder: string, sizes: Map<string, number>): number {
  const fileOf = (address: string, from: string): string =>
    fromRoot(
      `build/site-pages/${posix.join("/", address.startsWith("/") ? address.slice(base.length) : posix.join(from, address))}`,
    );
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    sizes.set(file, Buffer.byteLength(text));
    for (const [, target] of text.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g))
      visit(posix.join(posix.dirname(file), target!));
  };
  let inPage = 0;
  for (const [, attributes, text] of html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)) {
    inPage += Buffer.byteLength(text!);
    const source = /\ssrc="([^"]+)"/.exec(attributes!)?.[1];
    if (source !== undefined) visit(fileOf(source, folder));
  }
  return [...seen].reduce((sum, file) => sum + sizes.get(file)!, inPage);
}

test(
  "all pages except the playground load less than 200 kB of script",
  { skip: existsSync(fromRoot("build/site-pages/index.html")) ? false : "needs npm run site" },
  () => {
    const root = fromRoot("build/site-pages");
    const pages = readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => path.endsWith(".html"));
    const sizes = new Map<string, number>();
    const sizeOf = (page: string): number =>
      scriptSize(readFileSync(`${root}/${page}`, "utf8"), posix.dirname(page), sizes);
    assert.ok(sizeOf("index.html") > 1_000);
    assert.deepEqual(
      pages
        .filter((page) => !page.startsWith("playground/"))
        .map((page) => [page, sizeOf(page)] as const)
        .filter(([, size]) => size > 200_000),
      [],
    );
  },
);

/** Questions as users ask them, each with the pages that answer it. */
const questions: Readonly<Record<string, RegExp>> = {
  "write a debug adapter": /^guides\/adapter\//,
  "how do I test my adapter": /^guides\/(test-your-adapter|testing)\//,
  "start a debug session from code": /^(guides\/(client|programs)|api\/dap\/session)\//,
  Handles: /^api\/dap\/adapter\//,
  spawnAdapter: /^api\/dap\/node\//,
  createDecoder: /^(api\/dap|guides\/streams)\//,
  setBreakpoints: /^protocols\/dap\/setbreakpointsrequest\//,
  StoppedEvent: /^protocols\/dap\/stoppedevent\//,
  supportsStepBack: /^protocols\/dap\/(capabilities|stepbackrequest)\//,
  "breaking changes in a new version": /^(reference\/(cli|diff-rules)|guides\/new-version)\//,
  "generate types for my own protocol": /^guides\/own-protocol\//,
  "language server": /^guides\/lsp\//,
  "record a session": /^guides\/(tap|recordings)\//,
  "remove secrets from a log": /^guides\/redaction\//,
  "launch.json attributes": /^guides\/launch-configurations\//,
  "proxy between editor and adapter": /^guides\/proxy\//,
  "migrate from vscode-jsonrpc": /^guides\/from-vscode-jsonrpc\//,
  "faster than ajv": /^(benchmarks|guides\/comparison)\//,
  "which adapters pass": /^(conformance|guides\/test-your-adapter)\//,
  "does it run in Deno": /^platforms\//,
  ERR_TIMEOUT: /^reference\/error-codes\//,
  "debug PHP": /^guides\/dbgp\//,
  "perfetto trace": /^guides\/export\//,
};

test(
  "the search answers each question among its first three pages",
  { skip, timeout: 300_000 },
  async () => {
    const { server, origin } = await serveSite();
    try {
      await withPage(`${origin}${base}/`, async (evaluate) => {
        const answers = (await evaluate(`(async () => {
        const pagefind = await import("${base}/pagefind/pagefind.js");
        await pagefind.options({ ranking: ${JSON.stringify(searchRanking)} });
        const answers = [];
        for (const question of ${JSON.stringify(Object.keys(questions))}) {
          const { results } = await pagefind.search(question);
          const pages = await Promise.all(results.slice(0, 3).map((result) => result.data()));
          answers.push([question, pages.map(({ url }) => url)]);
        }
        return answers;
      })()`)) as readonly (readonly [string, readonly string[]])[];
        const pathsOf = (urls: readonly string[]): readonly string[] =>
          urls.map((url) => url.slice(base.length + 1));
        assert.deepEqual(
          answers
            .map(([question, urls]) => [question, pathsOf(urls)] as const)
            .filter(([question, paths]) => !paths.some((path) => questions[question]!.test(path))),
          [],
        );
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
);

test(
  "every link, image, script and style on every page has a target, and every page is meant to be one",
  { skip },
  () => {
    const root = fromRoot("build/site-pages");
    const files = new Set(
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .map((path) => path.replaceAll("\\", "/"))
        .filter((path) => /\.\w+$/.test(path)),
    );
    const pages = [...files].filter((path) => path.endsWith(".html"));
    const broken = new Set<string>();
    for (const page of pages) {
      const text = readFileSync(`${root}/${page}`, "utf8");
      const address = new URL(`${base}/${page}`, "https://site.example");
      for (const [, target] of text.matchAll(/<[^>]+? (?:href|src)="([^"#]+)/g)) {
        const { host, pathname } = new URL(target!.replaceAll("&amp;", "&"), address);
        if (host !== address.host) continue;
        const path = decodeURI(pathname).slice(base.length + 1);
        const candidates = [path, `${path}index.html`.replace(/^\//, ""), `${path}/index.html`];
        if (!candidates.some((file) => files.has(file))) broken.add(`${page}: ${target!}`);
      }
    }
    assert.deepEqual([...broken], []);
    // A page has a Markdown file of the same name, except the inspector's page and the error page.
    assert.deepEqual(
      pages.filter((page) => !files.has(`${page.replace(/\/index\.html$|\.html$/, "")}.md`)).sort(),
      ["404.html", "demo/index.html"],
    );
  },
);

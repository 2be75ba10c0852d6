import { build } from "esbuild";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withPage } from "../headless-browser.js";

/**
 * The page's content security policy. It forbids inline scripts, `eval` and everything from other
 * origins.
 */
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'";

/** The realms in a page where the program runs. */
const realms = ["page", "worker"] as const;

const scripts: Readonly<Record<(typeof realms)[number] | "in-worker", string>> = {
  page: `import { dap } from "./dap.mjs"; import { run } from "./session.mjs";
globalThis.session = run(dap);`,
  worker: `const worker = new Worker("in-worker.js", { type: "module" });
globalThis.session = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});`,
  "in-worker": `import { dap } from "./dap.mjs"; import { run } from "./session.mjs";
postMessage(await run(dap));`,
};

/**
 * Bundles the session program and runs it in each realm of a browser. Reports policy violations.
 */
export async function runInBrowser(
  app: string,
): Promise<{ readonly sessions: Readonly<Record<string, unknown>>; readonly evaluation: unknown }> {
  const bundles = new Map<string, string>();
  for (const [name, contents] of Object.entries(scripts))
    bundles.set(`/${name}.js`, await bundle(app, contents));
  const server = createServer(({ url = "/" }, response) => {
    const code = bundles.get(url);
    const realm = url.slice(1).replace(/\.html$/, "");
    response.writeHead(200, {
      "content-security-policy": policy,
      "content-type": code === undefined ? "text/html" : "text/javascript",
    });
    response.end(
      code ??
        `<!doctype html><meta charset="utf-8"><script>globalThis.inline = true;</script><script type="module" src="${realm}.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessions: Record<string, unknown> = {};
  let evaluation: unknown;
  try {
    for (const realm of realms)
      await withPage(`${origin}/${realm}.html`, async (evaluate) => {
        sessions[realm] = await evaluate(
          "(async () => { try { return await session; } catch (error) { return String(error); } })()",
        );
        evaluation = await evaluate("globalThis.inline ?? 'forbidden'");
      });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return { sessions, evaluation };
}

async function bundle(app: string, contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: app, sourcefile: join(app, "entry.mjs") },
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "warning",
  });
  return outputFiles[0]!.text;
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { diffVersions } from "../../../cli/diff-versions.js";
import { generate } from "../../../cli/generate.js";
import { lint } from "../../../sessions/judge/lint.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { printDiff } from "../../../cli/print-diff.js";
import type { Tasks } from "../../../docs/site/playground/tasks.js";
import { base } from "../../../docs/site/pages/addresses.js";
import {
  setView,
  withPage,
  type Evaluate,
  type SendToPage,
} from "../../support/headless-browser.js";
import { shared, skipWithout } from "../../support/paths.js";
import { serveSite, skipWithoutSite as skip } from "./served-site.js";

/** Opens the playground and goes offline, so that everything else has to happen in the page. */
async function inPlayground(
  use: (evaluate: Evaluate, send: SendToPage) => Promise<void>,
): Promise<void> {
  const { server, origin } = await serveSite();
  try {
    await withPage(`${origin}${base}/playground/`, async (evaluate, send) => {
      const isReady = "document.getElementById('playground')?.dataset.ready === 'yes'";
      for (const from = Date.now(); (await evaluate(isReady)) !== true;) {
        assert.ok(Date.now() - from < 60_000, "the playground does not start");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await evaluate(`globalThis.worker = new Worker("${base}/playground/worker.js", { type: "module" });
        globalThis.run = (task, argument) => new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => {
            if ("failure" in data) reject(new Error(data.failure));
            if ("result" in data) resolve(data.result);
          };
          worker.postMessage({ id: 1, task, argument });
        });
        run("check", { protocol: "dap", files: [], message: "{}" }).then(() => true)`);
      server.close();
      server.closeAllConnections();
      await use(evaluate, send);
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function run<Name extends keyof Tasks>(
  evaluate: Evaluate,
  task: Name,
  argument: object,
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const text = await evaluate(
    `run(${JSON.stringify(task)}, ${JSON.stringify(argument)}).then(JSON.stringify)`,
  );
  return JSON.parse(text as string) as Awaited<ReturnType<Tasks[Name]>>;
}

suite("the playground works offline", { skip }, () => {
  test("the playground generates the same bytes as the command", { timeout: 180_000 }, async () => {
    await inPlayground(async (evaluate) => {
      for (const name of ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints", "dap@1.65.0"]) {
        const { files } = await generate(name);
        const generated = await run(evaluate, "generate", { protocol: name, files: [] });
        assert.deepEqual(new Map(generated), files, name);
      }
    });
  });

  test(
    "each tab has an example, and a link to it opens with its input",
    { timeout: 120_000 },
    async () => {
      const { server, origin } = await serveSite();
      const page = `${origin}${base}/playground/`;
      try {
        await withPage(page, async (evaluate, send) => {
          const until = async (condition: string): Promise<void> => {
            for (const from = Date.now(); (await evaluate(condition)) !== true;) {
              assert.ok(Date.now() - from < 30_000, condition);
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          };
          const isReady = `document.getElementById("playground")?.dataset.ready === "yes"`;
          const isIdle = `document.querySelector("#playground progress") === null`;
          await until(isReady);
          await until(isIdle);
          const links: string[] = [];
          for (const [tab, buttons] of [
            ["lint", 1],
            ["diff", 1],
            ["types", 2],
            ["browse", 1],
          ] as const) {
            const examples = `[...document.querySelectorAll("#panel-${tab} button")].filter(({ textContent }) => textContent === "Try an example")`;
            assert.equal(await evaluate(`${examples}.length`), buttons);
            await evaluate(
              `document.getElementById("tab-${tab}").click(); ${examples}.at(-1).click()`,
            );
            await until(`document.querySelector("#panel-${tab} :is(iframe, .findings)") !== null`);
            await until(isIdle);
            await evaluate(
              `[...document.querySelectorAll("#panel-${tab} button")].find(({ textContent }) => textContent === "Copy a link").click()`,
            );
            await until(`location.hash.startsWith("#${tab}=")`);
            links.push((await evaluate("location.href")) as string);
          }
          assert.equal(
            await evaluate(`document.querySelector("#panel-lint .summary").innerText`),
            "18 messages: 3 errors · 2 warnings · 2 info",
          );
          for (const [index, tab] of ["lint", "diff", "types", "browse"].entries()) {
            await send("Page.navigate", { url: "about:blank" });
            await until(`location.href === "about:blank"`);
            await send("Page.navigate", { url: links[index]! });
            await until(isReady);
            await until(`document.querySelector("#panel-${tab} :is(iframe, .findings)") !== null`);
            assert.equal(
              await evaluate(`document.querySelector("[aria-selected=true]").id`),
              `tab-${tab}`,
            );
          }
          for (const fragment of ["#lint=garbage", "#diff=%", "#other", "#types=AAAA"]) {
            await send("Page.navigate", { url: "about:blank" });
            await until(`location.href === "about:blank"`);
            await send("Page.navigate", { url: `${page}${fragment}` });
            await until(isReady);
          }
        });
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  );

  test("files generated in the playground fit a narrow screen", { timeout: 60_000 }, async () => {
    await inPlayground(async (evaluate, send) => {
      await setView(send, { width: 400, height: 900, scheme: "light" });
      const width = await evaluate(`(async () => {
      document.getElementById("tab-types").click();
      document.querySelector("#panel-types form").requestSubmit();
      while (document.querySelector("#panel-types pre") === null)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return document.documentElement.scrollWidth;
    })()`);
      assert.ok((width as number) <= 400, `it is ${String(width)} px wide`);
    });
  });

  test(
    "the playground finds the same differences as the command",
    { timeout: 180_000 },
    async () => {
      await inPlayground(async (evaluate) => {
        const [before, after] = ["dap@1.70.0", "dap@1.71.0"];
        const { json, html } = await run(evaluate, "diff", { protocol: "dap", before, after });
        const compared = await diffVersions(before, after, { protocol: "dap" });
        assert.deepEqual(JSON.parse(json), JSON.parse(await printDiff(compared, "json")));
        assert.equal(html, await printDiff(compared, "html"));
      });
    },
  );

  test(
    "the playground validates a message and explains invalid input",
    { timeout: 120_000 },
    async () => {
      await inPlayground(async (evaluate) => {
        const check = (message: string): Promise<unknown> =>
          run(evaluate, "check", { protocol: "dap", files: [], message });
        const stopped = { seq: 1, type: "event", event: "stopped", body: { reason: "step" } };
        assert.deepEqual(await check(JSON.stringify(stopped)), { issues: [] });
        assert.deepEqual(await check('{"seq":1,"type":"event","event":"stopped","body":{}}'), {
          issues: ["`/body/reason`: expected a string, received nothing"],
        });
        await assert.rejects(check("{"), /Cannot parse the message/);
        const files = [{ name: "protocol.json", text: '{"name": 1}' }];
        await assert.rejects(
          run(evaluate, "generate", { protocol: "dap", files }),
          /schema\/protocol\.json:1:\d+|protocol\.json:1:\d+/,
        );
      });
    },
  );

  test(
    "the playground reports the same findings for a real log as the command",
    { skip: skipWithout("logs/lldb-dap-19/lldb.log"), timeout: 120_000 },
    async () => {
      const path = shared("logs/lldb-dap-19/lldb.log")!;
      const findings: LintFinding[] = [];
      for await (const finding of lint(path, { protocol: "dap" })) findings.push(finding);
      await inPlayground(async (evaluate) => {
        const report = await evaluate(`run("lint", {
        protocol: "dap", dialect: "", schema: [], name: "lldb.log",
        log: new Blob([${JSON.stringify(readFileSync(path, "utf8"))}]),
      }).then(({ page, report }) => JSON.stringify({ ...report, hasPage: page.startsWith("<!doctype html>") }))`);
        const { findings: own, hasPage } = JSON.parse(report as string) as {
          findings: unknown;
          hasPage: boolean;
        };
        assert.ok(hasPage);
        assert.ok(findings.length > 0);
        assert.deepEqual(own, JSON.parse(JSON.stringify(findings)));
      });
    },
  );

  test(
    "the playground shows linked pages for official protocols",
    { skip: skipWithout("schemas/lsp/metaModel.json"), timeout: 120_000 },
    async () => {
      const text = readFileSync(shared("schemas/lsp/metaModel.json")!, "utf8");
      await inPlayground(async (evaluate) => {
        const files = [{ name: "metaModel.json", text }];
        const pages = await run(evaluate, "browse", { protocol: "lsp", files });
        const hover = pages.find(({ title }) => title === "TextDocumentHoverRequest")!;
        assert.match(hover.body, /Request `textDocument\/hover` from the client to the server/);
        const shown = await evaluate(`(async () => {
        const until = async (find) => {
          for (;;) {
            const found = find();
            if (found) return found;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        };
        document.getElementById("tab-browse").click();
        const panel = document.getElementById("panel-browse");
        const choice = panel.querySelector("select");
        choice.value = "acp-breakpoints";
        choice.dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 50));
        panel.querySelector("form").requestSubmit();
        const frame = await until(() => panel.querySelector("iframe"));
        const inFrame = (selector) => frame.contentDocument?.querySelector(selector);
        const link = await until(() => inFrame("td a"));
        const title = link.textContent;
        await until(() => inFrame("html").ownerDocument.onclick);
        link.click();
        const heading = await until(() => inFrame("h1")?.textContent === title && title);
        return [title, heading, frame.getAttribute("sandbox"), document.documentElement.scrollWidth <= innerWidth];
      })()`);
        const [title, heading, sandbox, fits] = shown as [string, string, string, boolean];
        assert.equal(heading, title);
        assert.equal(sandbox, "allow-same-origin");
        assert.equal(fits, true);
      });
    },
  );

  test("the playground judges a 50 MB log", { timeout: 300_000 }, async () => {
    const threads = [
      { seq: 1, type: "request", command: "threads" },
      {
        seq: 1,
        type: "response",
        request_seq: 1,
        success: true,
        command: "threads",
        body: { threads: [] },
      },
    ];
    await inPlayground(async (evaluate) => {
      const counts = await evaluate(`(async () => {
      const [request, response] = ${JSON.stringify(threads)};
      response.body.threads = Array.from({ length: 500 }, (_, id) => ({ id, name: "Thread " + id }));
      const lines = [];
      let size = 0;
      for (let seq = 1; size < 50_000_000; seq++) {
        const lineOf = (from, message) => JSON.stringify({ from, message }) + "\\n";
        lines.push(lineOf("client", { ...request, seq }), lineOf("adapter", { ...response, seq, request_seq: seq }));
        size += lines.at(-1).length + lines.at(-2).length;
      }
      const { report, page } = await run("lint", {
        protocol: "dap", dialect: "", schema: [], name: "large.jsonl", log: new Blob(lines),
      });
      return [report.messages, lines.length, page.length > 0];
    })()`);
      const [messages, written, hasPage] = counts as [number, number, boolean];
      assert.equal(messages, written);
      assert.ok(hasPage);
    });
  });
});

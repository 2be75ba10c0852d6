import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { test } from "node:test";
import { WebSocket } from "ws";
import { generate } from "../../../cli/index.js";
import { pascalCase } from "../../../generator/model/names.js";
import { webSocketTransport } from "../../../runtime/index.js";
import { withFolder } from "../../support/compile.js";
import { buildGuide } from "../../support/guide-programs.js";
import { browser, skipWithoutBrowser } from "../../support/headless-browser.js";
import { loadPackage } from "../../support/load-package.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import type { Connection, Message } from "../../support/cdp-domains.js";

const { files: schemas, skip: published } = outsideSchemas("cdp");

test("the guide's programs drive a browser", { skip: published || skipWithoutBrowser }, () =>
  withFolder((folder) => {
    const { generated, complaints, run } = buildGuide(folder, "cdp", schemas);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.equal(complaints, "");
    assert.deepEqual(run("client", browser!), {
      status: 0,
      stdout: "navigated to data:text/html,<title>hello</title>\nhello\n",
      stderr: "",
    });
  }),
);

/** The generated package's exports that these tests use. */
interface Package {
  connect(role: "client", transport: unknown, options: object): Connection;
  nodeTransport(readable: Readable, writable: Writable): unknown;
  classify(message: unknown): { readonly status: string };
  validate(message: unknown): { readonly ok: boolean };
  readonly [check: `isValid${string}`]: (value: unknown) => boolean;
}

/** Starts a browser and passes its process and the address it prints to `use`. */
async function withBrowser(
  remote: "--remote-debugging-pipe" | "--remote-debugging-port=0",
  use: (child: ChildProcess, url: string) => Promise<void>,
): Promise<void> {
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", remote, "about:blank"];
  const child = spawn(browser!, args, {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    detached: true,
  });
  try {
    let output = "";
    const url = await new Promise<string>((resolve) => {
      if (remote === "--remote-debugging-pipe") resolve("");
      child.stderr!.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const [, found] = /listening on (ws:\S+)/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await use(child, url);
  } finally {
    // The program may be a script that starts the browser, so kill the whole process group.
    process.kill(-child.pid!, "SIGKILL");
  }
}

const html = `<title>hi</title><style>p { color: red }</style><p>text</p>
<script>console.log(1, { a: 2 }); setTimeout(() => { debugger; });</script>`;

test(
  "every message from a browser is known and valid",
  { skip: published || skipWithoutBrowser, timeout: 300_000 },
  async (t) => {
    const made = await generate("cdp", { schema: schemas });
    const loaded = await loadPackage(made, [
      "index.ts",
      "validators.ts",
      "connection.ts",
      "node.ts",
    ]);
    const cdp = loaded as unknown as Package;

    const session = async (transport: unknown): Promise<void> => {
      const seen: Message[] = [];
      const problems: unknown[] = [];
      const connection = cdp.connect("client", transport, {
        timeoutMs: 60_000,
        onProblem: (problem: unknown) => problems.push(problem),
        middleware: [
          {
            beforeSend: (message: Message) => (seen.push(message), message),
            afterReceive: (message: Message) => (seen.push(message), message),
          },
        ],
      });
      const { targetId } = (await connection.request("Target.createTarget", {
        url: "about:blank",
      })) as { targetId: string };
      const { sessionId } = (await connection.request("Target.attachToTarget", {
        targetId,
        flatten: true,
      })) as { sessionId: string };
      const fields = { sessionId };
      const ask = (name: string, parameters: object = {}): Promise<never> =>
        connection.request(name, parameters, { fields });
      for (const domain of ["Page", "Network", "Runtime", "Debugger", "DOM", "CSS", "Log"])
        await ask(`${domain}.enable`);
      connection.on("Debugger.paused", () => void ask("Debugger.resume"));
      const resumed = connection.once("Debugger.resumed");
      const where = (_: unknown, message: Message): boolean => message.sessionId === sessionId;
      const arrived = connection.once("Page.loadEventFired", { where });
      await ask("Page.navigate", { url: `data:text/html,${encodeURIComponent(html)}` });
      await arrived;
      await resumed;
      const evaluated = await ask("Runtime.evaluate", {
        expression: "({ title: document.title, list: [1n, NaN, null] })",
        generatePreview: true,
      });
      assert.equal((evaluated as { result: { type: string } }).result.type, "object");
      await ask("DOM.getDocument", { depth: -1 });
      await ask("Accessibility.getFullAXTree");
      await ask("Page.captureScreenshot");
      await connection.request("Target.getTargets");
      await assert.rejects(ask("Page.navigate", { url: 5 }), { code: "ERR_REQUEST_FAILED" });
      await connection.close();
      assert.deepEqual(problems, []);
      const asked = new Map(
        seen.flatMap(({ id, method }) =>
          id === undefined || method === undefined ? [] : [[id, method]],
        ),
      );
      for (const message of seen) {
        const shown = JSON.stringify(message).slice(0, 500);
        // The test deliberately sends one invalid command.
        if (shown.includes('"url":5')) continue;
        assert.equal(cdp.classify(message).status, "known", shown);
        assert.deepEqual(
          cdp.validate(message),
          { ok: true, value: message, deviations: [] },
          shown,
        );
        if (message.method !== undefined) continue;
        const name = pascalCase(asked.get(message.id!)!);
        assert.equal(cdp[`isValid${name}Response`]!(message), true, `${name}: ${shown}`);
      }
      assert.ok(seen.length > 40, `${seen.length} messages`);
      assert.ok(new Set(seen.map(({ method }) => method)).size > 25);
    };

    await t.test("messages over pipes are known and valid", () =>
      withBrowser("--remote-debugging-pipe", (child) => {
        const [, , , input, output] = child.stdio as unknown as [0, 0, 0, Writable, Readable];
        return session(cdp.nodeTransport(output, input));
      }),
    );
    await t.test("messages over a WebSocket are known and valid", () =>
      withBrowser("--remote-debugging-port=0", (_, url) =>
        session(webSocketTransport(new WebSocket(url), { framing: "nul" })),
      ),
    );
  },
);

/** The Chrome DevTools Protocol, from its domains: hand-written ones, and the published ones. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { join } from "node:path";
import { test } from "node:test";
import { WebSocket } from "ws";
import { generate, readProtocol } from "../../../generator/index.js";
import { pascalCase } from "../../../generator/model/names.js";
import { webSocketTransport } from "../../../runtime/index.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { buildGuide, noComplaints } from "../../support/guide-programs.js";
import { browser, skipWithoutBrowser } from "../../../tools/shared/headless-browser.js";
import { loadPackage } from "../../support/load-package.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import { runCommand } from "../../support/run-command.js";

const { files: schemas, skip: published } = outsideSchemas("cdp");

const page = {
  version: { major: "1", minor: "9" },
  domains: [
    {
      domain: "Page",
      types: [
        { id: "FrameId", type: "string", description: "Names a frame." },
        {
          id: "Frame",
          type: "object",
          properties: [
            { name: "id", $ref: "FrameId" },
            { name: "kind", type: "string", enum: ["top", "inner"], optional: true },
            { name: "object", $ref: "Runtime.ObjectId", optional: true, experimental: true },
          ],
        },
        { id: "Bytes", type: "binary" },
      ],
      commands: [
        {
          name: "navigate",
          description: "Goes to a page.",
          parameters: [
            { name: "url", type: "string" },
            {
              name: "frames",
              type: "array",
              items: { $ref: "FrameId" },
              minItems: 1,
              optional: true,
            },
          ],
          returns: [{ name: "frame", $ref: "Frame" }],
        },
        { name: "stop", parameters: [{ name: "now", type: "boolean", optional: true }] },
      ],
      events: [
        { name: "gone" },
        { name: "moved", deprecated: true, parameters: [{ name: "any", type: "any" }] },
      ],
    },
  ],
};
const runtime = {
  version: { major: "1", minor: "9" },
  domains: [{ domain: "Runtime", types: [{ id: "ObjectId", type: "integer" }] }],
};

function inFiles<Result>(
  documents: Readonly<Record<string, object>>,
  use: (folder: string, paths: string[]) => Result | Promise<Result>,
): Promise<Result> {
  return withFolder((folder) => {
    const texts = Object.entries(documents).map(([name, document]): [string, string] => [
      name,
      JSON.stringify(document, null, 2),
    ]);
    writeFiles(folder, new Map(texts));
    return use(
      folder,
      texts.map(([name]) => join(folder, name)),
    );
  });
}

test("domains of two files become definitions and messages", async () => {
  const protocol = await inFiles({ "page.json": page, "runtime.json": runtime }, (_, schema) =>
    readProtocol("cdp", { schema }),
  );
  assert.equal(protocol.version, "1.9");
  assert.deepEqual(protocol.envelope, {
    constants: {},
    id: "id",
    idTypes: ["integer"],
    replyTo: "id",
    fields: ["sessionId"],
    request: {
      noun: "command",
      when: { method: true, id: true },
      name: "method",
      payload: "params",
    },
    event: { noun: "event", when: { method: true, id: false }, name: "method", payload: "params" },
    response: { when: { method: false, id: true }, result: "result", error: "error" },
  });
  assert.deepEqual(
    protocol.messages.map(({ kind, name, sender, payload, ...rest }) => [
      kind,
      name,
      sender,
      payload,
      "result" in rest ? rest.result : undefined,
      rest.deprecated,
      rest.docs,
    ]),
    [
      [
        "request",
        "Page.navigate",
        "client",
        { type: { kind: "reference", name: "PageNavigateParams" }, required: true },
        { type: { kind: "reference", name: "PageNavigateResult" }, required: true },
        undefined,
        "Goes to a page.",
      ],
      [
        "request",
        "Page.stop",
        "client",
        { type: { kind: "reference", name: "PageStopParams" }, required: false },
        { type: { kind: "reference", name: "PageStopResult" }, required: true },
        undefined,
        "The message `Page.stop`.",
      ],
      [
        "event",
        "Page.gone",
        "browser",
        undefined,
        undefined,
        undefined,
        "The message `Page.gone`.",
      ],
      [
        "event",
        "Page.moved",
        "browser",
        { type: { kind: "reference", name: "PageMovedParams" }, required: true },
        undefined,
        "",
        "The message `Page.moved`.",
      ],
    ],
  );
  const types = Object.fromEntries(protocol.definitions.map(({ name, type }) => [name, type]));
  const text = { kind: "string" };
  const at = (pointer: string): { at: string } => ({ at: `/definitions/${pointer}` });
  assert.deepEqual(types["PageFrame"], {
    kind: "object",
    bases: [],
    properties: [
      {
        name: "id",
        type: { kind: "reference", name: "PageFrameId" },
        required: true,
        ...at("PageFrame/properties/id"),
      },
      {
        name: "kind",
        type: { kind: "enum", open: false, values: [{ value: "top" }, { value: "inner" }] },
        required: false,
        ...at("PageFrame/properties/kind"),
      },
      {
        name: "object",
        type: { kind: "reference", name: "RuntimeObjectId" },
        required: false,
        docs: "Experimental.",
        ...at("PageFrame/properties/object"),
      },
    ],
    extras: "open",
  });
  assert.deepEqual(types["PageNavigateParams"], {
    kind: "object",
    bases: [],
    properties: [
      { name: "url", type: text, required: true, ...at("PageNavigateParams/properties/url") },
      {
        name: "frames",
        type: { kind: "array", items: { kind: "reference", name: "PageFrameId" }, minItems: 1 },
        required: false,
        ...at("PageNavigateParams/properties/frames"),
      },
    ],
    extras: "open",
  });
  assert.deepEqual(types["PageBytes"], { kind: "string", format: "byte" });
  assert.deepEqual(types["RuntimeObjectId"], { kind: "integer" });
});

const broken = (change: (document: typeof page) => unknown): object => {
  const copy = structuredClone(page);
  change(copy);
  return copy;
};

/** Files that cannot be read, and what is said. */
const refused: readonly (readonly [
  name: string,
  documents: Readonly<Record<string, object>>,
  said: RegExp,
])[] = [
  [
    "a file that is missing",
    { "page.json": page },
    /^page\.json:\d+:\d+ \/domains\/0\/types\/1\/properties\/2\/\$ref: Cannot find the type "Runtime\.ObjectId" \[ERR_SCHEMA\]\n {2}Give all files of the protocol/,
  ],
  [
    "another document",
    { "page.json": page, "runtime.json": { definitions: {} } },
    /^runtime\.json:1:1: Cannot find any domains: this is no file of the protocol \[ERR_SCHEMA\]\n$/,
  ],
  [
    "a type that is there twice",
    { "page.json": page, "runtime.json": runtime, "again.json": runtime },
    /^again\.json:\d+:\d+ \/domains\/0\/types\/0: Cannot define "RuntimeObjectId" twice: two names of the protocol become this one \[ERR_SCHEMA\]\n$/,
  ],
  [
    "an unknown type",
    {
      "page.json": broken(({ domains: [domain] }) => (domain!.types[0]!.type = "text")),
      "runtime.json": runtime,
    },
    /^page\.json:\d+:\d+ \/domains\/0\/types\/0\/type: Cannot read the type "text" \[ERR_SCHEMA\]\n$/,
  ],
];

for (const [name, documents, said] of refused)
  test(`files are refused with their places: ${name}`, () =>
    inFiles(documents, (folder) => {
      const args = Object.keys(documents).flatMap((file) => ["--schema", file]);
      const { status, stderr } = runCommand(folder, ["generate", "cdp", ...args, "--out", "out"]);
      assert.match(stderr, said);
      assert.equal(status, 2);
    }));

test("without files it names the package that has them", () =>
  withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "cdp"]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Cannot find "json\/browser_protocol\.json" of the package "devtools-protocol" \[ERR_READ\]\n {2}npm install devtools-protocol\n$/,
    );
  }));

test("diff takes the files of a version together", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, (folder) => {
    const changed = JSON.stringify(page).replace('"url","type":"string"', '"url","type":"integer"');
    assert.notEqual(changed, JSON.stringify(page));
    writeFiles(folder, { "new.json": changed });
    const { status, stdout } = runCommand(folder, [
      ...["diff", "page.json,runtime.json", "new.json,runtime.json", "--protocol", "cdp"],
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /PageNavigateParams\.url: string → integer +type\.changed +new\.json:/);
  }));

test("a project file lists the files of a package", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, (folder) => {
    const packages = [{ protocol: "cdp", schema: ["page.json", "runtime.json"], out: "src/cdp" }];
    writeFiles(folder, { "wirewright.config.json": JSON.stringify({ packages }) });
    const written = runCommand(folder, ["generate", "--no-format"]);
    assert.deepEqual([written.status, written.stderr], [0, ""]);
    assert.deepEqual(runCommand(folder, ["generate", "--check", "--no-format"]), {
      status: 0,
      stdout: "1 package up to date\n",
      stderr: "",
    });
  }));

test("a request carries fields of the envelope, and its response repeats them", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, async (_, schema) => {
    const made = await generate("cdp", { schema });
    const loaded = await loadPackage(made, ["connection.ts"]);
    const cdp = loaded as unknown as {
      inlineTransports(): readonly [unknown, unknown];
      connect(role: string, transport: unknown, options: object): Connection;
    };
    const [left, right] = cdp.inlineTransports();
    const seen: unknown[] = [];
    const middleware = [
      { afterReceive: (message: unknown) => (seen.push(structuredClone(message)), message) },
    ];
    const client = cdp.connect("client", left, { middleware });
    const handlers = {
      "Page.stop": () => ({}),
      "Page.navigate": () => Promise.reject(new Error("no such page")),
    };
    cdp.connect("browser", right, { middleware, handlers, onProblem: () => undefined });
    const fields = { sessionId: "S", other: "ignored" };
    await client.request("Page.stop", undefined, { fields });
    await assert.rejects(client.request("Page.navigate", { url: "" }, { fields }));
    await client.request("Page.stop");
    assert.deepEqual(seen, [
      { id: 1, method: "Page.stop", sessionId: "S" },
      { id: 1, sessionId: "S", result: {} },
      { id: 2, method: "Page.navigate", params: { url: "" }, sessionId: "S" },
      { id: 2, sessionId: "S", error: { code: -32000, message: "no such page" } },
      { id: 3, method: "Page.stop" },
      { id: 3, result: {} },
    ]);
    await client.close();
  }));

test("the programs of the guide drive a browser", { skip: published || skipWithoutBrowser }, () =>
  withFolder((folder) => {
    const { generated, complaints, run } = buildGuide(folder, "cdp", schemas);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.deepEqual(complaints, noComplaints);
    assert.deepEqual(run("client", browser!), {
      status: 0,
      stdout: "navigated to data:text/html,<title>hello</title>\nhello\n",
      stderr: "",
    });
  }),
);

/** What the generated package exports, as far as the sessions below use it. */
interface Package {
  connect(role: "client", transport: unknown, options: object): Connection;
  nodeTransport(readable: Readable, writable: Writable): unknown;
  classify(message: unknown): { readonly status: string };
  validate(message: unknown): { readonly ok: boolean };
  readonly [check: `isValid${string}`]: (value: unknown) => boolean;
}

interface Connection {
  request(name: string, parameters?: object, options?: object): Promise<never>;
  once(name: string, options?: object): Promise<unknown>;
  on(name: string, listener: (body: unknown, message: Message) => void): () => void;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}

/** Starts a browser; `use` gets its process and what it printed first. */
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
    let said = "";
    const url = await new Promise<string>((resolve) => {
      if (remote === "--remote-debugging-pipe") resolve("");
      child.stderr!.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [, found] = /listening on (ws:\S+)/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await use(child, url);
  } finally {
    // The program may be a script that starts the browser.
    process.kill(-child.pid!, "SIGKILL");
  }
}

const html = `<title>hi</title><style>p { color: red }</style><p>text</p>
<script>console.log(1, { a: 2 }); setTimeout(() => { debugger; });</script>`;

test(
  "every message of a browser is known and valid",
  { skip: published || skipWithoutBrowser, timeout: 300_000 },
  async (t) => {
    const made = await generate("cdp", { schema: schemas });
    const loaded = await loadPackage(made, ["index.ts", "validate.ts", "connection.ts", "node.ts"]);
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
        // One command was wrong on purpose.
        if (shown.includes('"url":5')) continue;
        assert.equal(cdp.classify(message).status, "known", shown);
        assert.deepEqual(cdp.validate(message), { ok: true, message, deviations: [] }, shown);
        if (message.method !== undefined) continue;
        const name = pascalCase(asked.get(message.id!)!);
        assert.equal(cdp[`isValid${name}Response`]!(message), true, `${name}: ${shown}`);
      }
      assert.ok(seen.length > 40, `${seen.length} messages`);
      assert.ok(new Set(seen.map(({ method }) => method)).size > 25);
    };

    await t.test("over pipes", () =>
      withBrowser("--remote-debugging-pipe", (child) => {
        const [, , , input, output] = child.stdio as unknown as [0, 0, 0, Writable, Readable];
        return session(cdp.nodeTransport(output, input));
      }),
    );
    await t.test("over a WebSocket", () =>
      withBrowser("--remote-debugging-port=0", (_, url) =>
        session(webSocketTransport(new WebSocket(url), { framing: "nul" })),
      ),
    );
  },
);

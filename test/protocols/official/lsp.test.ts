/** The Language Server Protocol, from its meta model: hand-written ones, and the published one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { generate, readProtocol, type Definition } from "../../../generator/index.js";
import { pascalCase } from "../../../generator/model/names.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { buildGuide, noComplaints } from "../../support/guide-programs.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import { inPeers, skipWithoutPeer } from "../../support/protocol-peers.js";
import { runCommand } from "../../support/run-command.js";

const metaModel = "schemas/lsp/metaModel.json";
const base = (name: string): object => ({ kind: "base", name });
const reference = (name: string): object => ({ kind: "reference", name });

/** Reads a meta model with the given parts. */
function readModel(parts: object): ReturnType<typeof readProtocol> {
  return withFolder(async (folder) => {
    const model = { metaData: { version: "3.99.0" }, requests: [], structures: [], ...parts };
    writeFiles(folder, { "metaModel.json": JSON.stringify(model, null, 2) });
    return readProtocol("lsp", { schema: join(folder, "metaModel.json") });
  });
}

/** A definition without what does not matter here. */
function typeOf(definitions: readonly Definition[], name: string): unknown {
  const found = definitions.find((each) => each.name === name);
  return JSON.parse(
    JSON.stringify(found?.type, (key, value: unknown) => (key === "at" ? undefined : value)),
  ) as unknown;
}

test("structures, mixins, unions, tuples, maps and literals become types", async () => {
  const protocol = await readModel({
    structures: [
      { name: "Left", properties: [{ name: "a", type: base("integer") }] },
      { name: "Right", properties: [{ name: "b", type: base("uinteger"), optional: true }] },
      {
        name: "Both",
        extends: [reference("Left")],
        mixins: [reference("Right")],
        documentation: "What is left and right.",
        properties: [
          {
            name: "place",
            type: { kind: "tuple", items: [base("uinteger"), base("string")] },
            documentation: "Where.",
          },
          { name: "kind", type: { kind: "stringLiteral", value: "both" } },
          {
            name: "changes",
            type: { kind: "map", key: base("DocumentUri"), value: reference("Left") },
          },
          {
            name: "range",
            type: {
              kind: "or",
              items: [
                base("boolean"),
                {
                  kind: "literal",
                  value: { properties: [{ name: "delta", type: base("decimal") }] },
                },
                base("null"),
              ],
            },
          },
        ],
      },
    ],
  });
  const { definitions, version } = protocol;
  assert.equal(version, "3.99.0");
  const integer = { kind: "integer", format: "int32", maximum: 2147483647 };
  assert.deepEqual(typeOf(definitions, "Left"), {
    kind: "object",
    bases: [],
    properties: [{ name: "a", type: { ...integer, minimum: -2147483648 }, required: true }],
    extras: "open",
  });
  assert.deepEqual(typeOf(definitions, "Right"), {
    kind: "object",
    bases: [],
    properties: [{ name: "b", type: { ...integer, minimum: 0 }, required: false }],
    extras: "open",
  });
  assert.deepEqual(typeOf(definitions, "Both"), {
    kind: "object",
    bases: ["Left", "Right"],
    properties: [
      {
        name: "place",
        type: {
          kind: "array",
          first: [{ ...integer, minimum: 0 }, { kind: "string" }],
          items: { kind: "union", members: [] },
          minItems: 2,
        },
        required: true,
        docs: "Where.",
      },
      { name: "kind", type: { kind: "literal", value: "both" }, required: true },
      {
        name: "changes",
        type: { kind: "map", values: { kind: "reference", name: "Left" } },
        required: true,
      },
      {
        name: "range",
        type: {
          kind: "union",
          members: [
            { kind: "boolean" },
            {
              kind: "object",
              bases: [],
              properties: [{ name: "delta", type: { kind: "number" }, required: true }],
              extras: "open",
            },
            { kind: "null" },
          ],
        },
        required: true,
      },
    ],
    extras: "open",
  });
  assert.equal(definitions.find(({ name }) => name === "Both")!.docs, "What is left and right.");
});

test("enumerations are open where they say so, and texts of numbers begin with their names", async () => {
  const { definitions } = await readModel({
    enumerations: [
      {
        name: "Code",
        type: base("integer"),
        supportsCustomValues: true,
        values: [
          { name: "First", value: -1, documentation: "The first." },
          { name: "Second", value: 2 },
          { name: "Again", value: -1 },
        ],
      },
      {
        name: "Word",
        type: base("string"),
        values: [
          { name: "One", value: "one" },
          { name: "Two", value: "two", documentation: "The second." },
        ],
      },
    ],
  });
  assert.deepEqual(typeOf(definitions, "Code"), {
    kind: "enum",
    open: true,
    values: [
      { value: -1, docs: "First: The first." },
      { value: 2, docs: "Second" },
    ],
    // Another code is an integer, too.
    checks: [{ kind: "also", type: { kind: "integer" } }],
  });
  assert.deepEqual(typeOf(definitions, "Word"), {
    kind: "enum",
    open: false,
    values: [
      { value: "one", docs: "" },
      { value: "two", docs: "The second." },
    ],
  });
});

test("messages have directions, results that may be null, partial results and registration options", async () => {
  const { messages, definitions } = await readModel({
    structures: [{ name: "Hover", properties: [] }],
    requests: [
      {
        method: "text/hover",
        messageDirection: "clientToServer",
        params: reference("Hover"),
        result: { kind: "or", items: [reference("Hover"), base("null")] },
        partialResult: { kind: "array", element: reference("Hover") },
        registrationOptions: { kind: "and", items: [reference("Hover")] },
        errorData: base("boolean"),
        documentation: "Asks.",
      },
      {
        method: "text/list",
        messageDirection: "both",
        result: { kind: "array", element: reference("Hover") },
      },
    ],
    notifications: [
      { method: "text/gone", messageDirection: "serverToClient", deprecated: "Nobody sends it." },
    ],
  });
  const hover = { kind: "reference", name: "Hover" };
  assert.deepEqual(messages, [
    {
      kind: "request",
      name: "text/hover",
      sender: "client",
      definition: "TextHoverRequest",
      responseDefinition: "TextHoverResponse",
      payload: { type: hover, required: true },
      result: { type: { kind: "union", members: [hover, { kind: "null" }] }, required: true },
      docs: "Asks.",
      at: "/requests/text~1hover",
    },
    {
      kind: "request",
      name: "text/list",
      sender: "both",
      definition: "TextListRequest",
      responseDefinition: "TextListResponse",
      result: { type: { kind: "reference", name: "TextListResult" }, required: true },
      docs: "The message `text/list`.",
      at: "/requests/text~1list",
    },
    {
      kind: "event",
      name: "text/gone",
      sender: "server",
      definition: "TextGoneNotification",
      docs: "The message `text/gone`.",
      deprecated: "Nobody sends it.",
      at: "/events/text~1gone",
    },
  ]);
  assert.deepEqual(typeOf(definitions, "TextHoverPartialResult"), { kind: "array", items: hover });
  assert.deepEqual(typeOf(definitions, "TextHoverRegistrationOptions"), hover);
  assert.deepEqual(typeOf(definitions, "TextHoverErrorData"), { kind: "boolean" });
  // An error answers what could not be read, too.
  assert.deepEqual(
    definitions
      .filter(({ name }) => name === "Request" || name === "Response")
      .map(({ type }) =>
        type.kind === "object" ? type.properties.find(({ name }) => name === "id")!.type : type,
      ),
    [
      { kind: "union", members: [{ kind: "integer" }, { kind: "string" }] },
      { kind: "union", members: [{ kind: "integer" }, { kind: "string" }, { kind: "null" }] },
    ],
  );
});

/** Meta models that cannot be read, and what is said. */
const refused: readonly (readonly [name: string, parts: object, said: RegExp])[] = [
  [
    "another document",
    { structures: undefined, requests: undefined },
    /^metaModel\.json:1:1: Cannot find structures and requests: this is no meta model \[ERR_SCHEMA\]\n$/,
  ],
  [
    "an unknown kind of type",
    { structures: [{ name: "A", properties: [{ name: "b", type: { kind: "maybe" } }] }] },
    /^metaModel\.json:\d+:\d+ \/structures\/0\/properties\/0\/type\/kind: Cannot read a type of the kind "maybe" \[ERR_SCHEMA\]\n$/,
  ],
  [
    "an unknown base type",
    { typeAliases: [{ name: "A", type: base("date") }] },
    /^metaModel\.json:\d+:\d+ \/typeAliases\/0\/type\/name: Cannot read the base type "date" \[ERR_SCHEMA\]\n {2}Known: string, /,
  ],
  [
    "an unknown direction",
    { requests: [{ method: "a", result: base("null"), messageDirection: "up" }] },
    /^metaModel\.json:\d+:\d+ \/requests\/0\/messageDirection: Cannot tell who sends "a": the direction is "up" \[ERR_SCHEMA\]\n/,
  ],
  [
    "a structure that is there twice",
    {
      structures: [
        { name: "A", properties: [] },
        { name: "A", properties: [] },
      ],
    },
    /^metaModel\.json:\d+:\d+ \/structures\/1\/name: Cannot define "A" twice \[ERR_SCHEMA\]\n$/,
  ],
  [
    "a reference that leads nowhere",
    { structures: [{ name: "A", properties: [{ name: "b", type: reference("B") }] }] },
    /^metaModel\.json:\d+:\d+ .*: Cannot find the definition of "#\/definitions\/B" \[ERR_REF\]\n/,
  ],
];

for (const [name, parts, said] of refused)
  test(`a meta model is refused with its place: ${name}`, () =>
    withFolder((folder) => {
      const model = { metaData: {}, requests: [], structures: [], ...parts };
      writeFiles(folder, { "metaModel.json": JSON.stringify(model, null, 2) });
      const args = ["generate", "lsp", "--schema", "metaModel.json", "--out", "out"];
      const { status, stderr } = runCommand(folder, args);
      assert.match(stderr, said);
      assert.equal(status, 2);
    }));

test("without a meta model it says where to get one", () =>
  withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "lsp"]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Cannot read the Language Server Protocol without its schema, which does not come with the tool \[ERR_NO_SCHEMA\]\n {2}Give it with --schema: metaModel\.json of the specification/,
    );
  }));

test("diff compares meta models, with places in them", () =>
  withFolder((folder) => {
    const model = (message: object): string =>
      JSON.stringify(
        {
          metaData: { version: "3.99.0" },
          requests: [],
          structures: [{ name: "Diagnostic", properties: [{ name: "message", type: message }] }],
          notifications: [
            {
              method: "text/diagnosed",
              messageDirection: "serverToClient",
              params: reference("Diagnostic"),
            },
          ],
        },
        null,
        2,
      );
    const wider = { kind: "or", items: [base("string"), base("null")] };
    writeFiles(folder, { "old.json": model(base("string")), "new.json": model(wider) });
    const { status, stdout } = runCommand(folder, [
      ...["diff", "old.json", "new.json", "--protocol", "lsp"],
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^lsp 3\.99\.0 → 3\.99\.0 {3}1 breaking/);
    const line = model(wider)
      .split("\n")
      .findIndex((each) => each.includes('"name": "message"'));
    assert.match(
      stdout,
      new RegExp(
        `Diagnostic\\.message: string → string \\| null +type\\.null-added +new\\.json:${line}:`,
      ),
    );
  }));

const [schema] = outsideSchemas("lsp").files as readonly [string];

test(
  "the published meta model has all its messages and types",
  { skip: skipWithout(metaModel) },
  async () => {
    const { messages, definitions, version } = await readProtocol("lsp", {
      schema: shared(metaModel)!,
    });
    const count = (kind: string, sender: string): number =>
      messages.filter((each) => each.kind === kind && each.sender === sender).length;
    assert.deepEqual(
      ["client", "server", "both"].map((sender) => [
        sender,
        count("request", sender),
        count("event", sender),
      ]),
      [
        ["client", 54, 19],
        ["server", 15, 5],
        ["both", 0, 2],
      ],
    );
    assert.equal(version, "3.18.0");
    const model = JSON.parse(readFileSync(shared(metaModel)!, "utf8")) as Record<
      "structures" | "enumerations" | "typeAliases",
      readonly { readonly name: string }[]
    >;
    const names = new Set(definitions.map(({ name }) => name));
    for (const { name } of [...model.structures, ...model.enumerations, ...model.typeAliases])
      assert.ok(names.has(name), name);
  },
);

test("the programs of the guide", async (t) => {
  await withFolder(async (folder) => {
    const { generated, complaints, run, path } = buildGuide(folder, "lsp", [schema]);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.deepEqual(complaints, noComplaints);

    const server = [
      process.execPath,
      inPeers("vscode-langservers-extracted/bin/vscode-json-language-server"),
      "--stdio",
    ];
    const skipClient = skipWithoutPeer("vscode-langservers-extracted");
    const said = "line 1: Trailing comma\na (kind 16)\n";
    await t.test("the client with a language server", { skip: skipClient }, () => {
      assert.deepEqual(run("client", ...server), { status: 0, stdout: said, stderr: "" });
    });

    await t.test("the same through tap, and what lint says", { skip: skipClient }, () => {
      const chosen = ["--protocol", "lsp", "--schema", schema];
      const recording = join(folder, "session.jsonl");
      const tap = ["tap", ...chosen, "--out", recording, "--", ...server];
      const tapped = run("client", process.execPath, fromRoot("build/generator/cli.js"), ...tap);
      assert.deepEqual([tapped.status, tapped.stdout], [0, said]);
      const judged = runCommand(folder, ["lint", recording, ...chosen]);
      assert.deepEqual([judged.status, judged.stderr], [0, ""]);
      assert.match(judged.stdout, / 11 messages {3}1 info\n/);
    });

    const skip = skipWithoutPeer("vscode-languageserver-protocol");
    await t.test("the server under the client of vscode-languageserver", { skip }, async () => {
      const child = spawn(process.execPath, [path("server")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const exited = new Promise((resolve) => child.once("exit", resolve));
      // The library describes its own types, which are not installed where this is compiled.
      interface Connection {
        listen(): void;
        sendRequest(method: string, params?: object): Promise<unknown>;
        sendNotification(method: string, params?: object): Promise<void>;
        onNotification(method: string, listener: (params: unknown) => void): void;
        dispose(): void;
      }
      const library = createRequire(inPeers("x"))("vscode-languageserver-protocol/node") as {
        StreamMessageReader: new (stream: unknown) => object;
        StreamMessageWriter: new (stream: unknown) => object;
        createProtocolConnection(reader: object, writer: object): Connection;
      };
      const client = library.createProtocolConnection(
        new library.StreamMessageReader(child.stdout),
        new library.StreamMessageWriter(child.stdin),
      );
      const diagnosed = new Promise((resolve) =>
        client.onNotification("textDocument/publishDiagnostics", resolve),
      );
      client.listen();
      const initialized = await client.sendRequest("initialize", {
        processId: null,
        rootUri: null,
        capabilities: {},
      });
      assert.deepEqual(initialized, { capabilities: { textDocumentSync: 1, hoverProvider: true } });
      await client.sendNotification("initialized", {});
      const uri = "file:///a.txt";
      await client.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "plaintext", version: 1, text: "one\ntwo" },
      });
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
      assert.deepEqual(await diagnosed, {
        uri,
        diagnostics: [{ range, message: "7 characters" }],
      });
      const position = { line: 1, character: 0 };
      const textDocument = { uri };
      assert.deepEqual(await client.sendRequest("textDocument/hover", { textDocument, position }), {
        contents: { kind: "plaintext", value: "two" },
      });
      await assert.rejects(
        client.sendRequest("textDocument/moniker", { textDocument, position }),
        (error: { code?: unknown; message: string }) =>
          error.code === -32601 && error.message.includes("textDocument/moniker"),
      );
      assert.equal(await client.sendRequest("shutdown"), null);
      await client.sendNotification("exit");
      assert.equal(await exited, 0);
      client.dispose();
    });
  });
});

/** A document of a language, and where to ask about it. */
interface Document {
  readonly languageId: string;
  readonly text: string;
  readonly hover: { readonly line: number; readonly character: number };
  readonly completion: { readonly line: number; readonly character: number };
}

/** Language servers, by the path of their program in `test/peers`. */
const languageServers: Readonly<Record<string, Document>> = {
  "vscode-langservers-extracted/bin/vscode-json-language-server": {
    languageId: "json",
    text: '{ "a": 1, "b": [true,, null] }',
    hover: { line: 0, character: 3 },
    completion: { line: 0, character: 2 },
  },
  "vscode-langservers-extracted/bin/vscode-css-language-server": {
    languageId: "css",
    text: "a { colr: red; color: }\n",
    hover: { line: 0, character: 16 },
    completion: { line: 0, character: 22 },
  },
  "vscode-langservers-extracted/bin/vscode-html-language-server": {
    languageId: "html",
    text: "<div><p title='a'></div>\n",
    hover: { line: 0, character: 2 },
    completion: { line: 0, character: 6 },
  },
  "pyright/langserver.index.js": {
    languageId: "python",
    text: "import os\nx: int = 'a'\nos.path.\n",
    hover: { line: 0, character: 8 },
    completion: { line: 2, character: 8 },
  },
};

/** What the generated package exports, as far as the sessions below use it. */
interface Package {
  spawnServer(
    command: string,
    args: readonly string[],
    options: object,
  ): Promise<{
    readonly connection: {
      request(name: string, parameters?: object): Promise<unknown>;
      notify(name: string, parameters?: object): Promise<void>;
      once(name: string): Promise<unknown>;
    };
    readonly exited: Promise<unknown>;
  }>;
  classify(message: unknown): { readonly status: string; readonly kind?: string };
  validate(message: unknown): { readonly ok: boolean };
  readonly [check: `isValid${string}`]: (value: unknown) => boolean;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

test("every message of real language servers is known and valid", async (t) => {
  const made = await generate("lsp", { schema });
  const loaded = await loadPackage(made, ["index.ts", "validate.ts", "connection.ts", "node.ts"]);
  const lsp = loaded as unknown as Package;
  for (const [program, document] of Object.entries(languageServers)) {
    const skip = skipWithoutPeer(program.split("/")[0]!);
    await t.test(document.languageId, { skip, timeout: 120_000 }, async () => {
      const sent: Message[] = [];
      const received: Message[] = [];
      const problems: unknown[] = [];
      const { connection, exited } = await lsp.spawnServer(
        process.execPath,
        [inPeers(program), "--stdio"],
        {
          timeoutMs: 60_000,
          onProblem: (problem: unknown) => problems.push(problem),
          middleware: [
            {
              beforeSend: (message: Message) => (sent.push(message), message),
              afterReceive: (message: Message) => (received.push(message), message),
            },
          ],
          handlers: {
            "workspace/configuration": ({ items }: { items: readonly unknown[] }) =>
              items.map(() => null),
            "client/registerCapability": () => null,
            "window/workDoneProgress/create": () => null,
          },
        },
      );
      const initialized = (await connection.request("initialize", {
        processId: process.pid,
        rootUri: null,
        capabilities: {
          workspace: { configuration: true },
          window: { workDoneProgress: true },
          textDocument: {
            hover: { contentFormat: ["markdown"] },
            completion: { completionItem: { snippetSupport: true } },
            publishDiagnostics: { relatedInformation: true },
            documentSymbol: { hierarchicalDocumentSymbolSupport: true },
            ...(document.languageId === "python" ? {} : { diagnostic: {} }),
          },
        },
      })) as { readonly capabilities: { readonly diagnosticProvider?: unknown } };
      await connection.notify("initialized", {});
      const uri = `untitled:///a.${document.languageId}`;
      const textDocument = { uri };
      const isPulled = initialized.capabilities.diagnosticProvider !== undefined;
      const pushed = isPulled ? undefined : connection.once("textDocument/publishDiagnostics");
      await connection.notify("textDocument/didOpen", {
        textDocument: { uri, languageId: document.languageId, version: 1, text: document.text },
      });
      await (pushed ?? connection.request("textDocument/diagnostic", { textDocument }));
      const { hover, completion } = document;
      await connection.request("textDocument/hover", { textDocument, position: hover });
      await connection.request("textDocument/completion", { textDocument, position: completion });
      await connection.request("textDocument/documentSymbol", { textDocument });
      assert.equal(await connection.request("shutdown"), null);
      await connection.notify("exit");
      await exited;
      assert.deepEqual(problems, []);
      for (const [own, others] of [
        [sent, received],
        [received, sent],
      ] as const) {
        const asked = new Map(
          others.flatMap(({ id, method }) => (method === undefined ? [] : [[id, method]])),
        );
        for (const message of own) {
          const shown = JSON.stringify(message).slice(0, 500);
          assert.equal(lsp.classify(message).status, "known", shown);
          assert.deepEqual(lsp.validate(message), { ok: true, message, deviations: [] }, shown);
          if (message.method !== undefined) continue;
          const name = pascalCase(asked.get(message.id)!);
          assert.equal(lsp[`isValid${name}Response`]!(message), true, `${name}: ${shown}`);
        }
      }
      assert.ok(received.length >= 6, `${received.length} messages`);
    });
  }
});

/** The Model Context Protocol, from the schemas of its versions, and with the official library on either side. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { generate, readProtocol } from "../../../generator/index.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { buildGuide, noComplaints } from "../../support/guide-programs.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import { runCommand } from "../../support/run-command.js";

const versions = ["2025-06-18", "2025-11-25", "2026-07-28"];
const current = "2025-11-25";
const published = skipWithout("schemas/mcp");
const schemaOf = (version: string): string => shared(`schemas/mcp/${version}.json`)!;
/** The schema of the current version. */
const [currentSchema] = outsideSchemas("mcp").files as readonly [string];

const constant = (value: string): object => ({ type: "string", const: value });

/** A small schema in the style of the protocol. */
const small = {
  definitions: {
    RequestId: { type: ["string", "integer"] },
    Result: { type: "object", properties: { _meta: { type: "object" } }, additionalProperties: {} },
    EmptyResult: { $ref: "#/definitions/Result" },
    Request: { type: "object", properties: { method: { type: "string" } }, required: ["method"] },
    PingRequest: {
      description: "Are you there?",
      type: "object",
      properties: { method: constant("ping"), params: { type: "object" } },
      required: ["method"],
    },
    CallRequest: {
      type: "object",
      properties: {
        method: constant("call"),
        params: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
      required: ["method", "params"],
    },
    CallResult: { type: "object", properties: { value: {} }, required: ["value"] },
    CallResultResponse: {
      type: "object",
      properties: {
        result: { anyOf: [{ $ref: "#/definitions/CallResult" }, { $ref: "#/definitions/Result" }] },
      },
    },
    GoneNotification: {
      type: "object",
      properties: { method: constant("gone"), params: { $ref: "#/definitions/Result" } },
      required: ["method"],
    },
    ClientRequest: {
      anyOf: [{ $ref: "#/definitions/PingRequest" }, { $ref: "#/definitions/CallRequest" }],
    },
    ServerRequest: { anyOf: [{ $ref: "#/definitions/PingRequest" }] },
    // The only member of a union may be written out.
    ServerNotification: {
      type: "object",
      properties: { method: constant("gone"), params: { $ref: "#/definitions/Result" } },
      required: ["method"],
    },
    JSONRPCError: {
      type: "object",
      properties: {
        error: { type: "object", properties: { code: { type: "integer" } }, required: ["code"] },
        id: { $ref: "#/definitions/RequestId" },
      },
      required: ["error", "id"],
    },
  },
};

test("messages are found by their constant and the unions of the sides", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { "2024-01-01/schema.json": JSON.stringify(small) });
    const schema = join(folder, "2024-01-01/schema.json");
    const { messages, definitions, version, bases } = await readProtocol("mcp", { schema });
    const reference = (name: string): object => ({ kind: "reference", name });
    assert.equal(version, "2024-01-01");
    assert.deepEqual(messages, [
      {
        kind: "request",
        name: "ping",
        sender: "both",
        definition: "PingRequest",
        responseDefinition: "PingResultResponse",
        payload: { type: reference("PingRequestParams"), required: false },
        result: { type: reference("EmptyResult"), required: true },
        docs: "Are you there?",
        at: "/definitions/PingRequest",
      },
      {
        kind: "request",
        name: "call",
        sender: "client",
        definition: "CallRequest",
        responseDefinition: "CallResultResponse",
        payload: { type: reference("CallRequestParams"), required: true },
        result: { type: reference("CallResultResponseResult"), required: true },
        docs: "The message `call`.",
        at: "/definitions/CallRequest",
      },
      {
        kind: "event",
        name: "gone",
        sender: "server",
        definition: "GoneNotification",
        payload: { type: reference("Result"), required: false },
        docs: "The message `gone`.",
        at: "/definitions/GoneNotification",
      },
    ]);
    assert.deepEqual(bases, {
      request: "Request",
      event: "Notification",
      response: "Response",
      error: "ErrorResponse",
    });
    assert.deepEqual(
      definitions.map(({ name }) => name).sort(),
      [
        ...["CallRequest", "CallRequestParams", "CallResult", "CallResultResponse"],
        "CallResultResponseResult",
        ...["EmptyResult", "Error", "ErrorResponse", "GoneNotification", "Notification"],
        ...["PingRequest", "PingRequestParams", "PingResultResponse", "Request", "RequestId"],
        ...["Response", "Result"],
      ].sort(),
    );
  }));

const refused: readonly (readonly [name: string, definitions: object, said: RegExp])[] = [
  [
    "a member without a constant",
    { PingRequest: { type: "object" } },
    /^schema\.json:\d+:\d+ \/definitions\/ClientRequest\/anyOf\/0: Cannot read a message of "ClientRequest": it must refer to a definition whose name is a constant \[ERR_MESSAGE\]\n$/,
  ],
  [
    "a request whose name is not like the others",
    {
      ClientRequest: { anyOf: [{ $ref: "#/definitions/Asking" }] },
      Asking: { type: "object", properties: { method: constant("ask") } },
    },
    /^schema\.json:\d+:\d+ \/definitions\/Asking: Cannot find the result of "Asking": its name is not like \*Request \[ERR_MESSAGE\]\n$/,
  ],
  [
    "parameters that have the name of a definition",
    { PingRequestParams: { type: "string" } },
    /^schema\.json:\d+:\d+ \/definitions\/PingRequestParams: Cannot name a payload "PingRequestParams": the schema has another definition of that name \[ERR_NAME_COLLISION\]\n {2}Rename that definition\n$/,
  ],
];

for (const [name, definitions, said] of refused)
  test(`a schema is refused with its place: ${name}`, () =>
    withFolder((folder) => {
      const schema = { definitions: { ...small.definitions, ...definitions } };
      writeFiles(folder, { "schema.json": JSON.stringify(schema, null, 2) });
      const args = ["generate", "mcp", "--schema", "schema.json", "--out", "out"];
      const { status, stderr } = runCommand(folder, args);
      assert.match(stderr, said);
      assert.equal(status, 2);
    }));

suite("the published schemas", { skip: published }, () => {
  test("all versions of the published schema go in as they are", async () => {
    const counts = [];
    for (const version of versions) {
      const protocol = await readProtocol("mcp", { schema: schemaOf(version) });
      assert.equal(protocol.version, version);
      const by = (kind: string, sender: string): number =>
        protocol.messages.filter((each) => each.kind === kind && each.sender === sender).length;
      counts.push(
        ["request", "event"].map((kind) =>
          ["client", "server", "both"].map((sender) => by(kind, sender)),
        ),
      );
    }
    assert.deepEqual(counts, [
      [
        [12, 3, 1],
        [2, 5, 2],
      ],
      [
        [12, 3, 5],
        [2, 6, 3],
      ],
      [
        [10, 0, 0],
        [0, 7, 1],
      ],
    ]);
  });

  test("every official example is valid", async () => {
    const made = await generate("mcp", { schema: schemaOf("2026-07-28") });
    const mcp = await loadPackage(made);
    const folder = shared("schemas/mcp/examples")!;
    let count = 0;
    for (const definition of readdirSync(folder))
      for (const file of readdirSync(join(folder, definition))) {
        const value: unknown = JSON.parse(readFileSync(join(folder, definition, file), "utf8"));
        const isValid = mcp[`isValid${definition}`] as (value: unknown) => boolean;
        assert.equal(isValid(value), true, `${definition}/${file}`);
        count++;
      }
    assert.equal(count, 129);
  });

  test("diff compares versions of the published schema", () => {
    const { status, stdout } = runCommand(fromRoot("."), [
      ...["diff", schemaOf("2025-06-18"), schemaOf("2025-11-25"), "--protocol", "mcp"],
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^mcp 2025-06-18 → 2025-11-25 {3}\d+ breaking · /);
    assert.match(stdout, /CancelledNotificationParams\.requestId: required → optional/);
  });
});

/** What the generated package exports, as far as the session below uses it. */
interface Package {
  spawnServer(
    command: string,
    args: readonly string[],
    options: object,
  ): Promise<{ readonly connection: Connection }>;
  classify(message: unknown): { readonly status: string };
  validate(message: unknown): { readonly ok: boolean };
  readonly [check: `isValid${string}`]: (value: unknown) => boolean;
}

interface Connection {
  request(name: string, parameters?: object, options?: object): Promise<unknown>;
  notify(name: string, parameters?: object): Promise<void>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

test("every message of the official server is known and valid", { timeout: 120_000 }, async () => {
  const made = await generate("mcp", { schema: currentSchema });
  const loaded = await loadPackage(made, ["index.ts", "validate.ts", "connection.ts", "node.ts"]);
  const mcp = loaded as unknown as Package;
  const seen: (readonly [own: boolean, message: Message])[] = [];
  const problems: unknown[] = [];
  const { connection: server } = await mcp.spawnServer(
    process.execPath,
    [fromRoot("build/test/fixtures/mcp-server.js")],
    {
      timeoutMs: 60_000,
      onProblem: ({ code }: { code: string }) => problems.push(code),
      middleware: [
        {
          beforeSend: (message: Message) => (seen.push([true, message]), message),
          afterReceive: (message: Message) => (seen.push([false, message]), message),
        },
      ],
      handlers: {
        "sampling/createMessage": () => ({
          role: "assistant",
          content: { type: "text", text: "hello!" },
          model: "none",
        }),
        "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
        "roots/list": () => ({ roots: [{ uri: "file:///a" }] }),
      },
    },
  );
  const { serverInfo } = (await server.request("initialize", {
    protocolVersion: current,
    capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
    clientInfo: { name: "ours", version: "1.0.0" },
  })) as { serverInfo: { name: string } };
  assert.equal(serverInfo.name, "official");
  await server.notify("notifications/initialized");
  await server.request("ping");
  await server.request("logging/setLevel", { level: "debug" });
  const { tools } = (await server.request("tools/list")) as { tools: { name: string }[] };
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["add", "ask", "wait"],
  );
  assert.deepEqual(await server.request("tools/call", { name: "add", arguments: { a: 2, b: 3 } }), {
    content: [{ type: "text", text: "5" }],
    structuredContent: { sum: 5 },
  });
  assert.deepEqual(
    await server.request("tools/call", { name: "ask", _meta: { progressToken: "p" } }),
    {
      content: [
        {
          type: "text",
          text: JSON.stringify([
            { type: "text", text: "hello!" },
            { action: "accept", content: { name: "Ada" } },
            [{ uri: "file:///a" }],
          ]),
        },
      ],
    },
  );
  for (const list of ["resources/list", "resources/templates/list", "prompts/list"])
    await server.request(list);
  await server.request("resources/read", { uri: "note://one" });
  await server.request("prompts/get", { name: "greet", arguments: { name: "Ada" } });
  await assert.rejects(server.request("resources/read", { uri: "note://two" }), {
    code: "ERR_REQUEST_FAILED",
  });
  await assert.rejects(server.request("tools/call", { name: "wait" }, { timeoutMs: 200 }), {
    code: "ERR_REQUEST_TIMEOUT",
  });
  await server.request("ping");
  await server.close();
  assert.deepEqual(problems, []);

  const askedBy = (own: boolean): ReadonlyMap<unknown, string> =>
    new Map(
      seen.flatMap(([from, { id, method }]) =>
        from !== own || id === undefined || method === undefined ? [] : [[id, method]],
      ),
    );
  const asked = new Map([true, false].map((own) => [own, askedBy(own)]));
  const definitions = new Map(
    made.protocol.messages.map((message) => [
      message.name,
      message.kind === "request" ? message.responseDefinition! : "",
    ]),
  );
  for (const [own, message] of seen) {
    const shown = JSON.stringify(message).slice(0, 500);
    assert.equal(mcp.classify(message).status, "known", shown);
    assert.deepEqual(mcp.validate(message), { ok: true, message, deviations: [] }, shown);
    if (message.method !== undefined) continue;
    const definition = definitions.get(asked.get(!own)!.get(message.id)!)!;
    assert.equal(mcp[`isValid${definition}`]!(message), true, `${definition}: ${shown}`);
  }
  const methods = new Set(seen.flatMap(([, { method }]) => method ?? []));
  for (const method of [
    ...["notifications/progress", "notifications/message", "notifications/cancelled"],
    ...["sampling/createMessage", "elicitation/create", "roots/list"],
  ])
    assert.ok(methods.has(method), method);
});

test("the programs of the guide", { timeout: 300_000 }, async (t) => {
  await withFolder(async (folder) => {
    const { generated, complaints, run, path } = buildGuide(folder, "mcp", [currentSchema]);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.deepEqual(complaints, noComplaints);

    const said = "adder: add\n5\n";
    await t.test("the client with the server", () => {
      assert.deepEqual(run("client", process.execPath, path("server")), {
        status: 0,
        stdout: said,
        stderr: "",
      });
    });

    await t.test("the same through tap, and what lint says", () => {
      const chosen = ["--protocol", "mcp", "--schema", currentSchema];
      const recording = join(folder, "session.jsonl");
      const tap = ["tap", ...chosen, "--out", recording, "--", process.execPath, path("server")];
      const tapped = run("client", process.execPath, fromRoot("build/generator/cli.js"), ...tap);
      assert.deepEqual([tapped.status, tapped.stdout], [0, said]);
      const judged = runCommand(folder, ["lint", recording, ...chosen]);
      assert.deepEqual([judged.status, judged.stderr], [0, ""]);
      assert.match(judged.stdout, / 7 messages {3}(nothing found|no findings)?/);
    });

    await t.test("the server under the official client", async (t) => {
      const client = new Client({ name: "official", version: "1.0.0" });
      t.after(() => client.close());
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [path("server")] }),
      );
      assert.deepEqual(client.getServerVersion(), { name: "adder", version: "1.0.0" });
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["add"],
      );
      assert.deepEqual(await client.callTool({ name: "add", arguments: { a: 40, b: 2 } }), {
        content: [{ type: "text", text: "42" }],
      });
      await assert.rejects(client.callTool({ name: "subtract" }), {
        code: -32602,
        message: 'MCP error -32602: There is no tool "subtract"',
      });
      await assert.rejects(client.listPrompts(), { code: -32601 });
      await client.ping();
    });
  });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { generate } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";
import { buildGuide } from "../../support/guide-programs.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot } from "../../support/paths.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import { runCommand, cli } from "../../support/run-command.js";

const current = "2025-11-25";

/** Path to the schema for the current MCP version. */
const [currentSchema] = outsideSchemas("mcp").files as readonly [string];

/** The generated package's exports that this test uses. */
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

test(
  "every message from the official server is known and valid",
  { timeout: 120_000 },
  async () => {
    const made = await generate("mcp", { schema: currentSchema });
    const loaded = await loadPackage(made, [
      "index.ts",
      "validators.ts",
      "connection.ts",
      "node.ts",
    ]);
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
    assert.deepEqual(
      await server.request("tools/call", { name: "add", arguments: { a: 2, b: 3 } }),
      {
        content: [{ type: "text", text: "5" }],
        structuredContent: { sum: 5 },
      },
    );
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
      code: "ERR_TIMEOUT",
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
      assert.deepEqual(mcp.validate(message), { ok: true, value: message, deviations: [] }, shown);
      if (message.method !== undefined) continue;
      const definition = definitions.get(asked.get(!own)!.get(message.id)!)!;
      assert.equal(mcp[`isValid${definition}`]!(message), true, `${definition}: ${shown}`);
    }
    const methods = new Set(seen.flatMap(([, { method }]) => method ?? []));
    for (const method of [
      "notifications/progress",
      "notifications/message",
      "notifications/cancelled",
      "sampling/createMessage",
      "elicitation/create",
      "roots/list",
    ])
      assert.ok(methods.has(method), method);
  },
);

test("the guide's programs work", { timeout: 300_000 }, async (t) => {
  await withFolder(async (folder) => {
    const { generated, complaints, run, path } = buildGuide(folder, "mcp", [currentSchema]);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.equal(complaints, "");

    const output = "adder: add\n5\n";
    await t.test("the guide's client works with its server", () => {
      assert.deepEqual(run("client", process.execPath, path("server")), {
        status: 0,
        stdout: output,
        stderr: "",
      });
    });

    await t.test("the client prints the same output through tap, and lint reports nothing", () => {
      const chosen = ["--protocol", "mcp", "--schema", currentSchema];
      const recording = join(folder, "session.jsonl");
      const tap = ["tap", ...chosen, "--out", recording, "--", process.execPath, path("server")];
      const tapped = run("client", process.execPath, cli, ...tap);
      assert.deepEqual([tapped.status, tapped.stdout], [0, output]);
      const judged = runCommand(folder, ["lint", recording, ...chosen]);
      assert.deepEqual([judged.status, judged.stderr], [0, ""]);
      assert.match(judged.stdout, / 7 messages {3}(nothing found|no findings)?/);
    });

    await t.test("the official client works with the guide's server", async (t) => {
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

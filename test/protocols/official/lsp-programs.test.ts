import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { pascalCase } from "../../../generator/model/names.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { withFolder } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { findingsOf } from "../../support/judged-entries.js";
import { buildGuide } from "../../support/guide-programs.js";
import { inPeers, skipWithoutPeer } from "../../support/paths.js";
import { outsideSchemas } from "../../support/outside-schemas.js";
import { runCommand, cli } from "../../support/run-command.js";

const [schema] = outsideSchemas("lsp").files as readonly [string];

test("the guide's programs work", async (t) => {
  await withFolder(async (folder) => {
    const { generated, complaints, run, path } = buildGuide(folder, "lsp", [schema]);
    assert.deepEqual([generated.status, generated.stderr], [0, ""]);
    assert.equal(complaints, "");

    const server = [
      process.execPath,
      inPeers("vscode-langservers-extracted/bin/vscode-json-language-server"),
      "--stdio",
    ];
    const skipClient = skipWithoutPeer("vscode-langservers-extracted");
    const output = "line 1: Trailing comma\na (kind 16)\n";
    await t.test("the guide's client works with a language server", { skip: skipClient }, () => {
      assert.deepEqual(run("client", ...server), { status: 0, stdout: output, stderr: "" });
    });

    await t.test(
      "the client prints the same output through tap, and lint reports nothing",
      { skip: skipClient },
      () => {
        const chosen = ["--protocol", "lsp", "--schema", schema];
        const recording = join(folder, "session.jsonl");
        const tap = ["tap", ...chosen, "--out", recording, "--", ...server];
        const tapped = run("client", process.execPath, cli, ...tap);
        assert.deepEqual([tapped.status, tapped.stdout], [0, output]);
        const judged = runCommand(folder, ["lint", recording, ...chosen]);
        assert.deepEqual([judged.status, judged.stderr], [0, ""]);
        assert.match(judged.stdout, / 11 messages {3}1 info\n/);
      },
    );

    const skip = skipWithoutPeer("vscode-languageserver-protocol");
    await t.test(
      "the client that uses vscode-languageserver works with the guide's server",
      { skip },
      async () => {
        const child = spawn(process.execPath, [path("server")], {
          stdio: ["pipe", "pipe", "inherit"],
        });
        const exited = new Promise((resolve) => child.once("exit", resolve));
        // The library's own types are not installed where this program is compiled.
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
        assert.deepEqual(initialized, {
          capabilities: { textDocumentSync: 1, hoverProvider: true },
        });
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
        assert.deepEqual(
          await client.sendRequest("textDocument/hover", { textDocument, position }),
          {
            contents: { kind: "plaintext", value: "two" },
          },
        );
        await assert.rejects(
          client.sendRequest("textDocument/moniker", { textDocument, position }),
          (error: { code?: unknown; message: string }) =>
            error.code === -32601 && error.message.includes("textDocument/moniker"),
        );
        assert.equal(await client.sendRequest("shutdown"), null);
        await client.sendNotification("exit");
        assert.equal(await exited, 0);
        client.dispose();
      },
    );
  });
});

/** A document in some language, and the position at which to send requests about it. */
interface Document {
  readonly languageId: string;
  readonly text: string;
  readonly hover: { readonly line: number; readonly character: number };
  readonly completion: { readonly line: number; readonly character: number };
}

/** Language servers, each with its program's path in `test/peers`. */
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

/** The generated package's exports that these tests use. */
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

test("every message from real language servers is known and valid", async (t) => {
  const made = await generate("lsp", { schema });
  const loaded = await loadPackage(made, ["index.ts", "validators.ts", "connection.ts", "node.ts"]);
  const lsp = loaded as unknown as Package;
  const protocol = await readProtocol("lsp", { schema });
  for (const [program, document] of Object.entries(languageServers)) {
    const skip = skipWithoutPeer(program.split("/")[0]!);
    await t.test(document.languageId, { skip, timeout: 120_000 }, async () => {
      const sent: Message[] = [];
      const received: Message[] = [];
      const entries: RecordedEntry[] = [];
      const problems: unknown[] = [];
      const { connection, exited } = await lsp.spawnServer(
        process.execPath,
        [inPeers(program), "--stdio"],
        {
          timeoutMs: 60_000,
          onProblem: (problem: unknown) => problems.push(problem),
          middleware: [
            {
              beforeSend: (message: Message) => {
                sent.push(message);
                entries.push({ from: "client", message });
                return message;
              },
              afterReceive: (message: Message) => {
                received.push(message);
                entries.push({ from: "server", message });
                return message;
              },
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
          assert.deepEqual(
            lsp.validate(message),
            { ok: true, value: message, deviations: [] },
            shown,
          );
          if (message.method !== undefined) continue;
          const name = pascalCase(asked.get(message.id)!);
          assert.equal(lsp[`isValid${name}Response`]!(message), true, `${name}: ${shown}`);
        }
      }
      assert.ok(received.length >= 6, `${received.length} messages`);
      const found = findingsOf(protocol, entries, { rules: "none", isFromStart: true });
      assert.deepEqual(
        found.filter(({ rule }) => rule.startsWith("request.")),
        [],
      );
    });
  }
});

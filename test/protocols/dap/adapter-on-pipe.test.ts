import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { basename, join } from "node:path";
import { test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import { nodeTransport } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { withFolder } from "../../support/compile.js";

test("an adapter on a named pipe serves two clients at once", () =>
  withFolder(async (folder) => {
    const path =
      process.platform === "win32" ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, "adapter");
    let count = 0;
    const adapter = defineAdapter({
      session: () => ({ number: ++count }),
      handlers: {
        launch: () => undefined,
        evaluate: (_, { session }) => ({ result: `${session.number}`, variablesReference: 0 }),
      },
    });
    const server = createServer((socket) => void adapter(nodeTransport(socket, socket)));
    await once(server.listen(path), "listening");
    const open = () => {
      const socket = createConnection(path);
      return launch(nodeTransport(socket, socket), { arguments: {} });
    };
    const sessions = [await open(), await open()];
    for (const [at, session] of sessions.entries()) {
      const { result } = await session.request("evaluate", { expression: "" });
      assert.equal(result, `${at + 1}`);
    }
    for (const session of sessions) assert.equal((await session.disconnect()).reason, "closed");
    server.close();
    await once(server, "close");
  }));

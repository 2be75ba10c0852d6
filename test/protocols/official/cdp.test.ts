/** Tests the Chrome DevTools Protocol with hand-written and published domains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generate } from "../../../cli/index.js";
import { loadPackage } from "../../support/load-package.js";
import { type Connection, page, runtime, inFiles } from "../../support/cdp-domains.js";

test("a request carries additional envelope fields, and its response repeats them", () =>
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

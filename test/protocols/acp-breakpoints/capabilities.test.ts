import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, inlineTransports, type Connection } from "@wirewright/acp-breakpoints/connection";
import { supports } from "@wirewright/acp-breakpoints";
import { isValid } from "@wirewright/acp-breakpoints/validators";

const breakpoints = {
  sourceBreakpoints: true,
  exceptionBreakpointFilters: [{ filter: "uncaught", label: "Uncaught" }],
};

test("supports() tells an agent which requests the client supports, and the connection refuses all others", async () => {
  const [one, other] = inlineTransports();
  const editor = connect("client", one, {
    handlers: {
      setBreakpoints: () => ({ breakpoints: [] }),
      setFunctionBreakpoints: () => ({ breakpoints: [] }),
    },
  });
  const agent: Connection<"agent"> = connect("agent", other, {
    unannounced: "refuse",
    handlers: { initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }) },
  });
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities: { breakpoints } });
  const announced = agent.capabilities;
  assert.deepEqual(
    (["setBreakpoints", "setExceptionBreakpoints", "setFunctionBreakpoints"] as const).map((name) =>
      supports(announced, name),
    ),
    [true, true, false],
  );
  await agent.request("setBreakpoints", { source: { path: "/a" }, breakpoints: [] });
  await assert.rejects(agent.request("setFunctionBreakpoints", { breakpoints: [] }), {
    code: "ERR_REQUEST_NOT_ANNOUNCED",
  });
  await Promise.all([editor.close(), agent.close()]);
});

test("the overlay's messages for adding and removing breakpoints require their own capability", () => {
  const ask = (method: string, params: object): boolean =>
    isValid({ jsonrpc: "2.0", id: 1, method, params });
  assert.ok(ask("addBreakpoints", { source: { path: "/a" }, breakpoints: [{ line: 1 }] }));
  assert.ok(ask("removeBreakpoints", { ids: [1] }));
  assert.ok(!ask("removeBreakpoints", {}));
  const announced = (changes: boolean): boolean =>
    supports({ breakpoints: { ...breakpoints, changes } }, "addBreakpoints");
  assert.deepEqual([announced(true), announced(false)], [true, false]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { gistOf } from "../../../sessions/read/message-summary.js";

test("the gist of a message contains its first plain values and the lengths of its arrays", async () => {
  const protocol = await readProtocol("dap");
  const request = (parameters: unknown): string =>
    gistOf({ arguments: parameters }, "request", protocol);
  assert.deepEqual(
    [
      request({ source: { path: "/a" }, line: 3, breakpoints: [{ line: 1 }], condition: "x" }),
      request({ breakpoints: [] }),
      request(undefined),
      gistOf({ body: "text" }, "event", protocol),
      gistOf({ success: false, message: "no" }, "response", protocol),
      gistOf({ success: true, body: { threads: [1, 2] } }, "response", protocol),
      gistOf({ type: "odd" }, "odd", protocol),
      gistOf(
        { id: 1, error: { code: -32601, message: "no" } },
        "response",
        await readProtocol("acp"),
      ),
    ],
    [
      'line 3, breakpoints: 1, condition "x"',
      "breakpoints: 0",
      "",
      '"text"',
      "no",
      "threads: 2",
      "",
      "no",
    ],
  );
});

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import * as codec from "@wirewright/dap";
import * as connections from "@wirewright/dap/connection";
import { fromRoot } from "../../support/paths.js";
import { withFolder } from "../../support/compile.js";

const own = { ...codec, ...connections };

test("instanceof recognises errors from other copies of the package", async () => {
  await withFolder(async (folder) => {
    await build({
      entryPoints: [fromRoot("generated/dap/index.ts"), fromRoot("generated/dap/connection.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      outdir: folder,
      outExtension: { ".js": ".cjs" },
      tsconfigRaw: {},
    });
    const require = createRequire(join(folder, "connection.cjs"));
    const other = { ...require("./index.cjs"), ...require("./connection.cjs") } as typeof own;
    const { connect, portTransport } = other;
    const channel = new MessageChannel();
    assert.notEqual(other.RequestError, own.RequestError);
    const closed = connect("client", portTransport(channel.port1 as never));
    await closed.close();
    const error: unknown = await closed.request("threads").catch((cause: unknown) => cause);
    const refusal = new other.Refusal("no");
    const encoding = (() => {
      try {
        other.createEncoder().encode(1n as never);
      } catch (cause) {
        return cause;
      }
    })();
    assert.deepEqual(
      [
        error instanceof own.ConnectionClosedError,
        error instanceof own.Refusal,
        error instanceof Error,
      ],
      [true, false, true],
    );
    assert.deepEqual(
      [refusal instanceof own.Refusal, refusal instanceof own.RequestError],
      [true, false],
    );
    assert.deepEqual(
      [encoding instanceof own.EncodeError, encoding instanceof TypeError],
      [true, true],
    );
  });

  // Another bundle of the module has different classes with the same names.
  const folder = "../../../runtime/connection";
  const copy = {
    ...((await import(
      `${folder}/outgoing-requests.js?copy`
    )) as typeof import("../../../runtime/connection/outgoing-requests.js")),
    ...((await import(
      `${folder}/failure-response.js?copy`
    )) as typeof import("../../../runtime/connection/failure-response.js")),
  };
  assert.notEqual(copy.Refusal, own.Refusal);
  assert.deepEqual(
    [
      new copy.Refusal("no") instanceof own.Refusal,
      new copy.RequestError("no", { code: "ERR_REQUEST_FAILED", command: "threads" }) instanceof
        own.RequestError,
      new copy.Refusal("no") instanceof own.RequestError,
    ],
    [true, true, false],
  );

  class Special extends own.RequestError {}
  const plain = new own.RequestError("no", { code: "ERR_REQUEST_FAILED", command: "threads" });
  const special = new Special("no", { code: "ERR_REQUEST_FAILED", command: "threads" });
  assert.deepEqual(
    [plain instanceof Special, special instanceof Special, special instanceof own.RequestError],
    [false, true, true],
  );
  for (const value of [undefined, null, 1, "RequestError", {}, new Error("no")])
    assert.equal(value instanceof own.RequestError, false);
  // The properties that mark error classes are not enumerable.
  assert.deepEqual(Object.keys(plain).sort(), ["code", "command", "issues", "name", "response"]);
});

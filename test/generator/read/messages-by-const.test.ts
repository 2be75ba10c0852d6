/** Messages whose names are constants, in unions or listed by the description. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { readOrRefusal } from "../../support/refusal.js";
import { description } from "../../support/table-protocol.js";

const message = (method: string): object => ({
  type: "object",
  properties: { method: { const: method }, params: { type: "object" } },
  required: ["method"],
});

const definitions = {
  GetRequest: message("get"),
  GetResult: { type: "object" },
  PingRequest: message("ping"),
  Changed: message("changed"),
  Bare: { type: "object" },
};

const results = { request: "*Request", result: "*Result", otherwise: "Empty" };

/** Reads a protocol. Returns each message with its sender and result, or what the tool prints. */
const read = (unions: object, overlay: object): Promise<unknown> =>
  withFolder(async (folder) => {
    const messages = { by: "const", unions, results };
    writeFiles(folder, {
      "protocol.json": JSON.stringify({ ...description, messages, overlays: ["overlay.json"] }),
      "types-1.0.0.json": JSON.stringify({ definitions }),
      "overlay.json": JSON.stringify({ definitions: overlay }),
    });
    return readOrRefusal(async () => {
      const protocol = await readProtocol(folder);
      return protocol.messages.map((each) => [
        `${each.kind} ${each.name} from ${each.sender}`,
        each.kind === "request" ? each.result?.type : undefined,
      ]);
    }, folder);
  });

test("a description lists messages that are in no union, and an overlay adds a result", async () => {
  const unions = {
    client: { requests: ["GetRequest", "PingRequest"] },
    store: { events: ["Changed"] },
  };
  assert.deepEqual(await read(unions, { Empty: { type: "object" } }), [
    ["request get from client", { kind: "reference", name: "GetResult" }],
    ["request ping from client", { kind: "reference", name: "Empty" }],
    ["event changed from store", undefined],
  ]);
  assert.equal(
    await read(unions, {}),
    'types-1.0.0.json:1:16 /definitions: Cannot find the definition "Empty" that the description names at /messages/results/otherwise [ERR_REF]',
  );
});

test("a listed definition that is missing or has no constant name is a fault", async () => {
  assert.equal(
    await read(
      { client: { requests: ["GetRequest", "GitRequest", "Bare"] }, store: { events: "Bare" } },
      {},
    ),
    `Found 2 faults:
types-1.0.0.json:1:16 /definitions: Cannot find the message "GitRequest" that the description names under "messages" [ERR_REF]
types-1.0.0.json:1:417 /definitions/Bare: Cannot read the message "Bare": it must have a constant name [ERR_MESSAGE]`,
  );
});

/**
 * Tests the Model Context Protocol with the schemas for its versions, and with the official library
 * on either side.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";
import { reference } from "../../support/meta-model.js";
import type { ObjectType } from "../../../generator/model/types.js";

const versions = ["2025-06-18", "2025-11-25", "2026-07-28"];

const published = skipWithout("schemas/mcp");

const schemaOf = (version: string): string => shared(`schemas/mcp/${version}.json`)!;

const constant = (value: string): object => ({ type: "string", const: value });

/** A small schema in MCP style. */
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
    // A union with a single member may be inline.
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

test("messages are identified by their constant method, and their senders by each side's unions", () =>
  withFolder(async (folder) => {
    writeFiles(folder, { "2024-01-01/schema.json": JSON.stringify(small) });
    const schema = join(folder, "2024-01-01/schema.json");
    const { messages, definitions, version, bases } = await readProtocol("mcp", { schema });
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
        pointer: "/definitions/PingRequest",
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
        pointer: "/definitions/CallRequest",
      },
      {
        kind: "event",
        name: "gone",
        sender: "server",
        definition: "GoneNotification",
        payload: { type: reference("Result"), required: false },
        docs: "The message `gone`.",
        pointer: "/definitions/GoneNotification",
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
        "CallRequest",
        "CallRequestParams",
        "CallResult",
        "CallResultResponse",
        "CallResultResponseResult",
        "EmptyResult",
        "Error",
        "ErrorResponse",
        "GoneNotification",
        "Notification",
        "PingRequest",
        "PingRequestParams",
        "PingResultResponse",
        "Request",
        "RequestId",
        "Response",
        "Result",
      ].sort(),
    );
  }));

test("messages contained in other messages become types with a different name", () =>
  withFolder(async (folder) => {
    const definitions = {
      ...small.definitions,
      Asked: { anyOf: [{ $ref: "#/definitions/PingRequest" }, { type: "null" }] },
      Batch: { type: "array", items: { $ref: "#/definitions/ClientRequest" } },
      JSONRPCMessage: { anyOf: [{ $ref: "#/definitions/GoneNotification" }] },
    };
    writeFiles(folder, { "schema.json": JSON.stringify({ definitions }, null, 2) });
    const schema = join(folder, "schema.json");
    const protocol = await readProtocol("mcp", { schema });
    const typeOf = (name: string): unknown =>
      protocol.definitions.find((each) => each.name === name)?.type;
    assert.deepEqual(typeOf("Asked"), {
      kind: "union",
      members: [reference("EmbeddedPingRequest"), { kind: "null" }],
    });
    assert.deepEqual(typeOf("Batch"), {
      kind: "array",
      items: reference("EmbeddedClientRequest"),
    });
    assert.deepEqual(typeOf("EmbeddedClientRequest"), {
      kind: "union",
      members: [reference("EmbeddedPingRequest"), reference("EmbeddedCallRequest")],
    });
    const names = ({ properties }: ObjectType): readonly string[] =>
      properties.map(({ name }) => name);
    const embedded = typeOf("EmbeddedPingRequest") as ObjectType;
    assert.deepEqual(names(embedded), ["method", "params"]);
    assert.deepEqual(typeOf("EmbeddedGoneNotification"), undefined);
    assert.equal(protocol.messages.length, 3);
  }));

const refused: readonly (readonly [name: string, definitions: object, message: RegExp])[] = [
  [
    "a member without a constant",
    { PingRequest: { type: "object" } },
    /^Found 2 faults:\nschema\.json:\d+:\d+ \/definitions\/ClientRequest\/anyOf\/0: Cannot read a message in "ClientRequest": it must have a constant name, or reference a definition that has one \[ERR_MESSAGE\]\nschema\.json:\d+:\d+ \/definitions\/ServerRequest\/anyOf\/0: .+\n$/,
  ],
  [
    "a missing member",
    { ClientRequest: { anyOf: [{ $ref: "#/$defs/PingRequest" }] } },
    /^schema\.json:\d+:\d+ \/definitions\/ClientRequest\/anyOf\/0\/\$ref: Cannot find the definition of "#\/\$defs\/PingRequest" \[ERR_REF\]\n$/,
  ],
  [
    "a request whose name does not follow the pattern",
    {
      ClientRequest: { anyOf: [{ $ref: "#/definitions/Asking" }] },
      Asking: { type: "object", properties: { method: constant("ask") } },
    },
    /^schema\.json:\d+:\d+ \/definitions\/Asking: Cannot find the result of "Asking": its name does not match \*Request \[ERR_MESSAGE\]\n$/,
  ],
  [
    "parameters named like a definition",
    { PingRequestParams: { type: "string" } },
    /^schema\.json:\d+:\d+ \/definitions\/PingRequestParams: Cannot name a part "PingRequestParams": the schema already has a definition with that name \[ERR_NAME_COLLISION\]\n {2}Rename that definition\n$/,
  ],
];

for (const [name, definitions, message] of refused)
  test(`an invalid schema is refused with the error's location: ${name}`, () =>
    withFolder((folder) => {
      const schema = { definitions: { ...small.definitions, ...definitions } };
      writeFiles(folder, { "schema.json": JSON.stringify(schema, null, 2) });
      const args = ["generate", "mcp", "--schema", "schema.json", "--out", "out"];
      const { status, stderr } = runCommand(folder, args);
      assert.match(stderr, message);
      assert.equal(status, 2);
    }));

suite("the published schemas are read", { skip: published }, () => {
  test("all versions of the published schema can be read unchanged", async () => {
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
      "diff",
      schemaOf("2025-06-18"),
      schemaOf("2025-11-25"),
      "--protocol",
      "mcp",
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^mcp 2025-06-18 → 2025-11-25 {3}\d+ breaking · /);
    assert.match(stdout, /CancelledNotificationParams\.requestId: required → optional/);
  });
});

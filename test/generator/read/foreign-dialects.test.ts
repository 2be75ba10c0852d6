/** Files that deviate from those of the bundled protocols: what cannot be described says so. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type InputError, readProtocol, type ReadOptions } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { readOrRefusal } from "../../support/refusal.js";
import { description } from "../../support/table-protocol.js";

const reference = (path: string): object => ({ $ref: `#/definitions/${path}` });
const inline = (method: string, params?: object): object => ({
  type: "object",
  properties: {
    id: { type: "integer" },
    method: { type: "string", enum: [method] },
    ...(params === undefined ? {} : { params }),
  },
  required: ["method", "params"],
});
const empty = { type: "object" };

/** Returns the protocol, or what the tool prints if it refuses the description. */
const readUnions = (definitions: object): Promise<Protocol | string> =>
  withFolder(async (folder) => {
    const messages = {
      by: "const",
      unions: { client: { requests: "ClientRequest" }, store: { events: "StoreEvent" } },
      results: {
        request: "*Request",
        result: "*Response",
        response: "*Wire",
        otherwise: "AnyResult",
      },
    };
    writeFiles(folder, {
      "protocol.json": JSON.stringify({ ...description, messages }),
      "types-1.0.0.json": JSON.stringify({ definitions: { AnyResult: {}, ...definitions } }),
    });
    return readOrRefusal(() => readProtocol(folder), folder);
  });

test("messages may be written inside a union, and are named by their constants", async () => {
  const protocol = await readUnions({
    ClientRequest: {
      oneOf: [
        inline("thread/start", reference("ThreadStartParams")),
        inline("thread/stop", reference("groups/ThreadStop")),
        inline("ping"),
      ],
    },
    StoreEvent: { oneOf: [inline("changed", reference("ChangedEvent"))] },
    ThreadStartParams: empty,
    ThreadStartResponse: empty,
    // The payload keeps its name, although the message would have the same one.
    ChangedEvent: empty,
    groups: { ThreadStop: empty },
  });
  if (typeof protocol === "string") return assert.fail(protocol);
  assert.deepEqual(
    protocol.messages.map(({ name, definition, payload, ...message }) => [
      name,
      definition,
      payload?.type,
      message.kind === "request" ? message.result?.type : undefined,
    ]),
    [
      [
        "thread/start",
        "ThreadStartRequest",
        named("ThreadStartParams"),
        named("ThreadStartResponse"),
      ],
      ["thread/stop", "ThreadStopRequest", named("ThreadStopRequestParams"), named("AnyResult")],
      ["ping", "PingRequest", undefined, named("AnyResult")],
      ["changed", "ChangedEvent2", named("ChangedEvent"), undefined],
    ],
  );
});

const named = (name: string): object => ({ kind: "reference", name });

test("a member of a union without a constant name is refused, as is an absent union", async () => {
  const location = "types-1.0.0.json:1:58 /definitions/ClientRequest/oneOf/0";
  assert.equal(
    await readUnions({ ClientRequest: { oneOf: [empty] }, StoreEvent: { oneOf: [] } }),
    `${location}: Cannot read a message in "ClientRequest": it must have a constant name, or reference a definition that has one [ERR_MESSAGE]`,
  );
  assert.equal(
    await readUnions({ ClientRequest: { oneOf: [inline("ping")] } }),
    'types-1.0.0.json:1:16 /definitions: Cannot find the union "StoreEvent" that the description names under "messages" [ERR_REF]',
  );
});

test("a definition that consists of others is a group, of which nothing is lost", async () => {
  const warnings: string[] = [];
  const read = (definitions: object): Promise<readonly string[]> =>
    withFolder(async (folder) => {
      const messages = { by: "table", requests: {}, events: {} };
      writeFiles(folder, {
        "protocol.json": JSON.stringify({ ...description, messages }),
        "types-1.0.0.json": JSON.stringify({ definitions }),
      });
      const onWarning = ({ message }: InputError): unknown => warnings.push(message);
      const protocol = await readProtocol(folder, { onWarning });
      return protocol.definitions.map(({ name }) => name);
    });
  const v2 = { Used: { type: "string" }, Unused: { type: "null" } };
  const uses = { type: "array", items: reference("v2/Used") };
  const names = await read({ Uses: uses, v2 });
  assert.deepEqual([names.slice(-3), warnings], [["Uses", "V2Used", "V2Unused"], []]);
  // Without references, they are keywords that the tool does not know.
  assert.deepEqual((await read({ Wrong: { propertes: empty } })).slice(-1), ["Wrong"]);
  assert.deepEqual(warnings, ['Ignored the unknown keyword "propertes"']);
});

const dialect = {
  version: { major: "1", minor: "0" },
  domains: [
    {
      domain: "Page",
      availability: ["web"],
      types: [
        {
          id: "Frame",
          type: "object",
          properties: [{ name: "url", type: "string", optinal: true }],
        },
      ],
      commands: [
        { name: "load", async: true, arguments: [{ name: "url", type: "string" }] },
        { name: "stop", arguments: [], targetTypes: ["page"] },
      ],
      events: [
        {
          name: "loaded",
          parameters: [{ name: "frames", type: "array", items: { $ref: "Frame", max: 1 } }],
        },
      ],
    },
  ],
};

const readDialect = (options: ReadOptions): Promise<Protocol> =>
  withFolder((folder) => {
    writeFiles(folder, { "page.json": JSON.stringify(dialect) });
    return readProtocol("cdp", { schema: join(folder, "page.json"), ...options });
  });

test("keys of a CDP dialect that are not read are reported once, with the nearest key", async () => {
  const warnings: unknown[] = [];
  await readDialect({
    onWarning: ({ message, place, hint }) => warnings.push([place.pointer, message, hint]),
  });
  const ignored = (key: string, part: string): string =>
    `Ignored the unknown key "${key}" of ${part}`;
  assert.deepEqual(warnings, [
    [
      "/domains/0/types/0/properties/0/optinal",
      ignored("optinal", "a property"),
      'Did you mean "optional"?',
    ],
    ["/domains/0/commands/0/arguments", ignored("arguments", "a command"), undefined],
    ["/domains/0/events/0/parameters/0/items/max", ignored("max", "an item"), undefined],
  ]);
  await assert.rejects(
    readDialect({ strictSchema: true }),
    (error: InputError) => error.code === "ERR_KEYWORD" && error.faults.length === 3,
  );
});

test("a file may contain one domain, whose parts name types in `type`, as those of WebKit do", async () => {
  const heap = {
    domain: "Heap",
    debuggableTypes: ["web-page"],
    types: [{ id: "Collection", type: "object", properties: [{ name: "start", type: "number" }] }],
    commands: [{ name: "preview", returns: [{ name: "result", type: "Runtime.Preview" }] }],
    events: [{ name: "collected", parameters: [{ name: "collection", type: "Collection" }] }],
  };
  const runtime = { domain: "Runtime", types: [{ id: "Preview", type: "string" }] };
  await withFolder(async (folder) => {
    writeFiles(folder, {
      "Heap.json": JSON.stringify(heap),
      "Runtime.json": JSON.stringify(runtime),
    });
    const [first, second] = ["Heap.json", "Runtime.json"].map((name) => join(folder, name));
    const { messages, definitions } = await readProtocol("cdp", { schema: [first!, second!] });
    assert.deepEqual(
      messages.map(({ kind, name }) => `${kind} ${name}`),
      ["request Heap.preview", "event Heap.collected"],
    );
    const { type } = definitions.find(({ name }) => name === "HeapCollectedParams")!;
    assert.deepEqual(type.kind === "object" && type.properties.map((each) => each.type), [
      named("HeapCollection"),
    ]);
    await assert.rejects(readProtocol("cdp", { schema: first! }), (error: InputError) => {
      assert.equal(error.message, 'Cannot find the type "Runtime.Preview"');
      assert.equal(error.place.pointer, "/commands/0/returns/0/type");
      return true;
    });
  });
});

/** The names in cases. */
const names = {
  on: { name: "on", type: "boolean" },
  rulers: { name: "rulers", type: "boolean" },
  show: (condition: string | undefined, ...parameters: readonly object[]) => ({
    name: "show",
    ...(condition === undefined ? {} : { condition }),
    parameters,
  }),
};

testCases("test/cases/webkit-commands.md", "WebKit's files are read", (input) =>
  withFolder(async (folder) => {
    const [commands] = readInput(input, names);
    writeFiles(folder, { "DOM.json": JSON.stringify({ domain: "DOM", types: [], commands }) });
    const read = (): Promise<Protocol> => readProtocol("cdp", { schema: join(folder, "DOM.json") });
    const protocol = await readOrRefusal(read, folder);
    if (typeof protocol === "string") return [protocol];
    const { type } = protocol.definitions.find(({ name }) => name === "DOMShowParams")!;
    assert.ok(type.kind === "object");
    return type.properties.map(({ name, required }) => `${name}${required ? "" : "?"}`);
  }),
);

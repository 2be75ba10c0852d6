import assert from "node:assert/strict";
import { test } from "node:test";
import { definitionsByName, eventsOf, readProtocol, requestsOf } from "../../../cli/index.js";
import type { Definition, Property } from "../../../generator/model/types.js";
import { fromRoot } from "../../support/paths.js";
import { dap, definitions, request } from "../../support/dap-model.js";

test("readProtocol() reads all parts of a request", () => {
  const { docs, ...rest } = request(dap, "goto");
  assert.match(docs!, /`supportsGotoTargetsRequest`/);
  assert.deepEqual(rest, {
    kind: "request",
    name: "goto",
    sender: "client",
    definition: "GotoRequest",
    responseDefinition: "GotoResponse",
    payload: { type: { kind: "reference", name: "GotoArguments" }, required: true },
    gate: { role: "adapter", capability: "supportsGotoTargetsRequest" },
    pointer: "/definitions/GotoRequest",
  });
});

test("readProtocol() finds the requests that the adapter sends", () => {
  assert.deepEqual(
    requestsOf(dap)
      .filter((each) => each.sender === "adapter")
      .map((each) => each.name),
    ["runInTerminal", "startDebugging"],
  );
  assert.equal(request(dap, "cancel").sender, "client");
  assert.deepEqual([...new Set(eventsOf(dap).map((each) => each.sender))], ["adapter"]);
});

test("readProtocol() follows references for argument types instead of deriving names", () => {
  const odd = requestsOf(dap).filter(
    (each) =>
      each.payload?.type.kind === "reference" &&
      each.payload.type.name !== each.definition.replace(/Request$/, "Arguments"),
  );
  assert.deepEqual(
    odd.map((each) => each.name),
    ["runInTerminal", "startDebugging", "initialize", "launch", "attach"],
  );
});

test("readProtocol() distinguishes required, optional and absent arguments", () => {
  const by = (wanted: boolean | undefined) =>
    requestsOf(dap)
      .filter((each) => each.payload?.required === wanted)
      .map((each) => each.name);
  assert.equal(by(true).length, 37);
  assert.deepEqual(by(false), [
    "cancel",
    "configurationDone",
    "restart",
    "disconnect",
    "terminate",
    "breakpointLocations",
    "loadedSources",
  ]);
  assert.deepEqual(by(undefined), ["threads"]);
});

test("readProtocol() distinguishes required, optional and absent bodies", () => {
  const by = (wanted: boolean | undefined) =>
    requestsOf(dap)
      .filter((each) => each.result?.required === wanted)
      .map((each) => each.name);
  assert.equal(by(true).length, 22);
  assert.deepEqual(by(false), [
    "initialize",
    "setExceptionBreakpoints",
    "readMemory",
    "writeMemory",
    "disassemble",
    "locations",
  ]);
  assert.equal(by(undefined).length, 17);
});

test("readProtocol() names inline bodies after their message and keeps the name of a referenced body", () => {
  assert.deepEqual(request(dap, "stackTrace").result, {
    type: { kind: "reference", name: "StackTraceResponseBody" },
    required: true,
  });
  assert.deepEqual(request(dap, "initialize").result, {
    type: { kind: "reference", name: "Capabilities" },
    required: false,
  });
  assert.ok(definitions.has("ErrorResponseBody"));
});

test("readProtocol() reads every definition that a message uses", () => {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const match of JSON.stringify(definitions.get(name)).matchAll(
      /"name":"(\w+)"|"bases":\["(\w+)"/g,
    )) {
      const target = match[1] ?? match[2]!;
      if (definitions.has(target)) visit(target);
    }
  };
  for (const message of dap.messages) {
    visit(message.definition);
    if (message.kind === "request") visit(message.responseDefinition!);
  }
  visit(dap.bases.error!);
  assert.deepEqual(
    dap.definitions.map((each) => each.name).filter((name) => !reached.has(name)),
    [],
  );
});

test("readProtocol() gives every DAP definition, property and message a description", () => {
  // The type of a payload has a description, and a literal says it all.
  const isClear = ({ name, type }: Property): boolean =>
    type.kind === "literal" || (["arguments", "body"].includes(name) && type.kind === "reference");
  const bare: string[] = [];
  for (const definition of dap.definitions) {
    if (definition.docs === undefined) bare.push(definition.name);
    if (definition.type.kind !== "object") continue;
    for (const each of definition.type.properties)
      if (each.docs === undefined && !isClear(each)) bare.push(`${definition.name}.${each.name}`);
  }
  assert.deepEqual(bare, []);
});

test("readProtocol() returns equal models if it reads a protocol twice", async () => {
  assert.deepEqual(await readProtocol("dap", { version: "1.71.0" }), dap);
});

test("readProtocol() derives wire messages from a table and an envelope", async () => {
  const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));
  assert.deepEqual(ticker.messages, [
    {
      kind: "request",
      name: "ticker/start",
      sender: "watcher",
      definition: "TickerStartRequest",
      responseDefinition: "TickerStartResponse",
      payload: { type: { kind: "reference", name: "StartParams" }, required: true },
      result: { type: { kind: "reference", name: "StartResult" }, required: true },
      docs: "Starts a ticker.",
      pointer: "/x-description/messages/requests/ticker~1start",
    },
    {
      kind: "request",
      name: "watcher/confirm",
      sender: "clock",
      definition: "WatcherConfirmRequest",
      responseDefinition: "WatcherConfirmResponse",
      payload: { type: { kind: "reference", name: "ConfirmParams" }, required: false },
      result: { type: { kind: "reference", name: "ConfirmResult" }, required: true },
      gate: { role: "watcher", capability: "confirms" },
      docs: "Asks the watcher whether to continue.",
      pointer: "/x-description/messages/requests/watcher~1confirm",
    },
    {
      kind: "event",
      name: "ticker/tick",
      sender: "clock",
      definition: "TickerTickNotification",
      payload: { type: { kind: "reference", name: "TickParams" }, required: true },
      docs: "Time has passed.",
      pointer: "/x-description/messages/events/ticker~1tick",
    },
  ]);
  const start = definitionsByName(ticker).get("TickerStartRequest") as Definition;
  assert.deepEqual(start.type, {
    kind: "object",
    bases: ["Request"],
    extras: "open",
    properties: [
      {
        name: "method",
        type: { kind: "literal", value: "ticker/start" },
        required: true,
        pointer: "",
      },
      {
        name: "params",
        type: { kind: "reference", name: "StartParams" },
        required: true,
        docs: "Parameters of the request.",
        pointer: "/x-description/messages/requests/ticker~1start/params",
      },
    ],
  });
});

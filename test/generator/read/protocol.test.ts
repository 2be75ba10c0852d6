import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  definitionsByName,
  eventsOf,
  flattenProperties,
  readProtocol,
  requestsOf,
  type Definition,
  type ObjectType,
  type Property,
  type Protocol,
} from "../../../generator/index.js";
import {
  bundledDap,
  dapSchema,
  newestDap,
  newestDapSchema,
  publishedDap,
} from "../../../tools/shared/dap-versions.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";

// What is counted below is what 1.71 holds.
const dap = await readProtocol("dap", { version: "1.71.0" });
const definitions = definitionsByName(dap);

function property(definition: string, name: string): Property {
  const type = definitions.get(definition)!.type as ObjectType;
  return flattenProperties(definitions, type).find((each) => each.name === name)!;
}

function request(protocol: Protocol, name: string) {
  return requestsOf(protocol).find((each) => each.name === name)!;
}

test("readProtocol() reads a request whole", () => {
  const { docs, ...rest } = request(dap, "goto");
  assert.match(docs!, /`supportsGotoTargetsRequest`/);
  assert.deepEqual(rest, {
    kind: "request",
    name: "goto",
    sender: "client",
    definition: "GotoRequest",
    responseDefinition: "GotoResponse",
    payload: { type: { kind: "reference", name: "GotoArguments" }, required: true },
    gate: { role: "adapter", flag: "supportsGotoTargetsRequest" },
    at: "/definitions/GotoRequest",
  });
});

test("readProtocol() knows which requests the adapter sends", () => {
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

test("readProtocol() tells required, optional and absent arguments apart", () => {
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

test("readProtocol() tells required, optional and absent bodies apart", () => {
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

test("readProtocol() names inline bodies after their message and keeps a referenced one", () => {
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

test("readProtocol() keeps the same words open in one place and closed in another", () => {
  const reason = (event: string) => property(`${event}Body`, "reason").type;
  const values = [{ value: "changed" }, { value: "new" }, { value: "removed" }];
  assert.deepEqual(reason("BreakpointEvent"), { kind: "enum", open: true, values });
  assert.deepEqual(reason("ModuleEvent"), {
    kind: "enum",
    open: false,
    values: [{ value: "new" }, { value: "changed" }, { value: "removed" }],
  });
});

test("readProtocol() counts 14 open and 18 closed enums with more than one value", () => {
  const enums = JSON.stringify(dap.definitions.map((definition) => definition.type)).match(
    /"kind":"enum","open":(true|false)/g,
  )!;
  assert.equal(enums.filter((each) => each.endsWith("true")).length, 14);
  assert.equal(enums.filter((each) => each.endsWith("false")).length, 18);
});

test("readProtocol() reads 8 properties of any type", () => {
  const any = dap.definitions
    .flatMap((definition) => (definition.type.kind === "object" ? definition.type.properties : []))
    .filter((each) => each.type.kind === "any");
  assert.equal(any.length, 8);
});

test("readProtocol() knows required and nullable from optional", () => {
  const { type, required } = property("DataBreakpointInfoResponseBody", "dataId");
  assert.deepEqual(
    { type, required },
    { type: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] }, required: true },
  );
});

test("readProtocol() keeps recursion as references", () => {
  assert.deepEqual(property("Source", "sources").type, {
    kind: "array",
    items: { kind: "reference", name: "Source" },
  });
  assert.deepEqual(property("ExceptionDetails", "innerException").type, {
    kind: "array",
    items: { kind: "reference", name: "ExceptionDetails" },
  });
});

test("readProtocol() flattens inheritance with own properties first and required ones added up", () => {
  const flat = flattenProperties(
    definitions,
    definitions.get("ThreadsRequest")!.type as ObjectType,
  );
  assert.deepEqual(
    flat.map((each) => [each.name, each.required, each.type.kind]),
    [
      ["seq", true, "integer"],
      ["type", true, "literal"],
      ["command", true, "literal"],
      ["arguments", false, "any"],
    ],
  );
});

test("readProtocol() takes gates, defaults and deprecation from description and text", () => {
  assert.deepEqual(request(dap, "setExceptionBreakpoints").gate, {
    role: "adapter",
    flag: "exceptionBreakpointFilters",
  });
  assert.deepEqual(eventsOf(dap).find((each) => each.name === "memory")!.gate, {
    role: "client",
    flag: "supportsMemoryEvent",
  });
  assert.equal(requestsOf(dap).filter((each) => each.gate !== undefined).length, 28);
  assert.deepEqual(property("SourceBreakpoint", "logMessage").gate, {
    role: "adapter",
    flag: "supportsLogPoints",
  });
  assert.equal(property("ContinueResponseBody", "allThreadsContinued").default, true);
  assert.equal(
    property("SetBreakpointsArguments", "lines").deprecated,
    "The lines of the breakpoints wanted; use `breakpoints`.",
  );
  const kind = property("VariablePresentationHint", "kind").type;
  assert.equal(
    kind.kind === "enum" && kind.values.find((each) => each.value === "dataBreakpoint")!.deprecated,
    "A data breakpoint is set on it; use the attribute `hasDataBreakpoint`.",
  );
});

test("readProtocol() reaches every definition from a message", () => {
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

test("readProtocol() gives every definition, property and message of DAP a description", () => {
  const bare: string[] = [];
  for (const definition of dap.definitions) {
    if (definition.docs === undefined) bare.push(definition.name);
    if (definition.type.kind !== "object") continue;
    for (const each of definition.type.properties)
      if (each.docs === undefined) bare.push(`${definition.name}.${each.name}`);
  }
  assert.deepEqual(bare, []);
});

test("readProtocol() gives two equal models for two readings", async () => {
  assert.deepEqual(await readProtocol("dap", { version: "1.71.0" }), dap);
});

test("readProtocol() finds the messages of each version", async () => {
  const counts: [string, number, number][] = [];
  for (const version of ["1.40.0", "1.51.0", "1.65.0", "1.70.0", "1.71.0"]) {
    const protocol = await readProtocol("dap", { version });
    assert.equal(protocol.version, version);
    counts.push([version, requestsOf(protocol).length, eventsOf(protocol).length]);
  }
  assert.deepEqual(counts, [
    ["1.40.0", 41, 15],
    ["1.51.0", 43, 17],
    ["1.65.0", 44, 17],
    ["1.70.0", 45, 17],
    ["1.71.0", 45, 17],
  ]);
});

test("readProtocol() does not gate an older version by flags that it does not have", async () => {
  const old = await readProtocol("dap", { version: "1.40.0" });
  const flags = new Map(
    old.capabilities.map(({ role, definition }) => [
      role,
      JSON.stringify(definitionsByName(old).get(definition)),
    ]),
  );
  const gates = old.messages.flatMap(({ gate }) => gate ?? []);
  assert.notDeepEqual(gates, []);
  assert.deepEqual(
    gates.filter(({ role, flag }) => !flags.get(role)!.includes(`"${flag}"`)),
    [],
  );
});

test("readProtocol() builds wire messages from a table and an envelope", async () => {
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
    },
    {
      kind: "request",
      name: "watcher/confirm",
      sender: "clock",
      definition: "WatcherConfirmRequest",
      responseDefinition: "WatcherConfirmResponse",
      payload: { type: { kind: "reference", name: "ConfirmParams" }, required: false },
      result: { type: { kind: "reference", name: "ConfirmResult" }, required: true },
      gate: { role: "watcher", flag: "confirms" },
      docs: "Asks the watcher whether to go on.",
    },
    {
      kind: "event",
      name: "ticker/tick",
      sender: "clock",
      definition: "TickerTickNotification",
      payload: { type: { kind: "reference", name: "TickParams" }, required: true },
      docs: "Time has passed.",
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
        docs: "Always `ticker/start`.",
        at: "",
      },
      {
        name: "params",
        type: { kind: "reference", name: "StartParams" },
        required: true,
        docs: "Parameters of the request.",
        at: "",
      },
    ],
  });
});

test("readProtocol() reads every version of DAP", async () => {
  assert.ok(bundledDap.length >= 58);
  for (const version of bundledDap) {
    const protocol = await readProtocol("dap", publishedDap(version).source);
    assert.equal(protocol.version, version);
    assert.ok(protocol.messages.length > 30);
  }
});

describe("the published DAP schemas", { skip: skipWithout("schemas/dap") }, () => {
  for (const version of bundledDap) {
    test(`the bundled DAP ${version} is structurally the published one`, () => {
      const load = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
      const ours = structure(dapSchema(version), "");
      assert.deepEqual(ours, structure(load(shared(`schemas/dap/${version}.json`)!), ""));
      assert.equal(
        JSON.stringify(ours),
        JSON.stringify(structure(load(shared(`schemas/dap/${version}.json`)!), "")),
        "the order of keys differs",
      );
    });
  }

  test("the newest bundled DAP describes in words of its own", () => {
    const texts = (path: string): string[] =>
      [...readFileSync(path, "utf8").matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(
        (match) => match[1]!,
      );
    const theirs = new Set(texts(shared(`schemas/dap/${newestDap}.json`)!));
    const ours = texts(newestDapSchema);
    assert.ok(ours.length > 500 && theirs.size > 500, `${ours.length}, ${theirs.size} texts`);
    const same = ours.filter((text) => theirs.has(text) && text.split(" ").length > 6);
    assert.deepEqual(same, []);
  });
});

/** A schema without its texts; where they stood among the other keywords does not matter. */
function structure(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => structure(item, key));
  if (typeof value !== "object" || value === null) return value;
  const isText = (name: string): boolean =>
    (name === "description" || name === "enumDescriptions") &&
    key !== "properties" &&
    key !== "definitions";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isText(name))
      .map(([name, child]) => [
        name,
        structure(child, key === "properties" || key === "definitions" ? "" : name),
      ]),
  );
}

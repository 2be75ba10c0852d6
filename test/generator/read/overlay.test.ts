import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { definitionsByName, generate, readProtocol } from "../../../generator/index.js";
import { compile, withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { refusalOf } from "../../support/refusal.js";

const vendor = {
  definitions: {
    MapPathRequest: {
      allOf: [
        { $ref: "#/definitions/Request" },
        {
          type: "object",
          description: "Asks the client for a local path.",
          properties: {
            command: { type: "string", enum: ["vendor/mapPath"] },
            arguments: { $ref: "#/definitions/MapPathArguments" },
          },
          required: ["command", "arguments"],
        },
      ],
    },
    MapPathArguments: {
      type: "object",
      description: "What to map.",
      properties: { path: { type: "string" } },
      required: ["path"],
    },
    MapPathResponse: {
      allOf: [
        { $ref: "#/definitions/Response" },
        {
          type: "object",
          properties: { body: { type: "object", properties: { local: { type: "string" } } } },
          required: ["body"],
        },
      ],
    },
    HeatEvent: {
      allOf: [
        { $ref: "#/definitions/Event" },
        {
          type: "object",
          properties: {
            event: { type: "string", enum: ["vendor/heat"] },
            body: { type: "object", properties: { celsius: { type: "number" } } },
          },
          required: ["event", "body"],
        },
      ],
    },
    Capabilities: {
      properties: { supportsHeat: { type: "boolean", description: "Reports its heat." } },
    },
    InitializeRequestArguments: { properties: { supportsMapPath: { type: "boolean" } } },
    OutputEvent: {
      allOf: [
        { $ref: "#/definitions/Event" },
        {
          properties: {
            body: { properties: { stream: { type: "integer" } }, required: ["stream"] },
          },
        },
      ],
    },
    StackFrame: { properties: { presentationHint: { enum: ["deemphasize"] } } },
    BreakpointModeApplicability: {
      _enum: ["vendor"],
      enumDescriptions: ["Breakpoints of the vendor."],
    },
  },
  directions: { exceptions: { "vendor/mapPath": "adapter" } },
  gates: { messages: { "vendor/mapPath": "client.supportsMapPath" }, properties: {} },
  defaults: { "MapPathArguments/path": "." },
};

async function withOverlay<Result>(
  overlays: readonly unknown[],
  use: (paths: string[]) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (folder) => {
    writeFiles(
      folder,
      Object.fromEntries(
        overlays.map((overlay, index) => [
          `overlay-${index}.json`,
          JSON.stringify(overlay, null, 2),
        ]),
      ),
    );
    return use(overlays.map((_, index) => join(folder, `overlay-${index}.json`)));
  });
}

async function report(overlay: unknown, protocol = "dap"): Promise<string> {
  return withOverlay([overlay], async (overlays) => {
    const refusal = await refusalOf(() => readProtocol(protocol, { overlays }));
    return refusal.replace(/^.*overlay-0\.json/, "overlay").split("\n")[0]!;
  });
}

test("an overlay adds messages, properties, values, gates and defaults to the model", async () => {
  const protocol = await withOverlay([vendor], (overlays) => readProtocol("dap", { overlays }));
  const added = protocol.messages.filter((message) => message.name.startsWith("vendor/"));
  assert.deepEqual(added, [
    {
      kind: "request",
      name: "vendor/mapPath",
      sender: "adapter",
      definition: "MapPathRequest",
      responseDefinition: "MapPathResponse",
      payload: { type: { kind: "reference", name: "MapPathArguments" }, required: true },
      result: { type: { kind: "reference", name: "MapPathResponseBody" }, required: true },
      gate: { role: "client", flag: "supportsMapPath" },
      docs: "Asks the client for a local path.",
      at: "/definitions/MapPathRequest",
    },
    {
      kind: "event",
      name: "vendor/heat",
      sender: "adapter",
      definition: "HeatEvent",
      payload: { type: { kind: "reference", name: "HeatEventBody" }, required: true },
      at: "/definitions/HeatEvent",
    },
  ]);
  const definitions = definitionsByName(protocol);
  const names = (definition: string): string[] => {
    const { type } = definitions.get(definition)!;
    return type.kind === "object" ? type.properties.map((property) => property.name) : [];
  };
  assert.equal(names("Capabilities").at(-1), "supportsHeat");
  assert.equal(names("OutputEventBody").at(-1), "stream");
  const mode = definitions.get("BreakpointModeApplicability")!.type;
  assert.deepEqual(mode.kind === "enum" && mode.values.at(-1), {
    value: "vendor",
    docs: "Breakpoints of the vendor.",
  });
});

test("an overlay reaches types, guards and maps", async () => {
  await withOverlay([vendor], async (overlays) =>
    withFolder(async (folder) => {
      writeFiles(folder, (await generate("dap", { overlays })).files);
      writeFiles(folder, {
        "use.ts": `import { isEvent, isMapPathRequest, requests, supports, type AdapterToClient, type ParametersOf } from "./index.js";
declare const message: AdapterToClient;
if (isEvent(message, "vendor/heat")) { const heat: number | undefined = message.body.celsius; void heat; }
if (isMapPathRequest(message)) { const path: string = message.arguments.path; void path; }
const flag: "supportsMapPath" = requests["vendor/mapPath"].capability;
const allowed: boolean = supports({ adapterID: "x", supportsMapPath: true }, "vendor/mapPath");
const parameters: ParametersOf<"vendor/mapPath"> = [{ path: "/a" }];
void [flag, allowed, parameters];
`,
      });
      assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
    }),
  );
});

test("several overlays are merged in order", async () => {
  const more = {
    definitions: { Capabilities: { properties: { supportsCold: { type: "boolean" } } } },
  };
  const protocol = await withOverlay([vendor, more], (overlays) =>
    readProtocol("dap", { overlays }),
  );
  const { type } = definitionsByName(protocol).get("Capabilities")!;
  assert.deepEqual(
    type.kind === "object" && type.properties.slice(-2).map((property) => property.name),
    ["supportsHeat", "supportsCold"],
  );
});

test("an overlay of a protocol with a message table lists its messages", async () => {
  const overlay = {
    definitions: { StopParams: { type: "object", properties: { tickerId: { type: "string" } } } },
    messages: { requests: { "ticker/stop": { docs: "Stops it.", params: "StopParams" } } },
  };
  const protocol = await withOverlay([overlay], (overlays) =>
    readProtocol(fromRoot("test/fixtures/ticker"), { overlays }),
  );
  assert.ok(
    protocol.messages.some(
      (message) => message.name === "ticker/stop" && message.sender === "watcher",
    ),
  );
});

for (const [name, overlay, want] of [
  [
    "changes a type",
    { definitions: { Thread: { properties: { id: { type: "string" } } } } },
    'overlay:6:19 /definitions/Thread/properties/id/type: Cannot set "string": the schema already says otherwise at /definitions/Thread/properties/id/type [ERR_OVERLAY_CLASH]',
  ],
  [
    "changes a text",
    { definitions: { Thread: { description: "Mine" } } },
    'overlay:4:22 /definitions/Thread/description: Cannot set "Mine": the schema already says otherwise at /definitions/Thread/description [ERR_OVERLAY_CLASH]',
  ],
  [
    "requires what was optional",
    { definitions: { Source: { required: ["name"] } } },
    'overlay:4:19 /definitions/Source/required: Cannot require "name": the schema already says otherwise at /definitions/Source/required [ERR_OVERLAY_CLASH]',
  ],
  [
    "requires what is no name",
    { definitions: { Source: { required: [{ toString: {} }] } } },
    'overlay:4:19 /definitions/Source/required: Cannot require {"toString":{}}: the schema already says otherwise at /definitions/Source/required [ERR_OVERLAY_CLASH]',
  ],
  [
    "gives a message a second name",
    {
      definitions: {
        NextRequest: {
          allOf: [
            { $ref: "#/definitions/Request" },
            { properties: { command: { enum: ["step"] } } },
          ],
        },
      },
    },
    "overlay:11:23 /definitions/NextRequest/allOf/1/properties/command/enum: Cannot add values to a fixed one: the schema already says otherwise at /definitions/NextRequest/allOf/1/properties/command/enum [ERR_OVERLAY_CLASH]",
  ],
  [
    "refers to nothing",
    {
      definitions: {
        Mine: { type: "object", properties: { a: { $ref: "#/definitions/Nothing" } } },
      },
    },
    'overlay:7:19 /definitions/Mine/properties/a/$ref: Cannot find the definition of "#/definitions/Nothing" [ERR_REF]',
  ],
  [
    "refers to nothing from an added property",
    { definitions: { Thread: { properties: { a: { $ref: "#/definitions/Nothing" } } } } },
    'overlay:6:19 /definitions/Thread/properties/a/$ref: Cannot find the definition of "#/definitions/Nothing" [ERR_REF]',
  ],
  [
    "takes a name that is in use",
    {
      definitions: {
        MineRequest: {
          allOf: [
            { $ref: "#/definitions/Request" },
            { type: "object", properties: { command: { type: "string", enum: ["next"] } } },
          ],
        },
        MineResponse: { allOf: [{ $ref: "#/definitions/Response" }, { type: "object" }] },
      },
    },
    'overlay:3:20 /definitions/MineRequest: Cannot use "MineRequest": "NextRequest" is already the request "next" [ERR_DUPLICATE_MESSAGE]',
  ],
  [
    "has a request without a response",
    {
      definitions: {
        MineRequest: {
          allOf: [
            { $ref: "#/definitions/Request" },
            { type: "object", properties: { command: { type: "string", enum: ["mine"] } } },
          ],
        },
      },
    },
    'overlay:3:20 /definitions/MineRequest: Cannot find the response to "MineRequest" [ERR_MESSAGE]',
  ],
  [
    "has a message without a name",
    {
      definitions: { MineEvent: { allOf: [{ $ref: "#/definitions/Event" }, { type: "object" }] } },
    },
    'overlay:3:18 /definitions/MineEvent: Cannot tell the name of the message "MineEvent": its "event" has no single value [ERR_MESSAGE]',
  ],
  [
    "turns a direction round",
    { directions: { exceptions: { runInTerminal: "client" } } },
    'overlay:4:24 /directions/exceptions/runInTerminal: Cannot set "runInTerminal": the protocol description already says otherwise [ERR_OVERLAY_CLASH]',
  ],
  [
    "lists messages where the schema defines them",
    { messages: { requests: {} } },
    "overlay:2:15 /messages: Cannot list messages: this protocol finds them in its schema [ERR_OVERLAY_CLASH]",
  ],
  [
    "has an unknown key",
    { definition: {} },
    'overlay:2:17 /definition: Cannot use the unknown key "definition" [ERR_DESCRIPTION]',
  ],
  [
    "has keys that mean something to JavaScript",
    JSON.parse(
      '{"definitions": {"Thread": {"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}}}}',
    ),
    "accepted",
  ],
] as const) {
  test(`an overlay that ${name}`, async () => {
    assert.equal(await report(overlay), want);
    assert.equal(({} as { type?: string }).type, undefined);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { definitionsByName, generate, readProtocol } from "../../../cli/index.js";
import { compile, withProject, writeFiles } from "../../support/compile.js";
import { fromRoot, readJson } from "../../support/paths.js";
import { withOverlay } from "../../support/written-overlays.js";

const vendor = readJson("test/fixtures/overlays/vendor.json");

test("an overlay adds messages, properties, values, required capabilities and defaults to the model", async () => {
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
      gate: { role: "client", capability: "supportsMapPath" },
      docs: "Asks the client for a local path.",
      pointer: "/definitions/MapPathRequest",
    },
    {
      kind: "event",
      name: "vendor/heat",
      sender: "adapter",
      definition: "HeatEvent",
      payload: { type: { kind: "reference", name: "HeatEventBody" }, required: true },
      pointer: "/definitions/HeatEvent",
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

test("the parts added by an overlay appear in types, guards and maps", async () => {
  await withOverlay([vendor], async (overlays) =>
    withProject(async (folder) => {
      writeFiles(folder, (await generate("dap", { overlays, packageName: "x" })).files);
      writeFiles(folder, {
        "use.ts": `import { isEvent, isMapPathRequest, requests, supports, type AdapterToClient, type ParametersOf } from "./index.js";
declare const message: AdapterToClient;
if (isEvent(message, "vendor/heat")) { const heat: number | undefined = message.body.celsius; void heat; }
if (isMapPathRequest(message)) { const path: string = message.arguments.path; void path; }
const capability: "supportsMapPath" = requests["vendor/mapPath"].capability;
const allowed: boolean = supports({ adapterID: "x", supportsMapPath: true }, "vendor/mapPath");
const parameters: ParametersOf<"vendor/mapPath"> = [{ path: "/a" }];
void [capability, allowed, parameters];
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

test("an overlay for a protocol with a message table lists messages of its own", async () => {
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

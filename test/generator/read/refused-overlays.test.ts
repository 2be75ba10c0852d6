import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { refusalOf } from "../../support/refusal.js";
import { withOverlay } from "../../support/written-overlays.js";

async function report(overlay: unknown, protocol = "dap"): Promise<string> {
  return withOverlay([overlay], async (overlays) => {
    const refusal = await refusalOf(() => readProtocol(protocol, { overlays }));
    return refusal.replace(/^.*overlay-0\.json/, "overlay").split("\n")[0]!;
  });
}

for (const [name, overlay, want] of [
  [
    "changes a type",
    { definitions: { Thread: { properties: { id: { type: "string" } } } } },
    'overlay:6:19 /definitions/Thread/properties/id/type: Cannot set "string": the schema already has another value at /definitions/Thread/properties/id/type [ERR_OVERLAY_CLASH]',
  ],
  [
    "changes a text",
    { definitions: { Thread: { description: "Mine" } } },
    'overlay:4:22 /definitions/Thread/description: Cannot set "Mine": the schema already has another value at /definitions/Thread/description [ERR_OVERLAY_CLASH]',
  ],
  [
    "requires a property that was optional",
    { definitions: { Source: { required: ["name"] } } },
    'overlay:4:19 /definitions/Source/required: Cannot require "name": the schema already has another value at /definitions/Source/required [ERR_OVERLAY_CLASH]',
  ],
  [
    "adds a condition",
    { definitions: { Thread: { additionalProperties: false } } },
    'overlay:4:31 /definitions/Thread/additionalProperties: Cannot add "additionalProperties": values that the schema accepts could become invalid [ERR_OVERLAY_CLASH]',
  ],
  [
    "requires a property of another schema",
    {
      definitions: {
        ModulesResponse: {
          allOf: [
            { $ref: "#/definitions/Response" },
            { properties: { note: {}, body: { required: ["note"] } } },
          ],
        },
      },
    },
    'overlay:12:27 /definitions/ModulesResponse/allOf/1/properties/body/required: Cannot require "note": the schema already has another value at /definitions/ModulesResponse/allOf/1/properties/body/required [ERR_OVERLAY_CLASH]',
  ],
  [
    "requires a value that is not a name",
    { definitions: { Source: { required: [{ toString: {} }] } } },
    'overlay:4:19 /definitions/Source/required: Cannot require {"toString":{}}: the schema already has another value at /definitions/Source/required [ERR_OVERLAY_CLASH]',
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
    "overlay:11:23 /definitions/NextRequest/allOf/1/properties/command/enum: Cannot add values to a constant: the schema already has another value at /definitions/NextRequest/allOf/1/properties/command/enum [ERR_OVERLAY_CLASH]",
  ],
  [
    "has a dangling reference",
    {
      definitions: {
        Mine: { type: "object", properties: { a: { $ref: "#/definitions/Nothing" } } },
      },
    },
    'overlay:7:19 /definitions/Mine/properties/a/$ref: Cannot find the definition of "#/definitions/Nothing" [ERR_REF]',
  ],
  [
    "has a dangling reference in an added property",
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
    'overlay:3:18 /definitions/MineEvent: Cannot determine the name of the message "MineEvent": its "event" does not have a single value [ERR_MESSAGE]',
  ],
  [
    "reverses a direction",
    { directions: { exceptions: { runInTerminal: "client" } } },
    'overlay:4:24 /directions/exceptions/runInTerminal: Cannot set "runInTerminal": the protocol description already has another value [ERR_OVERLAY_CLASH]',
  ],
  [
    "lists messages where the schema defines them",
    { messages: { requests: {} } },
    "overlay:2:15 /messages: Cannot list messages: the messages of this protocol come from its schema [ERR_OVERLAY_CLASH]",
  ],
  [
    "has an unknown key",
    { definition: {} },
    'overlay:2:17 /definition: Cannot use the unknown key "definition" [ERR_DESCRIPTION]',
  ],
  [
    "has keys that have a meaning in JavaScript",
    JSON.parse(
      '{"definitions": {"Thread": {"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}}}}',
    ),
    "accepted",
  ],
] as const) {
  test(`an overlay is refused if it ${name}`, async () => {
    assert.equal(await report(overlay), want);
    assert.equal(({} as { type?: string }).type, undefined);
  });
}

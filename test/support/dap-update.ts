import { readFileSync } from "node:fs";
import type { Json } from "../../generator/model/types.js";
import { newestDap, newestDapSchema } from "./dap-versions.js";

export interface Schema {
  [keyword: string]: Json | Schema;
}

export const [major, minor] = newestDap.split(".").map(Number) as [number, number];

export const next = `${major}.${minor + 1}.0`;

export const currentText = readFileSync(newestDapSchema, "utf8");

/**
 * Creates a schema that resembles a published one. Its descriptions differ from ours, and `add` may
 * add parts to it.
 */
export function publish(
  change: (definitions: Record<string, Json>) => void = () => undefined,
): string {
  const text = currentText.replaceAll(
    /"description": "(?:[^"\\]|\\.)*"/g,
    '"description": "Words of somebody else."',
  );
  const schema = JSON.parse(text) as { definitions: Record<string, Json> };
  change(schema.definitions);
  return JSON.stringify(schema);
}

/**
 * Adds a request with a capability, a reverse request, an event, a property with a default, and an
 * enum value.
 */
export function add(definitions: Record<string, Json>): void {
  const message = (base: string, description: string, properties: Json): Json => ({
    allOf: [
      { $ref: `#/definitions/${base}` },
      { type: "object", description, properties, required: Object.keys(properties as object) },
    ],
  });
  definitions["XyzzyRequest"] = message(
    "Request",
    "Xyzzys.\nClients should only call this request if the corresponding capability `supportsXyzzy` is true.",
    {
      command: { type: "string", enum: ["xyzzy"] },
      arguments: { $ref: "#/definitions/XyzzyArguments" },
    },
  );
  definitions["XyzzyArguments"] = {
    type: "object",
    description: "Arguments for `xyzzy` request.",
    properties: {
      depth: { type: "integer", description: "How deep to look. Defaults to 3." },
      colour: { type: "string", description: "The default is `red`." },
    },
  };
  definitions["XyzzyResponse"] = {
    allOf: [
      { $ref: "#/definitions/Response" },
      {
        type: "object",
        description:
          "Response to `xyzzy` request. This is just an acknowledgement, so no body field is required.",
      },
    ],
  };
  definitions["PlughRequest"] = message(
    "Request",
    "This request is sent from the debug adapter to the client to make it plugh.",
    { command: { type: "string", enum: ["plugh"] } },
  );
  definitions["PlughResponse"] = message("Response", "Response to `plugh` request.", {
    body: { type: "object", properties: { times: { type: "integer", description: "How often." } } },
  });
  const propertiesOf = (name: string): Record<string, Json> =>
    (definitions[name] as { properties: Record<string, Json> }).properties;
  const flag: Json = { type: "boolean", description: "The adapter supports it." };
  Object.assign(propertiesOf("Capabilities"), { supportsXyzzy: flag, supportsMystery: flag });
  Object.assign(propertiesOf("ScopesArguments"), {
    deep: { type: "boolean", description: "Only if `supportsXyzzy` is true." },
  });
  const group = definitions["OutputEvent"] as { allOf: [Json, { properties: { body: Schema } }] };
  const { group: values } = group.allOf[1].properties.body["properties"] as {
    group: { enum: string[]; enumDescriptions: string[] };
  };
  values.enum.push("sideways");
  values.enumDescriptions.push("Starts a group at the side.");
}

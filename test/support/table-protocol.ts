import { writeFiles } from "./compile.js";

/** Part of a description or a schema. */
export interface Part {
  readonly [key: string]: unknown;
}

export const object = (properties: Part, required: readonly string[] = []): Part => ({
  type: "object",
  properties,
  required,
});

/** The definitions in the schema that belongs to `description`. */
export const types: Part = {
  GetParams: object({ key: { type: "string", maxLength: 100 } }, ["key"]),
  GetResult: object({ value: { type: "string" } }, ["value"]),
  Log: object({ text: { type: "string" } }, ["text"]),
  Changed: object({ key: { type: "string" }, revision: { type: "integer" } }, ["key"]),
  StoreError: object({ code: { type: "integer" }, message: { type: "string" } }, ["code"]),
};

/** The messages listed in `description`. */
export const messages = {
  by: "table",
  error: "StoreError",
  requests: {
    "store/get": { docs: "Reads a value.", params: "GetParams", result: "GetResult" },
  } as Part,
  events: {
    "store/log": { docs: "A text for people.", params: "Log" },
    "store/changed": { docs: "A key was changed.", params: "Changed" },
  } as Part,
};

/**
 * The description of a JSON-RPC protocol with one version, whose messages are listed in a table.
 */
export const description = {
  name: "store",
  title: "Store protocol",
  package: "store-protocol",
  roles: ["client", "store"],
  schema: {
    format: "json-schema",
    current: "1.0.0",
    versions: { "1.0.0": "types-1.0.0.json" },
  },
  messages,
  directions: { requests: "client", events: "store" },
  envelope: {
    constants: { jsonrpc: "2.0" },
    id: "id",
    replyTo: "id",
    request: { when: { method: true, id: true }, name: "method", payload: "params" },
    event: { when: { method: true, id: false }, name: "method", payload: "params" },
    response: { when: { method: false, id: true }, result: "result", error: "error" },
  },
  framing: { client: "content-length", store: "content-length" },
};

/** The protocol in `description`, with two versions. */
export const twoVersions = {
  ...description,
  schema: {
    format: "json-schema",
    current: "2.0.0",
    versions: { "1.0.0": "types-1.0.0.json", "2.0.0": "types-2.0.0.json" },
  },
};

/** Writes a description and the schemas of its versions. */
export function writeProtocol(
  folder: string,
  described: unknown,
  versions: Readonly<Record<string, Part>> = { "1.0.0": types },
): void {
  writeFiles(folder, {
    "protocol.json": JSON.stringify(described, null, 1),
    ...Object.fromEntries(
      Object.entries(versions).map(([version, definitions]) => [
        `types-${version}.json`,
        JSON.stringify({ definitions }, null, 1),
      ]),
    ),
  });
}

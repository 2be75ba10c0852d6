import { readFileSync } from "node:fs";
import { earlierSchema, type SchemaHistory } from "../../generator/read/schema/schema-history.js";
import { readJsonText, type JsonObject } from "../../generator/read/source/json-text.js";
import { fromRoot, shared, readJson } from "./paths.js";

const { schema } = readJson("schema/dap/protocol.json") as {
  schema: { current: string; versions: Readonly<Record<string, string>> };
};

/** DAP's `history.json`, as text and as data. */
export const historyText: string = readFileSync(fromRoot("schema/dap/history.json"), "utf8");
export const dapHistory: SchemaHistory = JSON.parse(historyText) as SchemaHistory;

/**
 * The newest bundled version of DAP. Tests that count a version's contents use a fixed version
 * instead.
 */
export const newestDap: string = schema.current;

/** All bundled versions of DAP, oldest first. */
export const bundledDap: readonly string[] = [
  ...Object.keys(dapHistory.earlier).reverse(),
  newestDap,
];

/** The schema of the newest bundled version. */
export const newestDapSchema: string = fromRoot(`schema/dap/${schema.versions[newestDap]}`);

/** Returns the schema of a bundled version as text. */
export function dapSchemaText(version: string): string {
  return `${JSON.stringify(dapSchema(version), null, 2)}\n`;
}

/** Returns the schema of a bundled version. */
export function dapSchema(version: string): JsonObject {
  const newest = JSON.parse(readFileSync(newestDapSchema, "utf8")) as JsonObject;
  const file = readJsonText(historyText, "history.json");
  return version === newestDap ? newest : earlierSchema(newest, dapHistory, version, file);
}

/**
 * Returns the published form of a version if it is available, and the bundled form otherwise. The
 * two differ only in their descriptions.
 */
export function publishedDap(version: string): {
  readonly schema: JsonObject;
  /** The source to pass to `generate` and `readProtocol`. */
  readonly source: { readonly schema: string } | { readonly version: string };
} {
  const path = shared(`schemas/dap/${version}.json`);
  return path === undefined
    ? { schema: dapSchema(version), source: { version } }
    : {
        schema: JSON.parse(readFileSync(path, "utf8")) as JsonObject,
        source: { schema: path },
      };
}

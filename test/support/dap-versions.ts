import { readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";

const { schema } = JSON.parse(readFileSync(fromRoot("schema/dap/protocol.json"), "utf8")) as {
  schema: { current: string; versions: Readonly<Record<string, string>> };
};

/** The newest bundled version of DAP. A test that counts what a version holds names its version instead. */
export const newestDap: string = schema.current;

/** All bundled versions of DAP, the oldest first. */
export const bundledDap: readonly string[] = Object.keys(schema.versions);

/** The schema of the newest one. */
export const newestDapSchema: string = fromRoot(`schema/dap/${schema.versions[newestDap]}`);

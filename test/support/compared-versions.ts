import type { ProtocolDiff } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { schemaWith, type PayloadCase, type Schema } from "./elementary-changes.js";
import { openProtocolSource } from "../../generator/read/protocol-source.js";
import { fromRoot } from "./paths.js";

export const reader = "adapter";

export async function version(
  payload: Schema,
  definitions: Schema = {},
  name = "1.0.0",
): Promise<Protocol> {
  const schema = schemaWith({ schema: payload } satisfies PayloadCase, reader);
  const all = { ...(schema["definitions"] as Schema), ...definitions };
  return { ...(await readSchema({ ...schema, definitions: all })), version: name };
}

export function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export function lines(diff: ProtocolDiff): readonly string[] {
  return diff.findings.map(({ rule, at, severity }) => `${severity} ${rule} ${at}`);
}

const description = fromRoot("test/fixtures/elementary");

/** Reads a test's schema as a model. */
export async function readSchema(schema: Schema): Promise<Protocol> {
  const { protocol } = await openProtocolSource("-", description, {
    readStdin: () => Promise.resolve(JSON.stringify(schema)),
  });
  return protocol;
}

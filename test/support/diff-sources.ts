import { openProtocolSource } from "../../generator/read/protocol-source.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Schema } from "./elementary-changes.js";
import { fromRoot } from "./paths.js";

const description = fromRoot("test/fixtures/elementary");

/** Reads a test's schema as a model. */
export async function readSchema(schema: Schema): Promise<Protocol> {
  const { protocol } = await openProtocolSource("-", description, {
    readStdin: () => Promise.resolve(JSON.stringify(schema)),
  });
  return protocol;
}

import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import * as sdk from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { publishedSchemas } from "./bundled-protocols.js";
import { fromRoot, shared, skipWithout, inPeers } from "./paths.js";

/** The schemas of a bundled protocol that comes without schemas. */
export interface OutsideSchemas {
  readonly files: readonly string[];
  /** The reason for skipping a test that requires the schemas, or false if they are available. */
  readonly skip: string | false;
}

/**
 * Finds a protocol's published schemas, or substitutes for them. Most substitutes come from npm
 * packages by the protocol's authors.
 */
export function outsideSchemas(protocol: string): OutsideSchemas {
  const published = publishedSchemas[protocol] ?? [];
  const missing = published.map(skipWithout).find((each) => each !== false) ?? false;
  if (missing === false) return { files: published.map((path) => shared(path)!), skip: false };
  const files = substitutes[protocol]!();
  return { files, skip: files.every((path) => existsSync(path)) ? false : missing };
}

const substitutes: Readonly<Record<string, () => readonly string[]>> = {
  cdp: () =>
    ["browser", "js"].map((name) => inPeers(`devtools-protocol/json/${name}_protocol.json`)),
  // No npm package contains the meta model. This substitute is our own and covers the messages that
  // the tests exchange.
  lsp: () => [fromRoot("test/fixtures/lsp/metaModel.json")],
  mcp: () => [writeSdkSchema()],
};

/** Writes the MCP SDK's Zod schemas as a single JSON Schema and returns its path. */
function writeSdkSchema(): string {
  const named = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(sdk))
    if (name.endsWith("Schema") && value instanceof z.core.$ZodType)
      named.add(value, { id: name.slice(0, -"Schema".length) });
  const { schemas } = z.toJSONSchema(named, {
    uri: (id) => `#/definitions/${id}`,
    unrepresentable: "any",
    // The schemas describe the output of validation and forbid additional properties. Allow them,
    // because later versions add properties.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const definitions = Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
  const folder = fromRoot("build/test/schemas/mcp");
  const path = `${folder}/${sdk.LATEST_PROTOCOL_VERSION}.json`;
  const written = `${path}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(written, JSON.stringify({ definitions }, null, 2));
  renameSync(written, path);
  return path;
}

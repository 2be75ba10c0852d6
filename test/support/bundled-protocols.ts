import { bundledProtocols } from "../../cli/index.js";

/** Published schemas for bundled protocols that come without a schema, as paths in `../shared`. */
export const publishedSchemas: Readonly<Record<string, readonly string[]>> = {
  cdp: ["schemas/cdp/browser_protocol.json", "schemas/cdp/js_protocol.json"],
  lsp: ["schemas/lsp/metaModel.json"],
  mcp: ["schemas/mcp/2025-11-25.json"],
};

/** The bundled protocols that can be generated without a schema from the user. */
export const completeProtocols: readonly string[] = bundledProtocols().filter(
  (name) => publishedSchemas[name] === undefined,
);

import { readFileSync } from "node:fs";
import { bundledDescriptionPath, bundledProtocols } from "../../generator/base/bundled.js";
import type { JsonProtocol } from "../read/captured-sessions.js";

/** The framing defined in a bundled protocol's description. */
export interface BundledFraming {
  /** The protocol's version, or `custom` if it depends on the schema. */
  readonly version: string;
  readonly roles: readonly [string, string];
  /** The information required for decoding. Undefined if it depends on the schema. */
  readonly json: JsonProtocol | undefined;
}

/**
 * Reads a protocol's framing without checking its description. Returns undefined if the protocol is
 * not bundled, or if it extends another one.
 */
export function bundledFraming(name: string): BundledFraming | undefined {
  if (!bundledProtocols().includes(name)) return undefined;
  const description = JSON.parse(readFileSync(bundledDescriptionPath(name), "utf8")) as Described;
  const { roles, framing, schema, notation } = description;
  if (roles === undefined || framing === undefined) return undefined;
  const version = schema?.current;
  const isJson = version !== undefined && notation === undefined;
  return {
    version: version ?? "custom",
    roles,
    json: isJson ? { name, version, roles, framing } : undefined,
  };
}

type Described = Partial<Pick<JsonProtocol, "roles" | "framing">> & {
  readonly schema?: { readonly current?: string };
  readonly notation?: object;
};

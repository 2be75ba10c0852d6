import { bundledModelPath, bundledProtocols } from "../base/bundled.js";
import { files } from "../base/files.js";
import type { Protocol } from "../model/protocol.js";
import { readVersionName } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";

/**
 * Returns the model of a bundled protocol's current version as the published tool contains it, which
 * saves reading the schema. Returns undefined if the options choose another schema, and in a clone.
 */
export function readBuiltModel(name: string, options: ReadOptions): Protocol | undefined {
  const { protocol, version } = readVersionName(name, options.version);
  const { schema, overlays = [] } = options;
  if (schema !== undefined || overlays.length > 0) return undefined;
  if (!bundledProtocols().includes(protocol)) return undefined;
  const path = bundledModelPath(protocol);
  if (!files.exists(path)) return undefined;
  const model = JSON.parse(files.readText(path)) as Protocol;
  return version === undefined || version === model.version ? model : undefined;
}

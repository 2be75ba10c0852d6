import { generate } from "../../cli/index.js";

const defaults = new Map<string, ReadonlyMap<string, string>>();

/** Generates a protocol's modules with default options. Each protocol is generated only once. */
export async function filesOf(protocol: string): Promise<ReadonlyMap<string, string>> {
  const files = defaults.get(protocol) ?? (await generate(protocol)).files;
  defaults.set(protocol, files);
  return files;
}

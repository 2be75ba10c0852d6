import { generate } from "../../cli/index.js";
import { fromRoot } from "./paths.js";
import { packagedProtocols } from "./workspaces.js";

/** The packages in this repository, with their folders. */
export const packages: readonly {
  readonly protocol: string;
  readonly name: string;
}[] = [
  ...packagedProtocols.map((protocol) => ({ protocol, name: `generated/${protocol}` })),
  { protocol: fromRoot("test/fixtures/ticker"), name: "test/fixtures/ticker/generated" },
];

const defaults = new Map<string, ReadonlyMap<string, string>>();

/** Generates a protocol's modules with default options. Each protocol is generated only once. */
export async function filesOf(protocol: string): Promise<ReadonlyMap<string, string>> {
  const files = defaults.get(protocol) ?? (await generate(protocol)).files;
  defaults.set(protocol, files);
  return files;
}

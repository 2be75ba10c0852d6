import { generate } from "../../cli/index.js";
import { fromRoot } from "./paths.js";
import { packagedProtocols } from "./workspaces.js";

/** The packages in this repository, with their folders. */
export const packages: readonly {
  readonly protocol: string;
  readonly name: string;
  readonly code: "embed" | "apart";
}[] = [
  ...packagedProtocols.map((protocol) => ({
    protocol,
    name: `generated/${protocol}`,
    code: "apart" as const,
  })),
  {
    protocol: fromRoot("test/fixtures/ticker"),
    name: "test/fixtures/ticker/generated",
    code: "embed",
  },
];

export const defaults = new Map<string, ReadonlyMap<string, string>>();

/** Generates a protocol's package with default options. Each package is generated only once. */
export async function filesOf(protocol: string): Promise<ReadonlyMap<string, string>> {
  const files = defaults.get(protocol) ?? (await generate(protocol)).files;
  defaults.set(protocol, files);
  return files;
}

import { generate } from "../../cli/index.js";
import { fromRoot } from "./paths.js";

export const packages = [
  { protocol: "dap", name: "generated/dap", code: "../../protocols/dap" },
  { protocol: "sqltools", name: "generated/sqltools" },
  {
    protocol: "ruby-debug-ide",
    name: "generated/ruby-debug-ide",
    code: "../../protocols/ruby-debug-ide",
  },
  {
    protocol: "acp-breakpoints",
    name: "generated/acp-breakpoints",
    code: "../../protocols/acp-breakpoints",
  },
  { protocol: fromRoot("test/fixtures/ticker"), name: "test/fixtures/ticker/generated" },
];

const defaults = new Map<string, ReadonlyMap<string, string>>();

/** Generates a protocol's package with default options. Each package is generated only once. */
export async function filesOf(protocol: string): Promise<ReadonlyMap<string, string>> {
  const files = defaults.get(protocol) ?? (await generate(protocol)).files;
  defaults.set(protocol, files);
  return files;
}

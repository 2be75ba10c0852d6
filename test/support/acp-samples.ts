import type { Fill, Sampler } from "./sample-values.js";

/** The SDK checks that these properties are addresses; the schema does not. */
const addresses = new Set(["uri", "url", "src"]);

export const address = "urn:text";

/** Creates a value for an ACP definition that the SDK accepts, too. */
export function acpSample(sampler: Sampler, definition: string, fill: Fill): unknown {
  return JSON.parse(
    JSON.stringify(sampler.sample(definition, fill), (key, value: unknown) =>
      addresses.has(key) && typeof value === "string" ? address : value,
    ),
  );
}

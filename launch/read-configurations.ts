import { text } from "../runtime/base/check-options.js";
import { checkArguments } from "../generator/base/check-arguments.js";
import { readJsonInput, readTextFile } from "../generator/read/source/input-source.js";
import type { ConfigurationSource } from "./configuration-set.js";
import { readInterfaces } from "./read-interfaces.js";
import { readLaunchSchema } from "./read-launch-schema.js";
import { isManifest, readManifest } from "./read-manifest.js";

/**
 * Reads configuration attributes from the package.json of a VS Code extension, a JSON Schema, or
 * TypeScript interfaces.
 *
 * @throws InputError with the location of the part that cannot be read.
 */
export async function readConfigurations(path: string): Promise<ConfigurationSource> {
  checkArguments("readConfigurations", { path: [path, text] });
  if (/\.[cm]?ts$/.test(path)) return readInterfaces(await readTextFile(path), path);
  const file = await readJsonInput(path);
  return isManifest(file.value) ? readManifest(file) : readLaunchSchema(file);
}

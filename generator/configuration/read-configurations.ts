import { InputError } from "../base/input-error.js";
import { readJsonInput } from "../read/source/input-source.js";
import type { ConfigurationSource } from "./configuration-set.js";
import { isManifest, readManifest } from "./read-manifest.js";

/**
 * Reads the attributes of configurations from the package.json of an extension.
 *
 * @throws InputError with the place of what cannot be read.
 */
export async function readConfigurations(path: string): Promise<ConfigurationSource> {
  const file = await readJsonInput(path);
  if (isManifest(file.value)) return readManifest(file);
  throw new InputError(
    "ERR_SCHEMA",
    "Cannot find any debuggers",
    file.locate(""),
    "Name the package.json of an extension, which has contributes.debuggers",
  );
}

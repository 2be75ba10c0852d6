import { emitPackage, type EmitOptions } from "./emit/emit-package.js";
import type { Protocol } from "./model/protocol.js";
import { readProtocol, type ReadOptions } from "./read/read-protocol.js";

export interface GenerateOptions extends ReadOptions, EmitOptions {}

/** A generated package in memory. */
export interface GeneratedPackage {
  readonly protocol: Protocol;
  /** Content by path relative to the package, sorted. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads a protocol and prints its package, without touching the disk.
 *
 * @param protocol Name of a bundled protocol, or path of a `protocol.json` or of its folder.
 * @throws InputError for every input that cannot be used.
 */
export async function generate(
  protocol: string,
  options: GenerateOptions = {},
): Promise<GeneratedPackage> {
  const model = await readProtocol(protocol, options);
  return { protocol: model, files: emitPackage(model, options) };
}

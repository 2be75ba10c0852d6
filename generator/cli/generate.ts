import { emitPackage, type EmitOptions } from "../emit/emit-package.js";
import type { Protocol } from "../model/protocol.js";
import { describedVersions, readProtocol, type ReadOptions } from "../read/read-protocol.js";

export interface GenerateOptions extends ReadOptions, EmitOptions {
  /** Whether to say of each name since which of the described versions it is there. */
  readonly since?: boolean;
}

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
  const marked = options.since === true ? await withFirstVersions(protocol, model) : model;
  return { protocol: marked, files: emitPackage(marked, options) };
}

async function withFirstVersions(name: string, model: Protocol): Promise<Protocol> {
  const { markFirstVersions } = await import("../diff/first-versions.js");
  const versions = await describedVersions(name);
  const place = versions.indexOf(model.version);
  const earlier = [];
  // A schema of one's own comes after all that are described.
  for (const version of place < 0 ? versions : versions.slice(0, place))
    earlier.push(await readProtocol(name, { version }));
  return markFirstVersions(model, earlier);
}

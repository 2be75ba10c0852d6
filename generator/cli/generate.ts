import { emitPackage, type EmitOptions } from "../emit/emit-package.js";
import type { Protocol } from "../model/protocol.js";
import { describedVersions, readProtocol, type ReadOptions } from "../read/read-protocol.js";

export interface GenerateOptions extends ReadOptions, EmitOptions {
  /** Whether to document the version that introduced each name. */
  readonly since?: boolean;
}

/** A generated package in memory. */
export interface GeneratedPackage {
  readonly protocol: Protocol;
  /** Content by path relative to the package, sorted. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads a protocol and generates its package in memory.
 *
 * @param protocol Name of a bundled protocol, or path of a `protocol.json` or its folder.
 * @throws InputError if an input cannot be used.
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
  // A schema that the description does not list counts as the newest version.
  for (const version of place < 0 ? versions : versions.slice(0, place))
    earlier.push(await readProtocol(name, { version }));
  return markFirstVersions(model, earlier);
}

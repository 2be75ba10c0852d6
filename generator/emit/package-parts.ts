import { InputError, nearest } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";

/**
 * The parts of a package that the generator writes. Each entry point of hand-written code, such as
 * `session`, also counts as a part.
 */
export const generatedParts = [
  "types",
  "guards",
  "maps",
  "validators",
  "codec",
  "connection",
  "configuration",
  "dialects",
  "compatibility",
] as const;

export type GeneratedPart = (typeof generatedParts)[number];

/** The names of the parts selected for a package. */
export type PackageParts = ReadonlySet<string>;

/**
 * The parts to generate as part of a build. Programs get all other parts from the published
 * package.
 */
export const buildParts: readonly GeneratedPart[] = generatedParts.filter(
  (part) => part !== "compatibility",
);

/**
 * Removes everything from a protocol that is not needed for the selected parts of its package.
 *
 * @throws InputError `ERR_ARGUMENT` if the protocol's package does not have one of the parts, or if
 * connections are selected but the protocol has no `conversation`.
 */
export function withParts(protocol: Protocol, parts: PackageParts): Protocol {
  const { code, compatibility, ...rest } = protocol;
  const written = (code?.entries ?? []).map(({ name }) => name).filter((name) => name !== "node");
  const known = [...new Set<string>([...generatedParts, ...written])];
  for (const part of parts) {
    if (known.includes(part)) continue;
    const meant = nearest(part, known);
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot write only "${part}", which is not a part of this package`,
      {},
      meant === undefined ? `Parts: ${known.join(", ")}` : `Did you mean "${meant}"?`,
    );
  }
  if (
    parts.has("connection") &&
    protocol.conversation === undefined &&
    protocol.lanes === undefined
  )
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot write the connection for ${protocol.title}: its description has no "conversation"`,
      {},
      'Add "conversation", which defines how requests are refused and cancelled, or leave out the part "connection"',
    );
  const entries = code?.entries.filter(({ name }) =>
    parts.has(name === "node" ? "connection" : name),
  );
  return {
    ...rest,
    compatibility: parts.has("compatibility") ? compatibility : undefined,
    code: code === undefined || entries!.length === 0 ? undefined : { ...code, entries: entries! },
  };
}

/**
 * Finds the files that a package's entry points import, directly or indirectly. Files with other
 * extensions are always included.
 *
 * @param extension The extension of the files in which to look for imports.
 */
export function reachableFiles(
  files: ReadonlyMap<string, string>,
  entries: readonly string[],
  extension: ".ts" | ".js" | ".d.ts" = ".ts",
): ReadonlyMap<string, string> {
  const reached = new Set(entries.map((name) => `${name}${extension}`));
  for (const path of reached) {
    for (const [, from] of (files.get(path) ?? "").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      const target = new URL(`${from!}${extension}`, new URL(path, "file:///")).pathname.slice(1);
      if (files.has(target)) reached.add(target);
    }
  }
  return new Map([...files].filter(([path]) => !path.endsWith(extension) || reached.has(path)));
}

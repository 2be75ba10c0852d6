import { InputError, nearest } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";

/** The parts of a package. */
export const generatedParts = [
  "types",
  "guards",
  "maps",
  "validators",
  "codec",
  "connection",
  "configuration",
  "dialects",
] as const;

export type GeneratedPart = (typeof generatedParts)[number];

/** The names of the parts selected for a package. */
export type PackageParts = ReadonlySet<string>;

/**
 * Checks that a protocol's package can have the selected parts.
 *
 * @throws InputError `ERR_ARGUMENT` if there is no such part, or if connections are selected but the
 * protocol has no `conversation`.
 */
export function checkParts(protocol: Protocol, parts: PackageParts): void {
  const names: readonly string[] = generatedParts;
  for (const part of parts) {
    if (names.includes(part)) continue;
    const meant = nearest(part, names);
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot write only "${part}", which is not a part of this package`,
      {},
      meant === undefined ? `Parts: ${names.join(", ")}` : `Did you mean "${meant}"?`,
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
}

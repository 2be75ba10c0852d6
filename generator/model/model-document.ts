import type { Protocol } from "./protocol.js";

/** A protocol as data for other programs, such as generators for other languages. */
export interface ModelDocument {
  readonly report: "model";
  /**
   * Version of the format, incremented whenever a change could break readers of the previous
   * version.
   */
  readonly reportVersion: 1;
  /** Everything about the protocol except the hand-written TypeScript in its package. */
  readonly protocol: Omit<Protocol, "code">;
}

/** Creates a protocol's document for use by other programs. */
export function modelDocument({ code: _, ...protocol }: Protocol): ModelDocument {
  return { report: "model", reportVersion: 1, protocol };
}

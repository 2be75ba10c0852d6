import type { Protocol } from "./protocol.js";

/** A protocol as data for other programs, such as generators for other languages. */
export interface ModelDocument {
  readonly report: "model";
  /**
   * Version of the format, incremented whenever a change could break readers of the previous
   * version.
   */
  readonly reportVersion: 1;
  readonly protocol: Protocol;
}

/** Creates a protocol's document for use by other programs. */
export function modelDocument(protocol: Protocol): ModelDocument {
  return { report: "model", reportVersion: 1, protocol };
}

import type { Protocol } from "./protocol.js";

/** A protocol as data for other programs, such as generators for other languages. */
export interface ModelDocument {
  readonly report: "model";
  /** Version of the form. It grows when a reader of the previous one could fail. */
  readonly reportVersion: 1;
  /** Everything that is known about the protocol, but for the hand-written TypeScript of its package. */
  readonly protocol: Omit<Protocol, "code">;
}

/** The document of a protocol. */
export function modelDocument({ code: _, ...protocol }: Protocol): ModelDocument {
  return { report: "model", reportVersion: 1, protocol };
}

import type { Protocol } from "./protocol.js";

/** Version of the format of documents. It grows when a reader of the previous one could go wrong. */
export const modelVersion = 1;

/** A protocol as data for other programs, such as generators for other languages. */
export interface ModelDocument {
  /** Version of the format. Readers refuse versions that they do not know. */
  readonly modelVersion: 1;
  /** Everything that is known about the protocol, but for the hand-written TypeScript of its package. */
  readonly protocol: Omit<Protocol, "code">;
}

/** The document of a protocol. */
export function modelDocument({ code: _, ...protocol }: Protocol): ModelDocument {
  return { modelVersion, protocol };
}

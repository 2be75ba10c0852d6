import type { Bases, Message } from "../../model/protocol.js";
import type { Definition } from "../../model/types.js";

/** A protocol's messages and all of its definitions, including the messages' own definitions. */
export interface FoundMessages {
  readonly messages: readonly Message[];
  readonly definitions: readonly Definition[];
  readonly bases: Bases;
}

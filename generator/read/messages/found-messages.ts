import type { Bases, Message } from "../../model/protocol.js";
import type { Definition } from "../../model/types.js";

/** The messages of a protocol, and all its definitions, including the definitions of messages. */
export interface FoundMessages {
  readonly messages: readonly Message[];
  readonly definitions: readonly Definition[];
  readonly bases: Bases;
}

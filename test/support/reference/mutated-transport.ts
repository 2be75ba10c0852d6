import { createDecoder } from "@wirewright/dap";
import type { Transport } from "@wirewright/dap/connection";
import { frameOf } from "../../../conformance/session/wire.js";
import type { Change } from "./message-changes.js";
import type { Message } from "./program-run.js";

/**
 * A mistake made by an adapter. If no function is given, the reference adapter itself makes the
 * mistake.
 */
export interface Mutant {
  readonly check: string;
  /**
   * Changes a message from the adapter. An array replaces the message with any number of messages.
   */
  readonly send?: Change;
  /** Changes a message from the client before the adapter receives it. */
  readonly receive?: (message: Message, state: Record<string, any>) => Message;
  /** Changes a message's frame. */
  readonly frame?: (frame: Uint8Array, message: Message) => Uint8Array;
  /** Changes the bytes that the client writes. */
  readonly write?: (bytes: Uint8Array) => Uint8Array;
  /** Whether messages keep the ids assigned by `send`. Otherwise, they are renumbered. */
  readonly keepsNumbers?: true;
  readonly isServer?: true;
}

/** Remembers the program, and the arguments of a request. */
function remember(message: Message, state: Record<string, any>): void {
  if (message["type"] !== "request") return;
  state[message["command"]] = message["arguments"] ?? {};
  const path = message["arguments"]?.program;
  if (path !== undefined) state["program"] = String(path).replace(/^.*\/|\.steps$/g, "");
}

/** Creates a transport that introduces a mistake into an adapter's messages. */
export function mutated(transport: Transport, mutant: Mutant): Transport {
  const { send = (same) => same, receive = (same) => same, frame = (same) => same } = mutant;
  const state: Record<string, any> = {};
  /** The original ids of the adapter's requests, which have since been renumbered. */
  const names = new Map<number, number>();
  let sent = 0;
  const reader = (onMessage: (message: Message) => void) =>
    createDecoder({
      onMessage: (found) => {
        if (found.status !== "malformed") onMessage(found.message as Message);
      },
    });
  const incoming = reader((message) => {
    remember(message, state);
    const changed = receive(message, state);
    const asked = names.get(changed["request_seq"]);
    void transport.write(
      frameOf(asked === undefined ? changed : { ...changed, request_seq: asked }),
    );
  });
  return {
    ...transport,
    read(onBytes, onEnd) {
      const outgoing = reader((message) => {
        for (const each of [send(message, state)].flat()) {
          sent++;
          const numbered = mutant.keepsNumbers === true ? each : { ...each, seq: sent };
          if (each["type"] === "request") names.set(numbered["seq"], message["seq"]);
          void onBytes(frame(frameOf(numbered), numbered));
        }
      });
      transport.read((bytes) => outgoing.push(bytes), onEnd);
    },
    write: (bytes) => incoming.push(mutant.write?.(bytes) ?? bytes),
  };
}

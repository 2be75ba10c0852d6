import { guess } from "../base/check-options.js";
import { nearestText } from "../base/nearest-text.js";
import type { MessageFacts } from "../protocol/protocol-description.js";

/** Facts about the messages of one kind, by name. */
export interface KnownMessages {
  readonly [name: string]: MessageFacts;
}

export interface Direction {
  readonly sender: string;
  readonly receiver: string;
}

/**
 * Checks the name of a message sent from one role to the other.
 *
 * @param caller Names of two functions: the caller, and the one to use for messages that the
 * protocol does not define.
 * @throws TypeError if the protocol does not define such a message from the sender.
 */
export function checkMessageName(
  [caller, custom]: readonly [caller: string, custom: string],
  name: string,
  known: KnownMessages,
  { sender, receiver }: Direction,
): void {
  const isSent = (each: string): boolean => known[each]!.sender !== receiver;
  if (Object.hasOwn(known, name) && isSent(name)) return;
  const nearest = guess(nearestText(name, Object.keys(known).filter(isSent)));
  throw new TypeError(
    `${caller}: the ${sender} does not send "${name}"${nearest}. Use ${custom} for messages that the protocol does not define`,
  );
}

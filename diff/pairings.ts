import type { Change } from "./compare/change.js";
import type { ReadOutcome } from "./compare/outcomes.js";
import type { Side } from "./compare/side.js";

export interface Versions {
  readonly before: Side;
  readonly after: Side;
}

/** Two peers in a session, one of which has the new version and the other the old version. */
export interface Pairing {
  /** The pairing's name, such as `new-client/old-adapter`. */
  readonly name: string;
  readonly newRole: string;
  readonly oldRole: string;
}

/** Returns the two ways to pair peers that have different versions. */
export function pairingsOf([first, second]: readonly [string, string]): readonly [
  Pairing,
  Pairing,
] {
  return [
    { name: `new-${first}/old-${second}`, newRole: first, oldRole: second },
    { name: `old-${first}/new-${second}`, newRole: second, oldRole: first },
  ];
}

/** Returns the effect of a change on a value that a role receives in a given pairing. */
export function outcomeOf(
  { rule, gate }: Change,
  pairing: Pairing,
  receiver: string,
  { before, after }: Versions,
): ReadOutcome {
  const isNew = receiver === pairing.newRole;
  const outcome = isNew ? rule.oldToNew : rule.newToOld;
  const reader = isNew ? after : before;
  // The message is never sent to a peer that cannot announce the capability.
  const isHeldBack =
    (outcome === "lost" || outcome === "degraded") &&
    rule.heldBack === true &&
    gate?.role === receiver &&
    !reader.canAnnounce(gate);
  return isHeldBack ? "ok" : outcome;
}

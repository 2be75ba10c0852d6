import type { Message } from "../../generator/model/protocol.js";
import { receiverOf } from "../../generator/model/queries.js";
import type { Change, ChangeDetails } from "./change.js";
import { compareMessageParts } from "./compare-message-parts.js";
import type { Root } from "./definition-pairs.js";
import { errorRoots, receiversOf, rootsOf } from "./message-roots.js";
import { compiles, fails, ruleFamily, type DiffRule } from "./rule-family.js";
import { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";

export const messageRules = ruleFamily({
  "message.added-gated": {
    title: "Capability-gated message added",
    reason:
      "The message may be sent only to a peer that announced {gate}. Older peers never announce this capability.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    exhaustive: true,
    mirror: "message.removed-gated",
  },
  "message.added-request": {
    title: "Request added without its own capability",
    reason: "Older peers answer an unknown request with an error.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    exhaustive: true,
    mirror: "message.removed-request",
  },
  "message.added-event": {
    title: "Event added without its own capability",
    reason: "Most older peers ignore an unknown event, but some fail.",
    oldToNew: "ok",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    exhaustive: true,
    mirror: "message.removed-event",
  },
  "message.removed-gated": {
    title: "Capability-gated message removed",
    reason: "{gate} is no longer announced, so the feature is no longer available.",
    oldToNew: "ok",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.added-gated",
  },
  "message.removed-request": {
    title: "Request removed",
    reason: "Newer peers answer the request with an error, and never send it themselves.",
    oldToNew: "degraded",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.added-request",
  },
  "message.removed-event": {
    title: "Event removed",
    reason: "Newer peers ignore the event. Older peers never receive it.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.added-event",
  },
  "message.removed-essential": {
    title: "Essential message removed",
    reason: "A session cannot continue without the message.",
    oldToNew: "degraded",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.added-essential",
  },
  "message.added-essential": {
    title: "Essential message added",
    reason:
      "In the new version, a session cannot continue without the message, but older peers do not support it.",
    oldToNew: "broken",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    exhaustive: true,
    mirror: "message.removed-essential",
  },
  "message.renamed": {
    title: "Message renamed",
    reason:
      "Each peer supports only one of the two names. It answers a request that uses the other name with an error, and ignores an event that uses it. If the message is essential, sessions do not work.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.renamed",
  },
  "message.direction-changed": {
    title: "Message direction or kind changed",
    reason: "The receiving peer does not expect the message from that side.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    mirror: "message.direction-changed",
  },
});

/** A message as defined in one or both of the versions. */
export interface VersionsOfMessage {
  readonly before?: Message;
  readonly after?: Message;
}

/** A change to a message as a whole. */
export interface MessageChange {
  readonly change: Change;
  readonly message: VersionsOfMessage;
  /** The roles that receive the message. */
  readonly receivers: readonly string[];
  /** The message's display name, such as `stopped event`. */
  readonly label: string;
}

/**
 * The differences between two versions' messages, and the definitions of the messages that exist in
 * both versions.
 */
export interface ComparedMessages {
  readonly changes: readonly MessageChange[];
  /** The definitions from which the comparison of types starts. */
  readonly roots: readonly Root[];
}

/** Compares messages, matching them by kind and name. */
export function compareMessages(old: Side, now: Side): ComparedMessages {
  const changes = [...comparePresence(old, now)];
  const roots: Root[] = [];
  const areGatesStated = [old, now].every(({ protocol }) => !protocol.unstated?.includes("gates"));
  for (const [key, after] of now.messages) {
    const before = old.messages.get(key);
    if (before === undefined) continue;
    if (before.sender !== after.sender) changes.push(compareSenders({ old, now }, before, after));
    for (const { rule, details, readBy } of compareMessageParts(before, after, areGatesStated)) {
      const change = changeOf(rule, { old, now }, { before, after }, details);
      const receivers = receiversOf(now, receiverOf(now.protocol, after.sender));
      // A part that travels in the other direction is not contained in this message, so the message
      // cannot serve as the example.
      changes.push(readBy === "receiver" ? change : { ...change, message: {}, receivers });
    }
    roots.push(...rootsOf(now, before, after));
  }
  return { changes, roots: [...roots, ...errorRoots(old, now)] };
}

/**
 * Reports that the sender has changed. If both sides may send the message in one of the versions,
 * the change counts as adding or removing the message in one direction.
 */
function compareSenders(sides: Sides, before: Message, after: Message): MessageChange {
  const { old, now } = sides;
  const rule =
    after.sender === "both"
      ? addedRules[fateOf(after, now, old)]
      : before.sender === "both"
        ? removedRules[fateOf(before, old, now)]
        : "message.direction-changed";
  const details = { change: `sent by ${before.sender} → ${after.sender}` };
  const changed = changeOf(messageRules[rule], sides, { before, after }, details);
  const [had, has] = [receiversOf(old, before.sender), receiversOf(now, after.sender)];
  const receivers = [
    ...has.filter((role) => !had.includes(role)),
    ...had.filter((role) => !has.includes(role)),
  ];
  return { ...changed, receivers: rule === "message.direction-changed" ? had : receivers };
}

/**
 * Reports messages that were removed, added or renamed, and messages that turned from a request
 * into an event or vice versa.
 */
function* comparePresence(old: Side, now: Side): Generator<MessageChange> {
  const removed = [...old.messages].filter(([key]) => !now.messages.has(key));
  const added = new Map([...now.messages].filter(([key]) => !old.messages.has(key)));
  for (const [key, before] of removed) {
    const sameName = [...added].find(([, after]) => after.name === before.name);
    const sameBuild = [...added].filter(([, after]) => isRenamed(old, now, before, after));
    const [newKey, after] = sameName ?? (sameBuild.length === 1 ? sameBuild[0]! : []);
    if (newKey === undefined || after === undefined) {
      const rule = messageRules[removedRules[fateOf(before, old, now)]];
      yield changeOf(rule, { old, now }, { before }, { change: `- ${key}` });
      continue;
    }
    added.delete(newKey);
    yield sameName === undefined
      ? renamed({ old, now }, before, after)
      : changeOf(
          messageRules["message.direction-changed"],
          { old, now },
          { before, after },
          {
            change: `${key} → ${newKey}`,
          },
        );
  }
  for (const [key, after] of added) {
    const rule = messageRules[addedRules[fateOf(after, now, old)]];
    yield changeOf(rule, { old, now }, { after }, { change: `+ ${key}` });
  }
}

/**
 * Reports a renamed message. A rename is never worse than removing the old message and adding the
 * new one.
 */
function renamed(sides: Sides, before: Message, after: Message): MessageChange {
  const found = changeOf(
    messageRules["message.renamed"],
    sides,
    { before, after },
    { change: `${before.name} → ${after.name}` },
  );
  const { essential } = sides.old.protocol;
  if (essential.includes(before.name) || sides.now.protocol.essential.includes(after.name))
    return found;
  const limit = before.kind === "request" ? "degraded" : "lost";
  return { ...found, change: { ...found.change, limits: { forward: limit, backward: limit } } };
}

const addedRules = {
  essential: "message.added-essential",
  gated: "message.added-gated",
  request: "message.added-request",
  event: "message.added-event",
} as const;

const removedRules = {
  essential: "message.removed-essential",
  gated: "message.removed-gated",
  request: "message.removed-request",
  event: "message.removed-event",
} as const;

/**
 * Classifies a message that exists in only one version. The class determines how peers that do not
 * know the message are affected.
 */
function fateOf(message: Message, having: Side, lacking: Side): keyof typeof addedRules {
  if (having.protocol.essential.includes(message.name)) return "essential";
  const { gate } = message;
  if (gate !== undefined && !lacking.canAnnounce(gate)) return "gated";
  return message.kind;
}

/**
 * Returns whether a removed and an added message are probably a single renamed message: their
 * payloads have the same structure, with at least one property.
 */
function isRenamed(old: Side, now: Side, before: Message, after: Message): boolean {
  if (before.kind !== after.kind || before.sender !== after.sender) return false;
  const [oldType, newType] = [before.payload?.type, after.payload?.type];
  if (oldType === undefined || newType === undefined) return false;
  const resolved = old.resolve(oldType);
  if (resolved.kind !== "object" || old.propertiesOf(resolved).length === 0) return false;
  return new StructureMatcher(old, now).isSame(oldType, newType);
}

function changeOf(
  rule: DiffRule,
  { old, now }: Sides,
  versions: VersionsOfMessage,
  details: ChangeDetails,
): MessageChange {
  const { before, after } = versions;
  const message = (after ?? before)!;
  const { kind, name, sender, gate } = message;
  const [oldPlace, newPlace] = [placeOf(old, before), placeOf(now, after)];
  return {
    change: {
      rule,
      site: {
        owner: `${kind} ${name}`,
        label: "",
        steps: [],
        ...(oldPlace === undefined ? {} : { before: oldPlace }),
        ...(newPlace === undefined ? {} : { after: newPlace }),
      },
      old: before?.name ?? "",
      new: after?.name ?? "",
      ...(gate === undefined ? {} : { gate }),
      ...details,
    },
    message: versions,
    receivers: receiversOf(after === undefined ? old : now, sender),
    label: `${name} ${kind}`,
  };
}

/**
 * Returns a message's location in its schema. If only a description lists the message, this is the
 * location of its payload or result.
 */
function placeOf({ definitions }: Side, message: Message | undefined): string | undefined {
  if (message?.pointer !== undefined) return message.pointer;
  const payloads = [message?.payload, message?.kind === "request" ? message.result : undefined];
  const names = payloads.flatMap((each) =>
    each?.type.kind === "reference" ? [each.type.name] : [],
  );
  return names.map((name) => definitions.get(name)?.pointer).find((at) => at !== undefined);
}

interface Sides {
  readonly old: Side;
  readonly now: Side;
}

import type { Message } from "../../generator/model/protocol.js";
import { receiverOf } from "../../generator/model/queries.js";
import { changeOfFact, kindOfChange, type Change, type ChangeDetails } from "./change.js";
import type { Root } from "./definition-pairs.js";
import type { Limit } from "./outcomes.js";
import { type DiffRule, fails, ruleFamily, waysOut } from "./rule-family.js";
import { StructureMatcher } from "./structure.js";
import type { Side, Versions } from "./side.js";
import { compareGates } from "./compare-capabilities.js";

export const messageRules = ruleFamily({
  "message.added-gated": {
    title: "Capability-gated message added",
    reason:
      "The message may be sent only to a peer that announced {gate}. Older peers never announce this capability.",
    exhaustive: true,
    mirror: "message.removed-gated",
  },
  "message.added-request": {
    title: "Request added without its own capability",
    reason: "Older peers answer an unknown request with an error.",
    newToOld: "degraded",
    exhaustive: true,
    wayOut: waysOut.gated,
    mirror: "message.removed-request",
  },
  "message.added-event": {
    title: "Event added without its own capability",
    reason: "Most older peers ignore an unknown event, but some fail.",
    newToOld: "lost",
    exhaustive: true,
    wayOut: waysOut.gated,
    mirror: "message.removed-event",
  },
  "message.removed-gated": {
    title: "Capability-gated message removed",
    reason: "{gate} is no longer announced, so the feature is no longer available.",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: "Keep the message for as long as older peers announce its capability.",
  },
  "message.removed-request": {
    title: "Request removed",
    reason: "Newer peers answer the request with an error, and never send it themselves.",
    oldToNew: "degraded",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: "Keep answering the request, and document it as deprecated.",
  },
  "message.removed-event": {
    title: "Event removed",
    reason: "Newer peers ignore the event. Older peers never receive it.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: waysOut.keepSending,
  },
  "message.removed-essential": {
    title: "Essential message removed",
    reason: "A session cannot continue without the message.",
    oldToNew: "degraded",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: "Keep the message, because sessions do not work without it.",
    mirror: "message.added-essential",
  },
  "message.added-essential": {
    title: "Essential message added",
    reason:
      "In the new version, a session cannot continue without the message, but older peers do not support it.",
    oldToNew: "broken",
    newToOld: "degraded",
    exhaustive: true,
    wayOut: "Make sessions work without the message, or require a capability for it.",
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
    wayOut: "Keep the old name, and require a capability for the new name.",
  },
  "message.direction-changed": {
    title: "Message direction or kind changed",
    reason: "The receiving peer does not expect the message from that side.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: "Keep the message, and add one with a different name for the other direction.",
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
interface ComparedMessages {
  readonly changes: readonly MessageChange[];
  /** The definitions from which the comparison of types starts. */
  readonly roots: readonly Root[];
}

/** Compares messages, matching them by kind and name. */
export function compareMessages(versions: Versions): ComparedMessages {
  const changes = [...comparePresence(versions)];
  const roots: Root[] = [];
  const areGatesStated = [versions.before, versions.after].every(
    ({ protocol }) => !protocol.unstated?.includes("gates"),
  );
  for (const [key, after] of versions.after.messages) {
    const before = versions.before.messages.get(key);
    if (before === undefined) continue;
    const message = { before, after };
    if (before.sender !== after.sender) changes.push(compareSenders(versions, message));
    // If the sender has changed, so has the side that announces the capability. That is not a
    // separate change, so do not compare capabilities.
    if (areGatesStated && before.sender === after.sender)
      for (const { rule, details } of compareMessageGates(before, after))
        changes.push(messageChange(rule, versions, message, details));
    const sender = receiverOf(versions.after.protocol, after.sender);
    const receivers = receiversOf(versions.after, sender);
    // A part that travels in the other direction is not contained in this message, so the message
    // cannot serve as the example.
    for (const { rule, details } of compareReturnedParts(before, after))
      changes.push({
        ...messageChange(rule, versions, message, details),
        message: {},
        receivers,
      });
    roots.push(...rootsOf(versions.after, before, after));
  }
  return { changes, roots: [...roots, ...errorRoots(versions)] };
}

/**
 * Reports that the sender has changed. If both sides may send the message in one of the versions,
 * the change counts as adding or removing the message in one direction.
 */
function compareSenders(versions: Versions, message: Required<VersionsOfMessage>): MessageChange {
  const { before, after } = message;
  const rule =
    after.sender === "both"
      ? (`message.added-${fateOf(after, versions.after, versions.before)}` as const)
      : before.sender === "both"
        ? (`message.removed-${fateOf(before, versions.before, versions.after)}` as const)
        : "message.direction-changed";
  const change = messageChange(messageRules[rule], versions, message, {
    change: `sent by ${before.sender} → ${after.sender}`,
  });
  const receiversBefore = receiversOf(versions.before, before.sender);
  if (rule === "message.direction-changed") return { ...change, receivers: receiversBefore };
  const receiversAfter = receiversOf(versions.after, after.sender);
  const receivers = [
    ...receiversAfter.filter((role) => !receiversBefore.includes(role)),
    ...receiversBefore.filter((role) => !receiversAfter.includes(role)),
  ];
  return { ...change, receivers };
}

function* comparePresence(versions: Versions): Generator<MessageChange> {
  const [messagesBefore, messagesAfter] = [versions.before.messages, versions.after.messages];
  const removed = [...messagesBefore].filter(([key]) => !messagesAfter.has(key));
  const added = new Map([...messagesAfter].filter(([key]) => !messagesBefore.has(key)));
  for (const [key, before] of removed) {
    const sameName = [...added].find(([, after]) => after.name === before.name);
    const sameBuild = [...added].filter(([, after]) => isRenamed(versions, before, after));
    const [newKey, after] = sameName ?? (sameBuild.length === 1 ? sameBuild[0]! : []);
    if (newKey === undefined || after === undefined) {
      const fate = fateOf(before, versions.before, versions.after);
      const rule = messageRules[`message.removed-${fate}`];
      yield messageChange(rule, versions, { before }, { change: `- ${key}` });
      continue;
    }
    added.delete(newKey);
    const message = { before, after };
    yield sameName === undefined
      ? renamed(versions, message)
      : messageChange(messageRules["message.direction-changed"], versions, message, {
          change: `${key} → ${newKey}`,
        });
  }
  for (const [key, after] of added) {
    const rule = messageRules[`message.added-${fateOf(after, versions.after, versions.before)}`];
    yield messageChange(rule, versions, { after }, { change: `+ ${key}` });
  }
}

/**
 * Reports a renamed message. Whoever uses a request by its old name gets only errors, unless the
 * other side can no longer announce the capability that the request requires. A renamed event is
 * ignored.
 */
function renamed(versions: Versions, message: Required<VersionsOfMessage>): MessageChange {
  const { before, after } = message;
  const renaming = messageChange(messageRules["message.renamed"], versions, message, {
    change: `${before.name} → ${after.name}`,
  });
  const isEssential =
    versions.before.protocol.essential.includes(before.name) ||
    versions.after.protocol.essential.includes(after.name);
  if (isEssential) return renaming;
  const limit = ({ kind, gate }: Message, reader: Side): Limit =>
    kind === "event" || (gate !== undefined && !reader.canAnnounce(gate)) ? "lost" : "rejected";
  const limits = {
    oldToNew: limit(before, versions.after),
    newToOld: limit(after, versions.before),
  };
  return { ...renaming, change: { ...renaming.change, limits } };
}

/**
 * Classifies a message that exists in only one version. The class determines how peers that do not
 * know the message are affected.
 */
function fateOf(
  message: Message,
  having: Side,
  lacking: Side,
): "essential" | "gated" | Message["kind"] {
  if (having.protocol.essential.includes(message.name)) return "essential";
  const { gate } = message;
  if (gate !== undefined && !lacking.canAnnounce(gate)) return "gated";
  return message.kind;
}

/**
 * Returns whether a removed and an added message are probably a single renamed message: their
 * payloads have the same structure, with at least one property.
 */
function isRenamed(versions: Versions, before: Message, after: Message): boolean {
  if (before.kind !== after.kind || before.sender !== after.sender) return false;
  const [typeBefore, typeAfter] = [before.payload?.type, after.payload?.type];
  if (typeBefore === undefined || typeAfter === undefined) return false;
  const resolved = versions.before.resolve(typeBefore);
  if (resolved.kind !== "object" || versions.before.propertiesOf(resolved).length === 0)
    return false;
  return new StructureMatcher(versions.before, versions.after).isSame(typeBefore, typeAfter);
}

function messageChange(
  rule: DiffRule,
  versions: Versions,
  message: VersionsOfMessage,
  details: ChangeDetails,
): MessageChange {
  const { before, after } = message;
  const { kind, name, sender, gate } = (after ?? before)!;
  return {
    change: {
      rule,
      site: {
        owner: `${kind} ${name}`,
        label: "",
        steps: [],
        before: pointerOf(versions.before, before),
        after: pointerOf(versions.after, after),
      },
      before: before?.name ?? "",
      after: after?.name ?? "",
      gate,
      ...details,
    },
    message,
    receivers: receiversOf(after === undefined ? versions.before : versions.after, sender),
    label: `${name} ${kind}`,
  };
}

/**
 * Returns a message's location in its schema. If only a description lists the message, this is the
 * location of its payload or result.
 */
function pointerOf({ definitions }: Side, message: Message | undefined): string | undefined {
  if (message?.pointer !== undefined) return message.pointer;
  const payloads = [message?.payload, message?.kind === "request" ? message.result : undefined];
  const names = payloads.flatMap((each) =>
    each?.type.kind === "reference" ? [each.type.name] : [],
  );
  return names
    .map((name) => definitions.get(name)?.pointer)
    .find((pointer) => pointer !== undefined);
}

export const messagePartRules = ruleFamily({
  "message.error-data-added": {
    title: "Error data added",
    reason: "Older readers ignore the {after} in an error.",
    newToOld: "lost",
    mirror: "message.error-data-removed",
  },
  "message.error-data-removed": {
    title: "Error data removed",
    reason:
      "Older readers expect the {before} in an error but do not get it. Newer readers ignore it.",
    oldToNew: "lost",
    newToOld: "lost",
  },
  "message.partial-result-added": {
    title: "Partial results added",
    reason: "Older readers wait for the whole result.",
    newToOld: "lost",
    mirror: "message.partial-result-removed",
  },
  "message.partial-result-removed": {
    title: "Partial results removed",
    reason:
      "Older readers request partial results but do not get them. Newer readers ignore partial results.",
    oldToNew: "lost",
    newToOld: "lost",
  },
  "message.registration-added": {
    title: "Message can be registered",
    reason: "Older peers refuse to register {after}.",
    newToOld: "degraded",
    wayOut: waysOut.gated,
    mirror: "message.registration-removed",
  },
  "message.registration-removed": {
    title: "Message can no longer be registered",
    reason:
      "Newer peers refuse to register {before}. Older peers never receive such a registration.",
    oldToNew: "degraded",
    newToOld: "lost",
    wayOut: "Keep the registration method, and keep accepting registrations.",
  },
  "message.registration-options-added": {
    title: "Registration options added",
    reason: "Older peers ignore the {after} in a registration.",
    newToOld: "lost",
    mirror: "message.registration-options-removed",
  },
  "message.registration-options-removed": {
    title: "Registration options removed",
    reason: "Newer peers ignore the {before} in a registration.",
    oldToNew: "lost",
  },
  "message.registration-changed": {
    title: "Registration method changed",
    reason: "One version registers the message as {before}, the other as {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Accept registrations with either method.",
  },
});

/** A change to part of a message. */
interface PartChange {
  readonly rule: DiffRule;
  readonly details: ChangeDetails;
}

function compareMessageGates(before: Message, after: Message): readonly PartChange[] {
  return [
    compareGates(before.gate, after.gate),
    compareGates(before.senderGate, after.senderGate, "sender-"),
  ].filter((gates) => gates !== undefined);
}

/** Compares the parts that the message's receiver sends, apart from its result. */
function* compareReturnedParts(before: Message, after: Message): Generator<PartChange> {
  yield* compareRegistrations(before, after);
  if (before.kind !== "request" || after.kind !== "request") return;
  yield* comparePart("error-data", before.errorData, after.errorData);
  yield* comparePart("partial-result", before.partialResult, after.partialResult);
}

/**
 * Reports a part that was added or removed. A part that exists in both versions is compared as a
 * type instead.
 */
function* comparePart(
  part: "error-data" | "partial-result" | "registration-options",
  before = "",
  after = "",
): Generator<PartChange> {
  const what = kindOfChange(before, after);
  if (what === "changed" || before === after) return;
  const change = `${what === "added" ? "+" : "-"} ${part.replace("-", " ")}: ${before || after}`;
  const rule = messagePartRules[`message.${part}-${what}`];
  yield { rule, details: { change, decision: change, before, after } };
}

/**
 * Compares how a message is registered. It is registered by its receiver, so it is the sender of
 * the message that reads the registration.
 */
function* compareRegistrations(before: Message, after: Message): Generator<PartChange> {
  const [registered, registers] = [before.registration, after.registration];
  const fact = changeOfFact(registered?.method, registers?.method, "registered as ");
  if (fact === undefined) {
    yield* comparePart("registration-options", registered?.options, registers?.options);
    return;
  }
  const { kind, ...details } = fact;
  yield { rule: messagePartRules[`message.registration-${kind}`], details };
}

/**
 * Returns the roles that receive a sender's messages. If both roles send them, both receive them.
 */
export function receiversOf({ protocol }: Side, sender: string): readonly string[] {
  return sender === "both" ? protocol.roles : [receiverOf(protocol, sender)];
}

/**
 * The roles that receive a message or its response, and the limits on how its values can affect
 * them.
 */
type Delivery = Pick<Root, "receivers" | "limits">;

/**
 * Determines which roles receive a message in both versions. If the message now goes in the
 * opposite direction, no role does, and its types matter only to code.
 */
function deliveryOf(
  receiversBefore: readonly string[],
  receiversAfter: readonly string[],
): Delivery {
  const receivers = receiversBefore.filter((role) => receiversAfter.includes(role));
  return receivers.length > 0
    ? { receivers }
    : { receivers: receiversBefore, limits: { oldToNew: "ok", newToOld: "ok" } };
}

/** Returns the definitions that messages of one kind and name contain in both versions. */
function rootsOf(side: Side, before: Message, after: Message): readonly Root[] {
  const { envelope } = side.protocol;
  const [receiversBefore, receiversAfter] = [before, after].map(({ sender }) =>
    receiversOf(side, sender),
  );
  const requesters = (receivers: readonly string[]): readonly string[] =>
    receivers.map((role) => receiverOf(side.protocol, role));
  const answered = deliveryOf(requesters(receiversBefore!), requesters(receiversAfter!));
  const rootOf = (
    label: string,
    [definitionBefore, definitionAfter]: readonly (string | undefined)[],
    delivery: Omit<Root, "before" | "after" | "label"> = { ...answered, isPart: true },
  ): readonly Root[] =>
    definitionBefore === undefined || definitionAfter === undefined
      ? []
      : [
          {
            before: definitionBefore,
            after: definitionAfter,
            label: `${after.name} ${label}`,
            ...delivery,
          },
        ];
  const roots = [
    ...rootOf(after.kind, [before.definition, after.definition], {
      ...deliveryOf(receiversBefore!, receiversAfter!),
      payload: {
        field: envelope[after.kind].payload,
        before: before.payload,
        after: after.payload,
      },
    }),
    ...rootOf("registration", [before.registration?.options, after.registration?.options]),
  ];
  if (before.kind !== "request" || after.kind !== "request") return roots;
  roots.push(
    ...rootOf("partial result", [before.partialResult, after.partialResult]),
    ...rootOf("error data", [before.errorData, after.errorData]),
  );
  if (envelope.response === undefined) return roots;
  const payload = { field: envelope.response.result, before: before.result, after: after.result };
  const responses = [before.responseDefinition, after.responseDefinition];
  return [...roots, ...rootOf("response", responses, { ...answered, payload })];
}

function errorRoots({ before, after }: Versions): readonly Root[] {
  const [errorBefore, errorAfter] = [before.protocol.bases.error, after.protocol.bases.error];
  if (errorBefore === undefined || errorAfter === undefined) return [];
  if (!before.definitions.has(errorBefore) || !after.definitions.has(errorAfter)) return [];
  const { roles, messages } = after.protocol;
  // Any role that sends requests may receive error responses.
  const receivers = roles.filter((role) =>
    messages.some(
      ({ kind, sender }) => kind === "request" && (sender === role || sender === "both"),
    ),
  );
  return [{ before: errorBefore, after: errorAfter, label: "error response", receivers }];
}

import type { Message } from "../../generator/model/protocol.js";
import type { ChangeDetails } from "./change.js";
import { compareGates, compareSenderGates } from "./compare-capabilities.js";
import { compiles, ruleFamily, type DiffRule } from "./rule-family.js";

export const messagePartRules = ruleFamily({
  "message.error-data-added": {
    title: "Error data added",
    reason: "Older readers ignore the {after} in an error.",
    oldToNew: "ok",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.error-data-removed",
  },
  "message.error-data-removed": {
    title: "Error data removed",
    reason:
      "Older readers expect the {before} in an error but do not get it. Newer readers ignore it.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.error-data-added",
  },
  "message.partial-result-added": {
    title: "Partial results added",
    reason: "Older readers wait for the whole result.",
    oldToNew: "ok",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.partial-result-removed",
  },
  "message.partial-result-removed": {
    title: "Partial results removed",
    reason:
      "Older readers request partial results but do not get them. Newer readers ignore partial results.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.partial-result-added",
  },
  "message.registration-added": {
    title: "Message can be registered",
    reason: "Older peers refuse to register {after}.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "message.registration-removed",
  },
  "message.registration-removed": {
    title: "Message can no longer be registered",
    reason:
      "Newer peers refuse to register {before}. Older peers never receive such a registration.",
    oldToNew: "degraded",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.registration-added",
  },
  "message.registration-options-added": {
    title: "Registration options added",
    reason: "Older peers ignore the {after} in a registration.",
    oldToNew: "ok",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "message.registration-options-removed",
  },
  "message.registration-options-removed": {
    title: "Registration options removed",
    reason: "Newer peers ignore the {before} in a registration.",
    oldToNew: "lost",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "message.registration-options-added",
  },
  "message.registration-changed": {
    title: "Registration method changed",
    reason: "One version registers the message as {before}, the other as {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "message.registration-changed",
  },
});

/** A change to part of a message, and the side that receives that part. */
interface PartChange {
  readonly rule: DiffRule;
  readonly details: ChangeDetails;
  readonly readBy: "receiver" | "sender";
}

/**
 * Compares everything in a message apart from its payload and result.
 *
 * @param areGatesStated Whether both versions state which capabilities messages require.
 */
export function* compareMessageParts(
  before: Message,
  after: Message,
  areGatesStated: boolean,
): Generator<PartChange> {
  // If the sender has changed, so has the side that announces the capability. That is not a
  // separate change, so do not compare capabilities.
  if (areGatesStated && before.sender === after.sender) yield* compareMessageGates(before, after);
  yield* compareRegistrations(before, after);
  if (before.kind !== "request" || after.kind !== "request") return;
  yield* comparePresence("error-data", before.errorData, after.errorData);
  yield* comparePresence("partial-result", before.partialResult, after.partialResult);
}

function* compareMessageGates(before: Message, after: Message): Generator<PartChange> {
  const gates = compareGates(before.gate, after.gate);
  if (gates !== undefined) yield { ...gates, readBy: "receiver" };
  const senderGates = compareSenderGates(before.senderGate, after.senderGate);
  if (senderGates !== undefined) yield { ...senderGates, readBy: "receiver" };
}

/**
 * Reports a part that was added or removed. A part that exists in both versions is compared as a
 * type instead.
 */
function* comparePresence(
  part: "error-data" | "partial-result",
  before: string | undefined,
  after: string | undefined,
): Generator<PartChange> {
  if ((before === undefined) === (after === undefined)) return;
  const what = before === undefined ? "added" : "removed";
  const change = `${before === undefined ? "+" : "-"} ${part.replace("-", " ")}: ${before ?? after}`;
  yield {
    rule: messagePartRules[`message.${part}-${what}`],
    details: {
      change,
      decision: change,
      old: before ?? "",
      new: after ?? "",
    },
    readBy: "sender",
  };
}

function* compareRegistrations(before: Message, after: Message): Generator<PartChange> {
  const [old, now] = [before.registration, after.registration];
  const [oldMethod, newMethod] = [old?.method ?? "", now?.method ?? ""];
  // A message is registered by its receiver, so it is the sender of the message that reads the
  // registration.
  const readBy = "sender";
  if (oldMethod !== newMethod) {
    const what = oldMethod === "" ? "added" : newMethod === "" ? "removed" : "changed";
    const details = {
      change: `registered as ${oldMethod || "none"} → ${newMethod || "none"}`,
      old: oldMethod,
      new: newMethod,
    };
    yield { rule: messagePartRules[`message.registration-${what}`], details, readBy };
    return;
  }
  const [options, newOptions] = [old?.options ?? "", now?.options ?? ""];
  if ((options === "") === (newOptions === "")) return;
  const what = options === "" ? "added" : "removed";
  const change = `${options === "" ? "+" : "-"} registration options: ${options || newOptions}`;
  yield {
    rule: messagePartRules[`message.registration-options-${what}`],
    details: {
      change,
      decision: change,
      old: options,
      new: newOptions,
    },
    readBy,
  };
}

import { kindOfChange } from "./change.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";
import { describedPart, receiverOf } from "../../generator/model/queries.js";
import type {
  Envelope,
  Message,
  Protocol,
  RequestMessage,
} from "../../generator/model/protocol.js";
import type { Json } from "../../generator/model/types.js";
import { type MessageChange, receiversOf } from "./compare-messages.js";
import { fails, ruleFamily, type DiffRule } from "./rule-family.js";
import type { Side, Versions } from "./side.js";

export const wireRules = ruleFamily({
  "wire.envelope-changed": {
    title: "Message envelope changed",
    reason:
      "Each version expects part of every message in a place where the other version does not write it.",
    oldToNew: "broken",
    newToOld: "broken",
    wayOut: "Keep the envelope, because it is the only one that old peers recognise.",
  },
  "wire.framing-changed": {
    title: "Message framing changed",
    reason: "Neither version can tell where the other version's messages start and end.",
    oldToNew: "broken",
    newToOld: "broken",
    wayOut: "Keep the framing, and offer the new one on a separate port or as an option.",
  },
  "wire.spelling-changed": {
    title: "Message notation changed",
    reason: "One version writes {before}, and the other writes {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Keep accepting the old notation, and use it with older peers.",
  },
  "wire.answers-changed": {
    title: "Answer matching changed",
    reason: "A request may never get a response, or may get the response to another request.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Keep answering as before, and require a capability for other answers.",
  },
  "wire.conversation-changed": {
    title: "Message sequence changed",
    reason:
      "Peers of different versions disagree on how to open a session, or on how to cancel and refuse requests.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Support both sequences for a few versions.",
  },
  "wire.error-code-added": {
    title: "Error number added",
    reason: "Older readers do not recognise the error {after}.",
    newToOld: "lost",
    mirror: "wire.error-code-removed",
  },
  "wire.error-code-removed": {
    title: "Error number removed",
    reason: "Newer readers do not recognise the error {before}.",
    oldToNew: "lost",
    producer: fails("removed", "direct-use"),
    consumer: fails("removed", "direct-use"),
    wayOut: "Keep the error number, even if no peer sends it.",
  },
  "wire.error-code-changed": {
    title: "Error number changed",
    reason: "One version uses {before} for this error, and the other uses {after}.",
    oldToNew: "different",
    newToOld: "different",
    wayOut: "Keep the error number, and add a new error for the new number.",
  },
});

/** A part of a protocol that is not a type, with its values in both versions. */
interface WirePart {
  readonly rule: DiffRule;
  /** The part's name, such as `envelope`, or the message that it belongs to. */
  readonly owner: string;
  /** The part's location in the description. */
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly receivers: readonly string[];
  readonly label: string;
}

/**
 * Compares how messages are sent: their envelope, framing and notation, and how responses are
 * matched to requests.
 */
export function compareWire(versions: Versions): readonly MessageChange[] {
  return partsOf(versions).flatMap(({ rule, owner, pointer, before, after, receivers, label }) =>
    differences(before, after).map(({ path, ...values }): MessageChange => {
      const [beforeText, afterText] = [textOf(values.before), textOf(values.after)];
      const part = [pointer, ...path.map(pointerStep)].join("");
      return {
        change: {
          rule,
          site: {
            owner,
            label: path.map((name) => `.${name}`).join(""),
            steps: [],
            before: values.before === undefined ? undefined : part,
            after: values.after === undefined ? undefined : part,
          },
          change: `${beforeText} → ${afterText}`,
          before: beforeText,
          after: afterText,
        },
        message: {},
        receivers,
        label,
      };
    }),
  );
}

function partsOf(versions: Versions): readonly WirePart[] {
  const [before, after] = [versions.before.protocol, versions.after.protocol];
  const { roles } = after;
  const part = (
    what: "envelope" | "framing" | "spelling" | "answers" | "conversation",
    owner: string,
    path: readonly string[],
    valueOf: (protocol: Protocol) => unknown,
    receivers = roles as readonly string[],
  ): WirePart => ({
    rule: wireRules[`wire.${what}-changed`],
    owner,
    pointer: described(...path),
    before: valueOf(before),
    after: valueOf(after),
    receivers,
    label: "every message",
  });
  const ofRole = (
    what: "framing" | "spelling",
    name: string,
    valueOf: (protocol: Protocol, role: string) => unknown,
  ): readonly WirePart[] =>
    roles.map((role) =>
      part(what, `${name} of the ${role}`, [name, role], (protocol) => valueOf(protocol, role), [
        receiverOf(after, role),
      ]),
    );
  return [
    part("envelope", "envelope", ["envelope"], envelopeOf),
    ...ofRole("framing", "framing", ({ framing }, role) => framing[role]),
    ...ofRole("spelling", "notation", ({ notations }, role) => notations?.[role]),
    part("answers", "lanes", ["lanes"], ({ lanes }) => lanes),
    part("conversation", "conversation", ["conversation"], courseOf),
    ...errorCodesOf(before, after),
    ...[...versions.after.messages].flatMap(([key, message]) =>
      partsOfRequest(versions.after, versions.before.messages.get(key), message),
    ),
  ];
}

function partsOfRequest(
  side: Side,
  before: Message | undefined,
  after: Message,
): readonly WirePart[] {
  if (before?.kind !== "request" || after.kind !== "request") return [];
  const part = (what: "spelling" | "answers", valueOf: (request: RequestMessage) => unknown) => ({
    rule: wireRules[`wire.${what}-changed`],
    owner: `request ${after.name}`,
    pointer: after.pointer ?? "",
    before: valueOf(before),
    after: valueOf(after),
    receivers: receiversOf(side, after.sender),
    label: `${after.name} request`,
  });
  return [part("spelling", ({ spelling }) => spelling), part("answers", answersOf)];
}

function answersOf({ answers, responseDefinition, unanswered }: RequestMessage): object {
  return {
    answers,
    response: responseDefinition === undefined || unanswered === true ? "none" : "one",
  };
}

function errorCodesOf(before: Protocol, after: Protocol): readonly WirePart[] {
  const codesBefore = before.conversation?.errorCodes ?? {};
  const codesAfter = after.conversation?.errorCodes ?? {};
  return Object.keys({ ...codesBefore, ...codesAfter }).map((name) => ({
    rule: wireRules[`wire.error-code-${kindOfChange(codesBefore[name], codesAfter[name])}`],
    owner: `errorCodes ${name}`,
    pointer: described("conversation", "errorCodes", name),
    before: codesBefore[name],
    after: codesAfter[name],
    receivers: after.roles,
    label: "every failure",
  }));
}

function described(...path: readonly string[]): string {
  return [describedPart, ...path].map(pointerStep).join("");
}

/** Returns the `conversation` without its error codes. */
function courseOf({ conversation }: Protocol): object | undefined {
  if (conversation === undefined) return undefined;
  const { errorCodes: _, ...course } = conversation;
  return course;
}

/** Returns the envelope without the nouns for requests and events. */
function envelopeOf({ envelope }: Protocol): object {
  const { request, event, ...rest } = envelope;
  return { ...rest, request: withoutNoun(request), event: withoutNoun(event) };
}

function withoutNoun({ noun: _noun, ...arm }: Envelope["request"]): object {
  return arm;
}

/** A location at which two values differ. */
interface Difference {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Finds the innermost locations at which two values differ, treating each array as a single value.
 */
function differences(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly Difference[] {
  if (isFields(before) && isFields(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(before[name], after[name], [...path, name]),
    );
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isFields(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  const text = value === undefined ? "none" : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

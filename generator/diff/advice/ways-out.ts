import type { DiffRuleId } from "../compare/rules.js";

/** Alternatives for the author of a protocol that break nothing. */
type WaysOut = { readonly [Id in DiffRuleId]?: string };

const optional = "Make it optional, and define the meaning of its absence.";
const keepSending = "Keep it and continue sending it; say in its text that it is deprecated.";
const gated = "Let it require a capability, so that it is sent only to those who announce it.";
const otherName = "Keep the old one as it is, and add the new one under another name.";
const keepReading = "Let the new version continue to read the messages of the old one.";
const oldForm =
  "Keep the old form, and let the new one require a capability, or put it into a property of its own.";
const openList = "Let the value require a capability, or open the list in a version before.";

const waysOut: WaysOut = {
  "message.added-request": gated,
  "message.added-event": gated,
  "message.removed-gated": "Keep it for as long as older peers announce its capability.",
  "message.removed-request":
    "Keep it and continue answering it; say in its text that it is deprecated.",
  "message.removed-event": keepSending,
  "message.removed-essential": "Keep it: no session works without it.",
  "message.added-essential": "Let sessions work without it, or let it require a capability.",
  "message.renamed": "Keep the old name, and add the new one with a capability.",
  "message.direction-changed": "Keep the message, and add one of another name for the other way.",
  "message.registration-added": gated,
  "message.registration-removed": "Keep it, and continue accepting registrations.",
  "message.registration-changed": "Accept registrations in both ways.",
  "wire.envelope-changed": "Keep the envelope: old peers recognize messages only by it.",
  "wire.framing-changed": "Keep the framing, and offer the new one on a port or option of its own.",
  "wire.spelling-changed": "Continue reading the old spelling, and write it to older peers.",
  "wire.answers-changed":
    "Continue answering as before, and let other answers require a capability.",
  "wire.conversation-changed": "Let both courses work for some versions.",
  "body.added-required": optional,
  "body.removed": keepSending,
  "body.became-required": optional,
  "body.became-optional": "Keep it required; an empty one can say that there is nothing to say.",
  "prop.required-name-added": "Declare the property, or take the name out of the required ones.",
  "prop.required-name-removed": "Declare the property, and continue sending it.",
  "prop.added-required": optional,
  "prop.removed-required": keepSending,
  "prop.added-closed": gated,
  "prop.added-required-closed": optional,
  "prop.removed-closed": keepSending,
  "prop.removed-required-closed": keepSending,
  "prop.renamed-optional": "Keep the old name, or send both for some versions.",
  "prop.renamed-required": "Keep the old name, or send both for some versions.",
  "prop.became-required": optional,
  "prop.became-optional": "Keep it required, or let its absence require a capability.",
  "type.widened": oldForm,
  "type.narrowed": keepReading,
  "type.changed": otherName,
  "type.number-to-int": "Let readers take fractions and round them.",
  "type.int-to-number": "Let writers send whole numbers to those who have not announced more.",
  "type.null-added": "Leave the property out instead of sending null.",
  "type.null-removed": "Let the new version read null as if the property were absent.",
  "type.array-wrapped": otherName,
  "type.array-unwrapped": otherName,
  "type.literal-changed": otherName,
  "enum.value-added": openList,
  "enum.value-removed": keepReading,
  "enum.introduced-closed": "Leave the list open.",
  "enum.dropped-closed": oldForm,
  "enum.opened": "Keep to the listed values with peers of older versions.",
  "enum.closed": "Leave the list open.",
  "union.branch-added": oldForm,
  "union.branch-removed": keepReading,
  "union.untagged-added": oldForm,
  "union.untagged-removed": keepReading,
  "union.widened": oldForm,
  "union.narrowed": keepReading,
  "object.closed": "Leave the object open.",
  "object.opened": "Keep to the named properties with peers of older versions.",
  "keys.widened": "Keep to the old keys with peers of older versions.",
  "keys.narrowed": keepReading,
  "keys.changed": "Put the new keys in a dictionary of another name.",
  "constraint.tightened": "Let readers take values beyond the bounds.",
  "constraint.loosened": "Keep to the old bounds with peers of older versions.",
  "constraint.changed": "Let readers take values beyond the bounds.",
  "constraint.pattern-added": "Let readers take texts that the pattern does not match.",
  "constraint.pattern-removed": "Keep to the old pattern with peers of older versions.",
  "constraint.pattern-changed": "Let readers take texts that the pattern does not match.",
  "condition.added": "Let readers accept values that violate the condition.",
  "condition.removed": "Keep to the old condition with peers of older versions.",
  "condition.changed": "Let readers accept values that violate the condition.",
  "default.changed": "Always send the value, so that its absence needs no meaning.",
  "gate.added": "Continue answering peers that use it without checking the capability first.",
  "gate.removed": "Continue announcing the capability, and asking for it.",
  "gate.changed": "Announce both capabilities.",
  "gate.sender-added": "Keep offering the message to those who do not announce the capability.",
  "gate.sender-removed": "Keep announcing the capability.",
  "gate.sender-changed": "Announce both capabilities.",
  "capability.removed": "Continue announcing it for as long as older peers look at it.",
};

/**
 * The alternative of a rule for the author of a protocol; undefined if nothing needs to be done.
 */
export function wayOutOf(id: string): string | undefined {
  return waysOut[id as DiffRuleId];
}

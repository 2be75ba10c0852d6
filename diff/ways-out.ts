import type { DiffRuleId } from "./compare/rules.js";

/**
 * For each rule, a suggestion to the protocol's author on how to make the change without breaking
 * anything.
 */
type WaysOut = { readonly [Id in DiffRuleId]?: string };

const optional = "Make the part optional, and define what its absence means.";
const keepSending = "Keep sending the removed part, and document it as deprecated.";
const gated =
  "Require a capability for the addition, so that only peers that announce the capability receive it.";
const otherName =
  "Keep the old definition unchanged, and add the new definition under a different name.";
const keepReading = "Make sure that the new version accepts messages from the old version.";
const oldForm =
  "Keep the old form, and either require a capability for the new form or put it in a separate property.";
const openList = "Require a capability for the value, or open the list in an earlier version.";

const waysOut: WaysOut = {
  "message.added-request": gated,
  "message.added-event": gated,
  "message.removed-gated": "Keep the message for as long as older peers announce its capability.",
  "message.removed-request": "Keep answering the request, and document it as deprecated.",
  "message.removed-event": keepSending,
  "message.removed-essential": "Keep the message, because sessions do not work without it.",
  "message.added-essential":
    "Make sessions work without the message, or require a capability for it.",
  "message.renamed": "Keep the old name, and require a capability for the new name.",
  "message.direction-changed":
    "Keep the message, and add one with a different name for the other direction.",
  "message.registration-added": gated,
  "message.registration-removed": "Keep the registration method, and keep accepting registrations.",
  "message.registration-changed": "Accept registrations with either method.",
  "wire.envelope-changed":
    "Keep the envelope, because it is the only one that old peers recognise.",
  "wire.framing-changed":
    "Keep the framing, and offer the new one on a separate port or as an option.",
  "wire.spelling-changed": "Keep accepting the old notation, and use it with older peers.",
  "wire.answers-changed": "Keep answering as before, and require a capability for other answers.",
  "wire.conversation-changed": "Support both sequences for a few versions.",
  "wire.error-code-removed": "Keep the error number, even if no peer sends it.",
  "wire.error-code-changed": "Keep the error number, and add a new error for the new number.",
  "body.added-required": optional,
  "body.removed": keepSending,
  "body.became-required": optional,
  "body.became-optional":
    "Keep the payload required, and send an empty payload if there is nothing to report.",
  "prop.required-name-added":
    "Declare the property, or remove its name from the list of required properties.",
  "prop.required-name-removed": "Declare the property, and keep sending it.",
  "prop.added-required": optional,
  "prop.removed-required": keepSending,
  "prop.added-closed": gated,
  "prop.added-required-closed": optional,
  "prop.removed-closed": keepSending,
  "prop.removed-required-closed": keepSending,
  "prop.renamed-optional": "Keep the old name, or send both names for a few versions.",
  "prop.renamed-required": "Keep the old name, or send both names for a few versions.",
  "prop.became-required": optional,
  "prop.became-optional": "Keep the property required, or require a capability for leaving it out.",
  "type.widened": oldForm,
  "type.narrowed": keepReading,
  "type.changed": otherName,
  "type.number-to-int": "Make readers accept fractions and round them.",
  "type.int-to-number":
    "Make writers send whole numbers to peers that have not announced support for fractions.",
  "type.null-added": "Omit the property instead of sending null.",
  "type.null-removed": "Make the new version treat null as an absent property.",
  "type.array-wrapped": otherName,
  "type.array-unwrapped": otherName,
  "type.literal-changed": otherName,
  "enum.value-added": openList,
  "enum.value-removed": keepReading,
  "enum.value-replaced": keepReading,
  "enum.introduced-closed": "Keep the list open.",
  "enum.dropped-closed": oldForm,
  "enum.opened": "Send only the listed values to older peers.",
  "enum.closed": "Keep the list open.",
  "union.branch-added": oldForm,
  "union.branch-removed": keepReading,
  "union.untagged-added": oldForm,
  "union.untagged-removed": keepReading,
  "union.widened": oldForm,
  "union.narrowed": keepReading,
  "object.closed": "Keep the object open.",
  "object.opened": "Send only the declared properties to older peers.",
  "keys.widened": "Send only the old keys to older peers.",
  "keys.narrowed": keepReading,
  "keys.changed": "Put the new keys in a dictionary with a different name.",
  "constraint.tightened": "Make readers accept values outside the bounds.",
  "constraint.loosened": "Stay within the old bounds when sending values to older peers.",
  "constraint.changed": "Make readers accept values outside the bounds.",
  "constraint.pattern-added": "Make readers accept strings that do not match the pattern.",
  "constraint.pattern-removed": "Send only strings that match the old pattern to older peers.",
  "constraint.pattern-changed": "Make readers accept strings that do not match the pattern.",
  "condition.added": "Make readers accept values that violate the condition.",
  "condition.removed": "Send only values that satisfy the old condition to older peers.",
  "condition.changed": "Make readers accept values that violate the condition.",
  "default.changed": "Always send the value, so that the default does not matter.",
  "gate.added": "Keep answering peers that use the feature without checking the capability.",
  "gate.removed": "Keep announcing the capability, and keep checking it.",
  "gate.changed": "Announce both capabilities.",
  "gate.sender-added": "Keep offering the message to peers that do not announce the capability.",
  "gate.sender-removed": "Keep announcing the capability.",
  "gate.sender-changed": "Announce both capabilities.",
  "capability.removed": "Keep announcing the capability for as long as older peers check it.",
};

/**
 * Suggests another way for a protocol's author to make a change, or returns undefined if none is
 * needed.
 */
export function wayOutOf(id: string): string | undefined {
  return waysOut[id as DiffRuleId];
}

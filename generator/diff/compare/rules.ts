/**
 * What becomes of a value that is written by one version and read by the other.
 *
 * - `ok`: every reader understands it
 * - `strict`: a reader that closes everything rejects it
 * - `lost`: such a reader rejects it, and others do not notice a part
 * - `degraded`: a reader that validates rejects it, a tolerant one makes the best of it
 * - `typed`: the same for peers whose language tells integers from other numbers
 * - `ranged`: a reader that enforces bounds rejects it, though bounds are for writers
 * - `different`: read, with another meaning
 * - `broken`: no reader can use it
 */
export type Sign =
  "ok" | "strict" | "lost" | "degraded" | "typed" | "ranged" | "different" | "broken";

/** Why code stops compiling: something is missing, wrong, superfluous, gone, or compared with what it cannot be. */
export type CompileError = "missing" | "type" | "excess" | "gone" | "overlap";

/** Whether TypeScript code of one side still compiles against the new types. */
export interface SourceVerdict {
  readonly compiles: boolean;
  readonly error?: CompileError;
  /** Which code fails: all that handles the type, only what names the place, only what passes the value on. */
  readonly when?: "always" | "direct-use" | "whole-value";
  /** Whether exhaustive switches and total maps fail, whatever else does. */
  readonly exhaustive: boolean;
}

/** A kind of change. The whole rule engine is a table of these. */
export interface DiffRule {
  readonly id: DiffRuleId;
  readonly area: string;
  /** A value of the old version, read by the new one. */
  readonly oldToNew: Sign;
  /** A value of the new version, read by the old one. */
  readonly newToOld: Sign;
  /** Old code that builds such values, compiled with the new types; then old code that reads them. */
  readonly producer: Compiles;
  readonly consumer: Compiles;
  /** Whether switches and maps over all cases stop compiling. */
  readonly exhaustive: boolean;
  /** The same change the other way round. */
  readonly mirror: DiffRuleId;
  readonly title: string;
  /** Why it matters. `{subject}`, `{before}` and `{after}` are filled in. */
  readonly reason: string;
}

export type Compiles = Pick<SourceVerdict, "compiles" | "error" | "when">;

const compiles: Compiles = { compiles: true };
const fails = (error: CompileError, when: SourceVerdict["when"] = "always"): Compiles => ({
  compiles: false,
  error,
  when,
});
const missing = fails("missing");
const type = fails("type");
const gone = fails("gone");
const excessDirect = fails("excess", "direct-use");
const goneDirect = fails("gone", "direct-use");
const overlap = fails("overlap");

type Row = readonly [
  oldToNew: Sign,
  newToOld: Sign,
  producer: Compiles,
  consumer: Compiles,
  mirror: string,
  title: string,
  reason: string,
  more?: { readonly exhaustive: true },
];

const all = { exhaustive: true } as const;

// prettier-ignore
const rows = {
  // id: old→new, new→old, producer, consumer, mirror, title, reason
  "message.added-gated": ["ok", "ok", compiles, compiles, "message.removed-gated", "Message added behind a capability", "It may be sent only to a peer that announced {gate}, which no older peer does.", all],
  "message.added-request": ["ok", "degraded", compiles, compiles, "message.removed-request", "Request added without a capability of its own", "An older peer answers a request that it does not know with an error.", all],
  "message.added-event": ["ok", "lost", compiles, compiles, "message.removed-event", "Event added without a capability of its own", "An older peer ignores an event that it does not know; some fail on it.", all],
  "message.removed-gated": ["ok", "lost", excessDirect, overlap, "message.added-gated", "Message behind a capability removed", "Nobody announces {gate} any more: the feature is gone.", all],
  "message.removed-request": ["degraded", "lost", excessDirect, overlap, "message.added-request", "Request removed", "A newer peer answers it with an error; newer peers never send it.", all],
  "message.removed-event": ["lost", "lost", excessDirect, overlap, "message.added-event", "Event removed", "A newer peer ignores it; older peers wait for it in vain.", all],
  "message.removed-essential": ["degraded", "broken", excessDirect, overlap, "message.added-essential", "Message removed that sessions depend on", "A session cannot go on without it.", all],
  "message.added-essential": ["broken", "degraded", compiles, compiles, "message.removed-essential", "Message added that sessions depend on", "A session of the new version cannot go on without it, and older peers do not know it.", all],
  "message.renamed": ["broken", "broken", excessDirect, overlap, "message.renamed", "Message renamed", "Peers know it by one of the two names only.", all],
  "message.direction-changed": ["broken", "broken", excessDirect, overlap, "message.direction-changed", "Message sent by the other side, or of another kind", "The peer that receives it does not expect it from there.", all],
  "body.added-optional": ["ok", "lost", compiles, compiles, "body.removed-optional", "Optional payload added", "An older reader does not look at it."],
  "body.added-required": ["broken", "lost", missing, compiles, "body.removed", "Required payload added", "Older writers do not send what newer readers require."],
  "body.removed": ["lost", "broken", excessDirect, gone, "body.added-required", "Required payload removed", "Newer writers do not send what older readers require."],
  "body.removed-optional": ["lost", "ok", excessDirect, goneDirect, "body.added-optional", "Optional payload removed", "A newer reader does not look at it."],
  "body.became-required": ["broken", "ok", missing, compiles, "body.became-optional", "Payload became required", "Older writers may leave it out, newer readers require it."],
  "body.became-optional": ["ok", "broken", compiles, type, "body.became-required", "Payload became optional", "Newer writers may leave it out, older readers require it."],
  "prop.added-optional": ["ok", "lost", compiles, compiles, "prop.removed-optional", "Optional property added", "An older reader does not look at it."],
  "prop.added-required": ["broken", "lost", missing, compiles, "prop.removed-required", "Required property added", "Older writers do not send what newer readers require."],
  "prop.removed-optional": ["lost", "ok", excessDirect, goneDirect, "prop.added-optional", "Optional property removed", "A newer reader does not look at it."],
  "prop.removed-required": ["lost", "broken", excessDirect, gone, "prop.added-required", "Required property removed", "Newer writers do not send what older readers require."],
  "prop.renamed-optional": ["lost", "lost", excessDirect, goneDirect, "prop.renamed-optional", "Optional property renamed", "Neither version looks at the other's name."],
  "prop.renamed-required": ["broken", "broken", fails("excess"), gone, "prop.renamed-required", "Required property renamed", "Each version requires its own name."],
  "prop.became-required": ["broken", "ok", missing, compiles, "prop.became-optional", "Property became required", "Older writers may leave it out, newer readers require it."],
  "prop.became-optional": ["ok", "broken", compiles, type, "prop.became-required", "Property became optional", "Newer writers may leave it out, older readers require it."],
  "type.widened": ["ok", "broken", compiles, type, "type.narrowed", "Type takes more values", "Newer writers may send {after}, older readers take {before} only."],
  "type.narrowed": ["broken", "ok", type, compiles, "type.widened", "Type takes fewer values", "Older writers may send {before}, newer readers take {after} only."],
  "type.changed": ["broken", "broken", type, type, "type.changed", "Type replaced", "One version has {before}, the other {after}."],
  "type.number-to-int": ["typed", "ok", compiles, compiles, "type.int-to-number", "Number became an integer", "Older writers may send fractions; peers with integer types cannot read them."],
  "type.int-to-number": ["ok", "typed", compiles, compiles, "type.number-to-int", "Integer became any number", "Newer writers may send fractions; peers with integer types cannot read them."],
  "type.null-added": ["ok", "broken", compiles, type, "type.null-removed", "Null allowed", "Newer writers may send null, older readers expect {before}."],
  "type.null-removed": ["broken", "ok", type, compiles, "type.null-added", "Null no longer allowed", "Older writers may send null, newer readers expect {after}."],
  "type.array-wrapped": ["broken", "broken", type, type, "type.array-unwrapped", "Single value became a list", "One version has {before}, the other {after}."],
  "type.array-unwrapped": ["broken", "broken", type, type, "type.array-wrapped", "List became a single value", "One version has {before}, the other {after}."],
  "type.literal-changed": ["degraded", "degraded", type, overlap, "type.literal-changed", "Fixed value replaced", "Each version expects its own value.", all],
  "enum.value-added": ["ok", "degraded", compiles, type, "enum.value-removed", "Value added to a closed list", "Older readers know no value {after}.", all],
  "enum.value-removed": ["degraded", "ok", type, compiles, "enum.value-added", "Value removed from a closed list", "Newer readers know no value {before}.", all],
  "enum.open-value-added": ["strict", "strict", compiles, compiles, "enum.open-value-removed", "Value added to an open list", "Readers of an open list take values that they do not know."],
  "enum.open-value-removed": ["strict", "strict", compiles, compiles, "enum.open-value-added", "Value removed from an open list", "Readers of an open list take values that they do not know."],
  "enum.introduced": ["strict", "ok", compiles, compiles, "enum.dropped", "Known values listed for a text", "The list is open: other texts stay valid."],
  "enum.dropped": ["ok", "strict", compiles, compiles, "enum.introduced", "List of known values given up", "The list was open: other texts were valid before."],
  "enum.introduced-closed": ["degraded", "ok", type, compiles, "enum.dropped-closed", "Text restricted to a closed list", "Older writers may send other texts than {after}."],
  "enum.dropped-closed": ["ok", "degraded", compiles, type, "enum.introduced-closed", "Closed list given up", "Newer writers may send other texts than {before}.", all],
  "enum.opened": ["ok", "degraded", compiles, type, "enum.closed", "List of values opened", "Newer writers may send values that older readers refuse.", all],
  "enum.closed": ["degraded", "ok", type, compiles, "enum.opened", "List of values closed", "Older writers may send values that newer readers refuse."],
  "union.branch-added": ["ok", "degraded", compiles, fails("type", "whole-value"), "union.branch-removed", "Alternative added", "Older readers know no {after} here.", all],
  "union.branch-removed": ["degraded", "ok", type, goneDirect, "union.branch-added", "Alternative removed", "Newer readers know no {before} here.", all],
  "object.closed": ["degraded", "ok", compiles, compiles, "object.opened", "Further properties forbidden", "Older writers may add properties that newer readers refuse."],
  "object.opened": ["ok", "degraded", compiles, compiles, "object.closed", "Further properties allowed", "Newer writers may add properties that older readers refuse."],
  "constraint.tightened": ["ranged", "ok", compiles, compiles, "constraint.loosened", "Bounds tightened", "Older writers may exceed the new bounds; bounds bind writers, and readers should not enforce them."],
  "constraint.loosened": ["ok", "ranged", compiles, compiles, "constraint.tightened", "Bounds loosened", "Newer writers may exceed the old bounds; bounds bind writers, and readers should not enforce them."],
  "constraint.changed": ["ranged", "ranged", compiles, compiles, "constraint.changed", "Bounds moved", "Each version allows values beyond the other's bounds; bounds bind writers, and readers should not enforce them."],
  "constraint.format-changed": ["ok", "ok", compiles, compiles, "constraint.format-changed", "Named format changed", "The format says what the value stands for; it is not checked."],
  "default.added": ["ok", "ok", compiles, compiles, "default.removed", "Default stated", "What an absent value means was not said before."],
  "default.changed": ["different", "different", compiles, compiles, "default.changed", "Default changed", "An absent value means {before} to one version and {after} to the other."],
  "default.removed": ["ok", "ok", compiles, compiles, "default.added", "Default no longer stated", "What an absent value means is not said any more."],
  "gate.added": ["degraded", "lost", compiles, compiles, "gate.removed", "Capability required", "Older peers use it without asking for {after}; newer ones do not use it with older peers."],
  "gate.removed": ["lost", "degraded", compiles, compiles, "gate.added", "Capability no longer required", "Newer peers use it without asking whether an older one announced {before}."],
  "gate.changed": ["degraded", "degraded", compiles, compiles, "gate.changed", "Another capability required", "Older peers look at {before}, newer ones at {after}."],
  "capability.added": ["ok", "ok", compiles, compiles, "capability.removed", "Capability added", "An older peer does not announce it, which means no."],
  "capability.removed": ["lost", "lost", excessDirect, goneDirect, "capability.added", "Capability removed", "What it announced is never used between peers of different versions."],
  "deprecated.added": ["ok", "ok", compiles, compiles, "deprecated.removed", "Deprecated", "It still works."],
  "deprecated.removed": ["ok", "ok", compiles, compiles, "deprecated.added", "No longer deprecated", "It may be used again."],
  "doc.normative": ["ok", "ok", compiles, compiles, "doc.normative", "Text with rules changed", "The text speaks of duties, capabilities or defaults: read it."],
  "doc.changed": ["ok", "ok", compiles, compiles, "doc.changed", "Text changed", "No rule of the text seems to have changed."],
} as const satisfies Readonly<Record<string, Row>>;

/** The ids of the rules. */
export type DiffRuleId = keyof typeof rows;

/** All rules by id, in the order of the catalogue. */
export const rules: ReadonlyMap<string, DiffRule> = new Map(
  (Object.entries(rows) as [DiffRuleId, Row][]).map(([id, row]) => [id, ruleOf(id, row)]),
);

/** The rule of an id. */
export function ruleBy(id: DiffRuleId): DiffRule {
  return rules.get(id)!;
}

function ruleOf(id: DiffRuleId, row: Row): DiffRule {
  const [oldToNew, newToOld, producer, consumer, mirror, title, reason, more] = row;
  return {
    id,
    area: id.slice(0, id.indexOf(".")),
    oldToNew,
    newToOld,
    producer,
    consumer,
    exhaustive: more?.exhaustive === true,
    mirror: mirror as DiffRuleId,
    title,
    reason,
  };
}

import { InputError } from "../base/input-error.js";
import type { Message, Payload, Protocol } from "../model/protocol.js";
import { receiverOf } from "../model/queries.js";
import type { Definition, Gate } from "../model/types.js";
import type { Change, Site } from "./compare/change.js";
import { shareKnowledge } from "./compare/common-knowledge.js";
import { compareObjects } from "./compare/compare-objects.js";
import { compareTexts } from "./compare/compare-texts.js";
import { TypeComparison } from "./compare/compare-types.js";
import { DefinitionPairs, type Pair, type Root } from "./compare/definition-pairs.js";
import { Effort } from "./compare/effort.js";
import type { DiffNote, DiffOptions, ProtocolDiff } from "./finding.js";
import { FindingBuilder } from "./finding-builder.js";
import { smallestValue } from "./compare/smallest-values.js";
import type { DiffRuleId } from "./compare/rules.js";
import { StructureMatcher } from "./compare/same-structure.js";
import { sideOf, type Side } from "./compare/side.js";
import { typeText } from "./compare/type-text.js";
import { withinStack } from "../base/within-stack.js";

/**
 * Compares two versions of a protocol: what changed, what it does to peers of different versions and to code,
 * and for what breaks a message that shows it.
 *
 * Messages are matched by kind and name, types by where they are used and by structure. The order of things, the
 * names of definitions, and definitions that no message uses make no difference.
 *
 * @throws InputError `ERR_ARGUMENT` for protocols between different sides; `ERR_TOO_DEEP` or `ERR_TOO_LARGE` for
 * definitions that contain each other in too long a row or in too many ways.
 */
export function diffProtocols(
  before: Protocol,
  after: Protocol,
  options: DiffOptions = {},
): ProtocolDiff {
  if (before.roles.join() !== after.roles.join())
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare ${before.title} with ${after.title}: one is between ${before.roles.join(" and ")}, the other between ${after.roles.join(" and ")}`,
      {},
      "Give two versions of one protocol",
    );
  return withinStack(
    () => compareMessages(before, after, options),
    "Cannot compare definitions that contain each other in so long a row",
    {},
    "Make parts of the row optional lists, or compare earlier versions",
  );
}

function compareMessages(before: Protocol, after: Protocol, options: DiffOptions): ProtocolDiff {
  const [known, knownAfter] = shareKnowledge(before, after);
  const [old, now] = [sideOf(known), sideOf(knownAfter)];
  const effort = new Effort();
  const builder = new FindingBuilder(old, now, options, effort);
  const pairs = new DefinitionPairs();
  let pair: Pair | undefined;
  let changes: Change[] = [];
  const types = new TypeComparison(
    old,
    now,
    (change) => void changes.push(change),
    (oldName, newName, steps) => pairs.link(pair!, oldName, newName, steps),
    options.reader === "strict",
    effort,
  );

  const roots = matchMessages(old, now, builder);
  for (const root of roots) pairs.addRoot(root);
  // Comparing a pair finds further pairs.
  for (pair of pairs) {
    changes = [];
    comparePair(types, pair);
    pair.changes = changes;
  }
  pairs.spread();
  for (const each of pairs) for (const change of each.changes) builder.add(change, each);

  const findings = builder.findings();
  return {
    protocol: after.name,
    before: before.version,
    after: after.version,
    roles: after.roles,
    pairs: builder.pairNames,
    reader: options.reader ?? "tolerant",
    findings,
    notes: renamedDefinitions(pairs, old, now),
  };
}

function comparePair(types: TypeComparison, pair: Pair): void {
  const { before, after, payload } = pair;
  const [old, now] = [types.before.typeOf(before), types.after.typeOf(after)];
  const [oldDefinition, newDefinition] = [
    types.before.definitions.get(before)!,
    types.after.definitions.get(after)!,
  ];
  const site: Site = {
    owner: after,
    label: "",
    steps: [],
    ...(oldDefinition.at === undefined ? {} : { before: oldDefinition.at }),
    ...(newDefinition.at === undefined ? {} : { after: newDefinition.at }),
  };
  // What stands inline has the text of the place where it stands.
  if (isInline(oldDefinition) === isInline(newDefinition))
    compareTexts(types, oldDefinition, newDefinition, site);
  if (payload !== undefined && old.kind === "object" && now.kind === "object") {
    compareObjects(types, old, now, site, payload.field);
    comparePayloads(types, site, pair);
  } else types.compare(old, now, site);
}

function isInline({ at }: Definition): boolean {
  return at?.includes("/properties/") === true;
}

/** Compares what two versions of a message carry. */
function comparePayloads(types: TypeComparison, site: Site, { payload }: Pair): void {
  const { field, before, after } = payload!;
  const place: Site = {
    ...site,
    label: `.${field}`,
    steps: [{ kind: "field", name: field }],
  };
  const [old, now] = [types.before, types.after];
  if (before === undefined || after === undefined) {
    const there = before ?? after;
    if (there === undefined) return;
    const isAdded = after !== undefined;
    const id = there.required
      ? isAdded
        ? "body.added-required"
        : "body.removed"
      : isAdded
        ? "body.added-optional"
        : "body.removed-optional";
    // Without the payload it is the message that shows the lack.
    types.report({ ...place, steps: [] }, id, {
      change: `${isAdded ? "+" : "-"} ${field}${there.required ? "" : "?"}: ${typeText(there.type)}`,
      old: field,
      new: field,
      oldToNew: () => messageWith(old, site.owner, field, before),
      newToOld: () => messageWith(now, site.owner, field, after),
    });
    return;
  }
  if (before.required !== after.required)
    types.report(
      { ...place, steps: [] },
      after.required ? "body.became-required" : "body.became-optional",
      {
        change: after.required ? "optional → required" : "required → optional",
        oldToNew: () => messageWith(old, site.owner, field, undefined),
        newToOld: () => messageWith(now, site.owner, field, undefined),
      },
    );
  types.compare(before.type, after.type, place);
}

function messageWith(
  side: Side,
  definition: string,
  field: string,
  payload: Payload | undefined,
): ReturnType<typeof smallestValue> {
  const message = smallestValue(side, { kind: "reference", name: definition });
  if (payload === undefined) return message;
  return { ...(message as object), [field]: smallestValue(side, payload.type) ?? null };
}

/** What the two versions of a message have in common becomes a root of the comparison; the rest is found. */
function matchMessages(old: Side, now: Side, builder: FindingBuilder): readonly Root[] {
  const roots: Root[] = [];
  const removed = [...old.messages].filter(([key]) => !now.messages.has(key));
  const added = [...now.messages].filter(([key]) => !old.messages.has(key));
  for (const [key, before] of removed) {
    const twin = added.find(([, after]) => after.name === before.name);
    const renamed = added.filter(([, after]) => isRenamed(old, now, before, after));
    if (twin !== undefined) {
      added.splice(added.indexOf(twin), 1);
      builder.addMessage("message.direction-changed", before, twin[1], `${key} → ${twin[0]}`);
    } else if (renamed.length === 1) {
      const [[, after]] = renamed as [[string, Message]];
      added.splice(added.indexOf(renamed[0]!), 1);
      builder.addMessage("message.renamed", before, after, `${before.name} → ${after.name}`);
    } else builder.addMessage(removedRules[fate(old, now, before)], before, undefined, "-");
  }
  for (const [, after] of added)
    builder.addMessage(addedRules[fate(now, old, after)], undefined, after, "+");
  for (const [key, after] of now.messages) {
    const before = old.messages.get(key);
    if (before === undefined) continue;
    if (before.sender !== after.sender)
      builder.addMessage(
        "message.direction-changed",
        before,
        after,
        `sent by ${before.sender} → ${after.sender}`,
      );
    compareGates(builder, before, after);
    roots.push(...rootsOf(now, before, after));
  }
  const { error } = now.protocol.bases;
  const { error: oldError } = old.protocol.bases;
  const isIn = (side: Side, name: string | undefined): name is string =>
    name !== undefined && side.definitions.has(name);
  if (isIn(old, oldError) && isIn(now, error))
    roots.push({
      before: oldError,
      after: error,
      label: "error response",
      receivers: now.protocol.roles,
    });
  return roots;
}

function rootsOf(now: Side, before: Message, after: Message): readonly Root[] {
  const { envelope, roles } = now.protocol;
  const receivers = (sender: string): readonly string[] =>
    sender === "both" ? roles : roles.filter((role) => role !== sender);
  const payload = (
    field: string,
    one: Payload | undefined,
    other: Payload | undefined,
  ): NonNullable<Pair["payload"]> => ({
    field,
    ...(one === undefined ? {} : { before: one }),
    ...(other === undefined ? {} : { after: other }),
  });
  const message = {
    before: before.definition,
    after: after.definition,
    label: `${after.name} ${after.kind}`,
    receivers: receivers(after.sender),
    payload: payload(envelope[after.kind].payload, before.payload, after.payload),
  };
  if (before.kind !== "request" || after.kind !== "request") return [message];
  const { response } = envelope;
  const { responseDefinition: answerBefore } = before;
  const { responseDefinition: answerAfter } = after;
  if (response === undefined || answerBefore === undefined || answerAfter === undefined)
    return [message];
  return [
    message,
    {
      before: answerBefore,
      after: answerAfter,
      label: `${after.name} response`,
      receivers: receivers(receiverOf(now.protocol, after.sender)),
      payload: payload(response.result, before.result, after.result),
    },
  ];
}

type Fate = "essential" | "gated" | "request" | "event";

const addedRules: Readonly<Record<Fate, DiffRuleId>> = {
  essential: "message.added-essential",
  gated: "message.added-gated",
  request: "message.added-request",
  event: "message.added-event",
};

const removedRules: Readonly<Record<Fate, DiffRuleId>> = {
  essential: "message.removed-essential",
  gated: "message.removed-gated",
  request: "message.removed-request",
  event: "message.removed-event",
};

/** What happens to a message that only one version has: `has` has it, `lacks` does not. */
function fate(has: Side, lacks: Side, message: Message): Fate {
  if (has.protocol.essential.includes(message.name)) return "essential";
  const { gate } = message;
  if (gate !== undefined && !lacks.flags.has(`${gate.role}.${gate.flag}`)) return "gated";
  return message.kind;
}

function compareGates(builder: FindingBuilder, before: Message, after: Message): void {
  const text = (gate: Gate | undefined): string =>
    gate === undefined ? "" : `${gate.role}.${gate.flag}`;
  const [old, now] = [text(before.gate), text(after.gate)];
  if (old === now) return;
  const id = old === "" ? "gate.added" : now === "" ? "gate.removed" : "gate.changed";
  builder.addMessage(id, before, after, `${old || "none"} → ${now || "none"}`, old, now);
}

/** A message that went and one that came, with payloads built alike that say something. */
function isRenamed(old: Side, now: Side, before: Message, after: Message): boolean {
  if (before.kind !== after.kind || before.sender !== after.sender) return false;
  const [one, other] = [before.payload?.type, after.payload?.type];
  if (one === undefined || other === undefined) return false;
  const resolved = old.resolve(one);
  if (resolved.kind !== "object" || old.propertiesOf(resolved).length === 0) return false;
  return new StructureMatcher(old, now).isSame(one, other);
}

function renamedDefinitions(pairs: DefinitionPairs, old: Side, now: Side): readonly DiffNote[] {
  return [...pairs]
    .filter(({ before, after }) => !now.definitions.has(before) && !old.definitions.has(after))
    .map(({ before, after }) => ({ id: "definition.renamed", before, after }));
}

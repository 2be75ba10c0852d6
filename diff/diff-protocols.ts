import { InputError } from "../generator/base/input-error.js";
import { withinStack } from "../generator/base/within-stack.js";
import type { Protocol } from "../generator/model/protocol.js";
import type { Definition } from "../generator/model/types.js";
import type { FoundChanges } from "./compare/change.js";
import { shareKnowledge, uncomparedFacts } from "./unstated-facts.js";
import { compareMessages } from "./compare/compare-messages.js";
import { comparePayloads } from "./compare/compare-payloads.js";
import { compareTexts } from "./compare/compare-texts.js";
import { compareUnsent, typesForCode } from "./compare/compare-definitions.js";
import { compareWire } from "./compare/compare-wire.js";
import { Comparison, Scope } from "./compare/comparison.js";
import { compareObjects, compareTypes } from "./compare/compare-types.js";
import { DefinitionPairs, type Pair } from "./compare/definition-pairs.js";
import { WorkBudget } from "./compare/work-budget.js";
import { reachedFrom, sideOf, type Side } from "./compare/side.js";
import { buildFindings } from "./build-findings.js";
import type { DiffOptions, ProtocolDiff } from "./finding.js";
import { pairingsOf } from "./verdicts.js";
import { notesOf } from "./notes.js";

/** Compares two versions of a protocol. */
export function diffProtocols(
  before: Protocol,
  after: Protocol,
  options: DiffOptions = {},
): ProtocolDiff {
  if (before.roles.join() !== after.roles.join())
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot compare ${before.title} with ${after.title}: one is a protocol between ${before.roles.join(" and ")}, the other between ${after.roles.join(" and ")}`,
      {},
      "Give two versions of the same protocol",
    );
  refuseRenamedCapabilities(before, after);
  return withinStack(
    () => compareVersions(before, after, options),
    "Cannot compare the two versions: a chain of definitions that contain each other is too long",
    {},
    "Make parts of the chain optional arrays, or compare earlier versions",
  );
}

/**
 * Throws if a definition of capabilities was renamed. Capabilities are looked up by the name of
 * their definition, so all of them would appear to have been removed.
 */
function refuseRenamedCapabilities(before: Protocol, after: Protocol): void {
  const [beforeSide, afterSide] = [sideOf(before), sideOf(after)];
  for (const { role, definition } of [...before.capabilities, ...after.capabilities]) {
    const [having, lacking] = beforeSide.definitions.has(definition)
      ? [beforeSide, afterSide]
      : [afterSide, beforeSide];
    if (!having.definitions.has(definition) || lacking.definitions.has(definition)) continue;
    const flags = fieldsOf(having, definition);
    const renamed = [...lacking.definitions.keys()].find((name) => {
      if (having.definitions.has(name)) return false;
      const names = new Set(fieldsOf(lacking, name));
      return flags.length > 0 && flags.filter((flag) => names.has(flag)).length * 2 > flags.length;
    });
    if (renamed === undefined) continue;
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find the ${role}'s capabilities in ${lacking.protocol.version}: "${definition}" is called "${renamed}" there`,
      {},
      `Keep the name, or compare with a description that names "${renamed}" under "capabilities"`,
    );
  }
}

function fieldsOf(side: Side, definition: string): readonly string[] {
  const type = side.definitions.get(definition)?.type;
  return type?.kind === "object" ? side.propertiesOf(type).map(({ name }) => name) : [];
}

function compareVersions(before: Protocol, after: Protocol, options: DiffOptions): ProtocolDiff {
  const [knownBefore, knownAfter] = shareKnowledge(before, after);
  const versions = { before: sideOf(knownBefore), after: sideOf(knownAfter) };
  const reader = options.reader ?? "tolerant";
  const budget = new WorkBudget();
  const messages = compareMessages(versions);
  const pairs = new DefinitionPairs();
  for (const root of messages.roots) pairs.addRoot(root);
  comparePairs(new Comparison(versions.before, versions.after, reader, budget), pairs);
  pairs.spread();

  const changes = {
    messages: [...compareWire(versions), ...messages.changes],
    unsent: compareUnsent(versions, pairs),
    pairs,
  };
  const pairings = pairingsOf(after.roles);
  return {
    protocol: after.name,
    before: before.version,
    after: after.version,
    roles: after.roles,
    pairs: [pairings[0].name, pairings[1].name],
    reader,
    findings: buildFindings(changes, { versions, pairings, options, budget }),
    notes: notesOf(pairs, versions),
    uncompared: uncomparedFacts(before, after),
  };
}

/** Compares all pairs of definitions, including pairs that only turn up along the way. */
function comparePairs(types: Comparison, pairs: DefinitionPairs): void {
  const compared = new Set<Pair>();
  const compareAll = (): void => {
    for (const pair of pairs) {
      if (compared.has(pair)) continue;
      compared.add(pair);
      const { changes, links } = comparePair(types, pair);
      pair.changes = changes;
      for (const link of links) pairs.link(pair, link);
    }
  };
  compareAll();
  const { roles } = types.after.protocol;
  const received = roles.map((role) =>
    reachedFrom(types.after.definitions, pairs.receivedBy(role)),
  );
  for (const name of typesForCode(types.before, types.after, pairs)) {
    const receivers = roles.filter((_, index) => received[index]!.has(name));
    pairs.addForCode(name, receivers.length === 0 ? roles : receivers);
  }
  compareAll();
}

function comparePair(types: Comparison, { before, after, payload, part }: Pair): FoundChanges {
  const [beforeType, afterType] = [types.before.typeOf(before), types.after.typeOf(after)];
  const beforeDefinition = types.before.definitions.get(before)!;
  const afterDefinition = types.after.definitions.get(after)!;
  // If either version has both definitions, it is the reference that has changed, not the
  // definitions.
  const isReplaced =
    before !== after &&
    (types.after.definitions.has(before) || types.before.definitions.has(after));
  const scope = new Scope(types, {
    owner: isReplaced ? (part ?? after) : after,
    label: "",
    steps: [],
    before: beforeDefinition.pointer,
    after: afterDefinition.pointer,
  });
  // An inline definition has the same description as the property that contains it.
  if (!isReplaced && isInline(beforeDefinition) === isInline(afterDefinition))
    compareTexts(scope, beforeDefinition, afterDefinition);
  if (payload !== undefined && beforeType.kind === "object" && afterType.kind === "object") {
    compareObjects(scope, beforeType, afterType, new Set([payload.field]));
    comparePayloads(scope, payload);
  } else if (isReplaced && part !== undefined)
    // Compare the two as references, so that the whole definition counts as replaced if they have
    // nothing in common.
    compareTypes(scope, { kind: "reference", name: before }, { kind: "reference", name: after });
  else compareTypes(scope, beforeType, afterType);
  return scope.found;
}

function isInline({ pointer }: Definition): boolean {
  return pointer?.includes("/properties/") === true;
}

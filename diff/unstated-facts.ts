import { oncePer, oncePerText } from "../generator/model/once.js";
import type { Fact, Message, Payload, Protocol } from "../generator/model/protocol.js";
import type {
  Definition,
  EnumValue,
  NumericType,
  Property,
  Type,
} from "../generator/model/types.js";

/**
 * Removes, from both versions, any facts that only one of the two sources can state. A fact that a
 * source has no way to express is unknown; it must not count as removed.
 */
export function shareKnowledge(before: Protocol, after: Protocol): readonly [Protocol, Protocol] {
  const [unstatedBefore, unstatedAfter] = [new Set(before.unstated), new Set(after.unstated)];
  const isSameKind =
    unstatedBefore.size === unstatedAfter.size &&
    [...unstatedBefore].every((fact) => unstatedAfter.has(fact));
  // Sources of the same kind leave out the same facts, so any other difference is real. Remove only
  // descriptions and deprecations, because these may have been copied from another version.
  const facts = isSameKind
    ? [...unstatedBefore].filter(isOfTexts)
    : [...new Set([...unstatedBefore, ...unstatedAfter])];
  if (facts.length === 0) return [before, after];
  const listed = facts.sort().join();
  return [withoutFacts(before)(listed), withoutFacts(after)(listed)];
}

function isOfTexts(fact: Fact): boolean {
  return fact === "docs" || fact === "deprecation";
}

/**
 * Caches the protocols from which facts have been removed, because a version is usually compared
 * with several others.
 */
const withoutFacts = oncePer((protocol: Protocol) =>
  oncePerText((facts) => removeFacts(protocol, new Set(facts.split(",") as Fact[]))),
);

function removeFacts(protocol: Protocol, facts: ReadonlySet<Fact>): Protocol {
  return {
    ...protocol,
    messages: protocol.messages.map((message) => messageWithout(message, facts)),
    definitions: protocol.definitions.map((definition) => ({
      ...textWithout<Definition>(definition, facts),
      type: typeWithout(definition.type, facts),
    })),
  };
}

function messageWithout(message: Message, facts: ReadonlySet<Fact>): Message {
  const part = (payload: Payload | undefined): Payload | undefined =>
    payload && { ...payload, type: typeWithout(payload.type, facts) };
  const plain = { ...textWithout<Message>(message, facts), payload: part(message.payload) };
  return plain.kind === "request" ? { ...plain, result: part(plain.result) } : plain;
}

function typeWithout(type: Type, facts: ReadonlySet<Fact>): Type {
  switch (type.kind) {
    case "string":
      return facts.has("ranges") ? { kind: "string" } : type;
    case "integer":
    case "number":
      return numberWithout(type, facts);
    case "enum":
      if (type.open && facts.has("open-values") && typeof type.values[0]?.value === "string")
        return { kind: "string" };
      return { ...type, values: type.values.map((value) => textWithout<EnumValue>(value, facts)) };
    case "array": {
      const types = {
        items: typeWithout(type.items, facts),
        first: type.first?.map((item) => typeWithout(item, facts)),
      };
      // A tuple's length is part of its type, so keep it.
      const isBare = facts.has("ranges") && type.first === undefined;
      return isBare ? { kind: "array", ...types } : { ...type, ...types };
    }
    case "map":
      return { ...type, values: typeWithout(type.values, facts) };
    case "union":
      return { kind: "union", members: type.members.map((member) => typeWithout(member, facts)) };
    case "object":
      return {
        ...type,
        extras: facts.has("extras") ? "open" : type.extras,
        properties: type.properties.map((property) => ({
          ...textWithout<Property>(property, facts),
          type: typeWithout(property.type, facts),
        })),
      };
    default:
      return type;
  }
}

function numberWithout(type: NumericType, facts: ReadonlySet<Fact>): NumericType {
  const kind = facts.has("integers") ? "number" : type.kind;
  return facts.has("ranges") ? { kind } : { ...type, kind };
}

function textWithout<Documented extends { readonly docs?: string; readonly deprecated?: string }>(
  part: Documented,
  facts: ReadonlySet<Fact>,
): Documented {
  if (part.docs === undefined && part.deprecated === undefined) return part;
  const { docs, deprecated, ...rest } = part;
  return {
    ...rest,
    docs: facts.has("docs") ? undefined : docs,
    deprecated: facts.has("deprecation") ? undefined : deprecated,
  } as Documented;
}

/** A fact that cannot be compared, because at least one version does not state it. */
export interface UncomparedFact {
  readonly fact: Fact;
  readonly unstatedBy: "before" | "after" | "both";
}

/**
 * The names used for the facts in reports. Discriminators are not reported, because messages can be
 * distinguished without them.
 */
const names: Readonly<Record<Exclude<Fact, "discriminators">, string>> = {
  docs: "descriptions",
  deprecation: "deprecations",
  ranges: "ranges and formats",
  integers: "whole numbers",
  extras: "closed objects",
  "open-values": "values of open lists",
  gates: "required capabilities",
};

/**
 * Returns the facts that cannot be compared. Descriptions and deprecations are left out if neither
 * version states them.
 */
export function uncomparedFacts(before: Protocol, after: Protocol): readonly UncomparedFact[] {
  const [unstatedBefore, unstatedAfter] = [new Set(before.unstated), new Set(after.unstated)];
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((fact): UncomparedFact[] => {
    const [byBefore, byAfter] = [unstatedBefore.has(fact), unstatedAfter.has(fact)];
    if (byBefore && byAfter)
      return fact === "docs" || fact === "deprecation" ? [] : [{ fact, unstatedBy: "both" }];
    if (!byBefore && !byAfter) return [];
    return [{ fact, unstatedBy: byBefore ? "before" : "after" }];
  });
}

/**
 * Returns up to three sentences: one each for the facts missing from the old version, from the new
 * version, and from both.
 */
export function uncomparedTexts({
  uncompared,
  before,
  after,
}: {
  readonly uncompared: readonly UncomparedFact[];
  readonly before: string;
  readonly after: string;
}): readonly string[] {
  const ends = {
    before: `${before} does not state`,
    after: `${after} does not state`,
    both: "neither version states",
  };
  return (["before", "after", "both"] as const).flatMap((side) => {
    const facts = uncompared.filter(({ unstatedBy }) => unstatedBy === side);
    if (facts.length === 0) return [];
    const listed = facts.map(({ fact }) => names[fact as keyof typeof names]);
    return [`Not compared: ${listed.join(", ")}, which ${ends[side]}.`];
  });
}

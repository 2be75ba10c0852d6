import { pointerStep } from "../base/json-pointer.js";
import { numberedSections, type FaultMask } from "./fault-mask.js";
import type { Tolerance } from "./findings.js";
import { missingPart } from "./missing-part.js";
import type { Bounds, EnvelopePart, ObjectRule, Rule } from "./rule.js";

/**
 * A rule in the form needed by the plain walk. All nodes have the same fields, because engines read
 * such objects faster.
 */
export interface PlainRuleNode {
  readonly type:
    Extract<Rule, string> | "value" | "oneOf" | "list" | "map" | "object" | "late" | "anyOf";
  /** Bounds on a number, or on the number of characters or items. */
  readonly min: number;
  readonly max: number;
  readonly allowed: readonly (string | number | boolean)[] | undefined;
  readonly item: PlainRuleNode | undefined;
  /** The primitive types, if several are allowed. */
  readonly members: readonly PlainRuleNode[] | undefined;
  /** Returns the enclosing definition that a recursive reference refers to. */
  readonly target: (() => PlainRuleNode) | undefined;
  readonly properties: readonly PlainProperty[] | undefined;
  readonly byName: ReadonlyMap<string, PlainProperty> | undefined;
  /** Returns a bit mask of the invalid properties. */
  readonly faults: FaultMask | undefined;
  /** Whether the value has no parts. */
  readonly isLeaf: boolean;
  /** Whether the value is a whole message. */
  readonly message: boolean;
  /**
   * Whether properties without a rule are expected (`free`) or are errors (`closed`). If undefined,
   * they are unknown fields.
   */
  readonly extras: "free" | "closed" | undefined;
  readonly recursive: boolean;
  /** A description of the expected value; undefined until it is needed. */
  text: string | undefined;
}

export interface PlainProperty {
  readonly name: string;
  /** The name as a JSON Pointer step. */
  readonly step: string;
  readonly node: PlainRuleNode;
  readonly required: boolean;
  readonly part: EnvelopePart | undefined;
  /** The tolerance that accepts a missing property. */
  readonly missing: Tolerance | undefined;
  /**
   * Whether every object inherits a property with this name, so that only an own property counts.
   */
  readonly own: boolean;
}

const plainNodes = /* @__PURE__ */ new WeakMap<object, PlainRuleNode>();

export function plainNode(rule: Rule): PlainRuleNode {
  if (typeof rule === "string") return nodeWith({ type: rule });
  let node = plainNodes.get(rule);
  if (node === undefined) plainNodes.set(rule, (node = makePlainNode(rule)));
  return node;
}

type Parts = Partial<PlainRuleNode> & Pick<PlainRuleNode, "type">;

function nodeWith(parts: Parts): PlainRuleNode {
  return {
    faults: undefined,
    properties: undefined,
    message: false,
    recursive: false,
    isLeaf: !(parts.item ?? parts.properties ?? parts.target),
    item: undefined,
    target: undefined,
    text: undefined,
    min: -Infinity,
    max: Infinity,
    allowed: undefined,
    members: undefined,
    byName: undefined,
    extras: undefined,
    ...parts,
  };
}

function makePlainNode(rule: Exclude<Rule, string>): PlainRuleNode {
  if (typeof rule === "function") return plainNode(rule());
  if ("rule" in rule) return plainNode(rule.rule);
  for (const type of ["string", "number", "integer"] as const)
    if (type in rule) {
      const [min, max] = (rule as Readonly<Record<string, Bounds>>)[type]!;
      return nodeWith({ type, min, max });
    }
  if ("value" in rule) return nodeWith({ type: "value", allowed: [rule.value] });
  if ("oneOf" in rule) return nodeWith({ type: "oneOf", allowed: rule.oneOf });
  if ("list" in rule) {
    const [min, max] = rule.size ?? [0, Infinity];
    return nodeWith({ type: "list", min, max, item: plainNode(rule.list) });
  }
  if ("late" in rule) {
    let target: PlainRuleNode | undefined;
    return nodeWith({ type: "late", target: () => (target ??= plainNode(rule.late)) });
  }
  if ("anyOf" in rule) return nodeWith({ type: "anyOf", members: rule.anyOf.map(plainNode) });
  if ("map" in rule) return nodeWith({ type: "map", item: plainNode(rule.map) });
  return nodeWith(plainObject(rule as ObjectRule));
}

/** Creates the node for an object, whose bases' properties come first. */
function plainObject({
  faults,
  extras,
  message,
  recursive,
  bases = [],
  ...own
}: ObjectRule): Parts {
  const nodes = bases.map(plainNode);
  const byName = new Map(nodes.flatMap((base) => [...base.byName!]));
  for (const section of numberedSections)
    for (const [name, each] of Object.entries(own[section] ?? {})) {
      const inherited = byName.get(name);
      const annotated = typeof each === "object" && "rule" in each ? each : undefined;
      const part = annotated?.part ?? inherited?.part;
      byName.set(name, {
        name,
        step: pointerStep(name),
        node: plainNode(each),
        // A property required by a base remains required.
        required: section === "required" || inherited?.required === true,
        part,
        missing:
          part !== undefined
            ? missingPart[part]
            : annotated?.implied === true
              ? "implied"
              : undefined,
        own: name in Object.prototype,
      });
    }
  return {
    type: "object",
    properties: [...byName.values()],
    byName,
    faults: extras === "closed" ? undefined : faults,
    recursive: recursive === true,
    message: message === true || nodes.some((base) => base.message),
    extras: extras ?? (byName.size === 0 ? "free" : undefined),
  };
}

import { pointerStep } from "../base/json-pointer.js";
import { hasCharacters, isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";
import { boundedText, oneOfText, sizeText } from "./expected-text.js";
import { numberedSections, sharedBit, type FaultMask } from "./fault-mask.js";
import type {
  Tolerance,
  Validation,
  ValidateOptions,
  ValidationIssue,
  ValidationIssueCode,
} from "./findings.js";
import {
  addIssue,
  emptyList,
  isShortNumeral,
  reportUnreadable,
  tooDeep,
  type Findings,
} from "./issues.js";
import { missingPart } from "./missing-part.js";
import type { EnvelopePart, ObjectRule, Rule } from "./rule.js";
import { maxIssuesOf, mustListUnknownFields, passed, toleratedBy } from "./validate-options.js";

/** A rule prepared for this walk. */
interface PlainRuleNode {
  readonly type:
    Extract<Rule, string> | "value" | "oneOf" | "list" | "map" | "object" | "late" | "anyOf";
  /** Bounds of a number, or of the number of characters or items. */
  readonly min: number;
  readonly max: number;
  readonly allowed?: readonly (string | number | boolean)[];
  readonly item?: PlainRuleNode;
  /** The primitive types, one of which the value must have. */
  readonly members?: readonly PlainRuleNode[];
  /** The enclosing definition to which a recursive reference refers. */
  readonly target?: () => PlainRuleNode;
  readonly properties?: readonly PlainProperty[];
  readonly byName?: ReadonlyMap<string, PlainProperty>;
  /** Returns a bit mask of the invalid properties. */
  readonly faults?: FaultMask | undefined;
  /** Whether it is the top level of a message. */
  readonly message?: boolean;
  /** Whether other properties are expected, or are errors. */
  readonly extras?: "free" | "closed" | undefined;
  readonly recursive?: boolean;
  /** The expected value, in words; undefined until it is needed. */
  text?: string;
}

interface PlainProperty {
  readonly name: string;
  /** The name as a step of a JSON Pointer. */
  readonly step: string;
  readonly node: PlainRuleNode;
  readonly required: boolean;
  readonly part: EnvelopePart | undefined;
  /** The tolerance that accepts its absence. */
  readonly missing: Tolerance | undefined;
}

interface PlainWalk extends Findings {
  /** Whether to report unknown fields, also in valid values. */
  readonly lists: boolean;
  /** Whether to check properties one by one, to find out which one cannot be read. */
  careful: boolean;
  /** JSON Pointer of the object that is being read. */
  reading: string;
}

/**
 * Creates the validator of a plain rule. Such a rule has no responses, no conditions and no
 * alternatives other than primitive types, and neither have the rules that it refers to. The
 * validator returns the same results as that of `createValidator`, with a third of the code, so
 * that a bundle with few validators is small.
 */
export function createPlainValidator<Type>(
  rule: Rule,
): (value: unknown, options?: ValidateOptions) => Validation<Type> {
  let root: PlainRuleNode | undefined;
  return (value, options) => {
    const tolerated = toleratedBy(options);
    const node = (root ??= plainNode(rule));
    const mustList = mustListUnknownFields(tolerated);
    let mask: number | undefined;
    try {
      if (node.faults !== undefined && isObject(value)) {
        mask = node.faults(value, 0);
        if (mask === 0 && (!mustList || knowsAll(node, value))) return passed(value as Type);
      }
    } catch {
      // The walk below reads the same value again and reports the exception.
    }
    const refused = mask !== undefined && mask !== 0;
    const walk = (lists: boolean): Findings => {
      const found: PlainWalk = {
        tolerated,
        lists,
        maxIssues: maxIssuesOf(options),
        careful: false,
        reading: "",
        issues: emptyList,
        deviations: emptyList,
        done: false,
      };
      try {
        if (refused && !lists) visitPlainObject(found, node, value as AnyFields, "", 0, mask);
        else visitPlain(found, node, value, "", 0);
      } catch {
        found.careful = true;
        found.issues = found.deviations = emptyList;
        found.done = false;
        try {
          visitPlain(found, node, value, "", 0);
        } catch {
          reportUnreadable(found, found.reading);
        }
      }
      return found;
    };
    let found = walk(mustList && !refused);
    if (refused && found.issues.length === 0) {
      if (mustList) found = walk(true);
      // A getter or proxy returned different values on two reads.
      if (found.issues.length + found.deviations.length === 0) reportUnreadable(found, "");
    }
    const { issues, deviations } = found;
    return issues.length === 0
      ? { ok: true, value: value as Type, deviations }
      : { ok: false, issues };
  };
}

/** Whether a valid value certainly has no unknown fields. */
function knowsAll(node: PlainRuleNode, value: unknown): boolean {
  const { item, byName } = node;
  if (item !== undefined)
    return (
      node.type === "list" && (value as readonly unknown[]).every((each) => knowsAll(item, each))
    );
  if (byName === undefined) return node.type !== "late";
  for (const name in value as object) {
    const property = byName.get(name);
    if (property === undefined) {
      if (node.extras !== "free") return false;
    } else if (property.node.item || property.node.byName || property.node.target) {
      const part = (value as AnyFields)[name];
      if (part !== undefined && !knowsAll(property.node, part)) return false;
    }
  }
  return true;
}

const plainNodes = /* @__PURE__ */ new WeakMap<object, PlainRuleNode>();

function plainNode(rule: Rule): PlainRuleNode {
  if (typeof rule === "string") return { type: rule, min: -Infinity, max: Infinity };
  let node = plainNodes.get(rule);
  if (node === undefined) plainNodes.set(rule, (node = makePlainNode(rule)));
  return node;
}

function makePlainNode(rule: Exclude<Rule, string>): PlainRuleNode {
  if (typeof rule === "function") return plainNode(rule());
  if ("rule" in rule) return plainNode(rule.rule);
  const [min, max] = boundsOf(rule);
  if ("string" in rule) return { type: "string", min, max };
  if ("number" in rule) return { type: "number", min, max };
  if ("integer" in rule) return { type: "integer", min, max };
  if ("value" in rule) return { type: "value", min, max, allowed: [rule.value] };
  if ("oneOf" in rule) return { type: "oneOf", min, max, allowed: rule.oneOf };
  if ("list" in rule) return { type: "list", min, max, item: plainNode(rule.list) };
  if ("late" in rule) return { type: "late", min, max, target: () => plainNode(rule.late) };
  if ("anyOf" in rule) return { type: "anyOf", min, max, members: rule.anyOf.map(plainNode) };
  if ("map" in rule) return { type: "map", min, max, item: plainNode(rule.map) };
  return plainObject(rule as ObjectRule);
}

function boundsOf(rule: object): readonly [number, number] {
  for (const word of ["string", "number", "integer", "size"])
    if (word in rule) return (rule as Record<string, readonly [number, number]>)[word]!;
  return [0, Infinity];
}

/** An object with the properties of its bases first. */
function plainObject({
  faults,
  extras,
  message,
  recursive,
  bases = [],
  ...own
}: ObjectRule): PlainRuleNode {
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
        // A property that a base requires stays required.
        required: section === "required" || inherited?.required === true,
        part,
        missing:
          part !== undefined
            ? missingPart[part]
            : annotated?.implied === true
              ? "implied"
              : undefined,
      });
    }
  return {
    type: "object",
    min: 0,
    max: Infinity,
    properties: [...byName.values()],
    byName,
    faults: extras === "closed" ? undefined : faults,
    recursive: recursive === true,
    message: message === true || nodes.some((base) => base.message),
    extras: extras ?? (byName.size === 0 ? "free" : undefined),
  };
}

/** @param tolerance Accepts the value if it is wrong as a whole. */
function visitPlain(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: unknown,
  path: string,
  depth: number,
  tolerance?: Tolerance,
): void {
  const code = plainCode(node, value);
  if (code !== undefined) {
    const isTooMuch = code === "out-of-range" && node.type === "integer";
    if (isTooMuch && Number.isSafeInteger(value)) tolerance ??= "integer-range";
    if (code === "not-in-enum") tolerance ??= "closed-enum";
    addPlainIssue(walk, node, path, code, value, tolerance, node.type === "oneOf");
  } else if (node.properties !== undefined)
    visitPlainObject(walk, node, value as AnyFields, path, node.recursive === true ? 0 : depth);
  else if (node.target !== undefined) visitEnclosing(walk, node.target(), value, path, depth);
  else if (node.item !== undefined)
    visitPlainItems(walk, node, node.item, value as object, path, depth);
}

/** Visits the items of a list, or the values of a map. */
function visitPlainItems(
  walk: PlainWalk,
  node: PlainRuleNode,
  item: PlainRuleNode,
  value: object,
  path: string,
  depth: number,
): void {
  if (Array.isArray(value)) {
    if (value.length < node.min || value.length > node.max)
      addPlainIssue(walk, node, path, "wrong-size", value);
    if (item.type === "any") return;
    for (let index = 0; index < value.length && !walk.done; index++)
      visitPlain(walk, item, value[index], `${path}/${index}`, depth);
    return;
  }
  if (item.type === "any") return;
  walk.reading = path;
  for (const key of Object.keys(value)) {
    visitPlain(walk, item, (value as AnyFields)[key], path + pointerStep(key), depth);
    if (walk.done) return;
  }
}

function visitPlainObject(
  walk: PlainWalk,
  { properties, byName, faults, message, extras }: PlainRuleNode,
  value: AnyFields,
  path: string,
  depth: number,
  // If unknown fields are listed, visit valid parts, too.
  mask: number = walk.careful || walk.lists || faults === undefined ? -1 : faults(value, depth),
): void {
  walk.reading = path;
  for (let at = 0; mask !== 0 && at < properties!.length; at++) {
    if ((mask & (1 << Math.min(at, sharedBit))) !== 0)
      visitPlainProperty(walk, properties![at]!, message === true, value, path, depth);
    if (walk.done) return;
  }
  if (extras !== "closed" && (extras === "free" || !walk.lists)) return;
  let names: readonly string[] = [];
  try {
    names = Object.keys(value);
  } catch (error) {
    if (extras === "closed") throw error;
  }
  for (const name of names) {
    if (byName!.has(name)) continue;
    let received: unknown;
    try {
      received = value[name];
    } catch {
      // A field that is not checked may be unreadable.
    }
    addIssue(walk, {
      pointer: path + pointerStep(name),
      code: "unknown-field",
      expected: "no such field",
      received,
      rule: "unknown-field",
    });
    if (walk.done) return;
  }
}

function visitPlainProperty(
  walk: PlainWalk,
  { name, node, required, part, missing, step }: PlainProperty,
  message: boolean,
  value: AnyFields,
  path: string,
  depth: number,
): void {
  const { type } = node;
  // An optional property that accepts anything is not read, so it may throw.
  if (!required && type === "any") return;
  const field = name in Object.prototype && !Object.hasOwn(value, name) ? undefined : value[name];
  if (field === undefined) {
    if (required) addPlainIssue(walk, node, path + step, "missing", field, missing);
  } else if (field === null && !plainTakesNull(node)) {
    const isEssential = message && required && (part === undefined || part === "replyTo");
    const tolerance = isEssential ? undefined : "null";
    addPlainIssue(walk, node, path + step, "wrong-type", field, tolerance);
  } else {
    const isReference = part === "id" || part === "replyTo";
    const isText = part === "id" && type === "integer" && isShortNumeral(field);
    const tolerance = isReference && field === 0 ? "id-unset" : isText ? "id-text" : undefined;
    visitPlain(walk, node, field, path + step, depth, tolerance);
  }
}

function plainTakesNull({ type, members }: PlainRuleNode): boolean {
  return type === "any" || type === "null" || members?.some(plainTakesNull) === true;
}

/** Visits a value of an enclosing definition. */
function visitEnclosing(
  walk: PlainWalk,
  node: PlainRuleNode,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (depth < maxNesting) {
    if (node.properties !== undefined && isObject(value))
      visitPlainObject(walk, node, value, path, depth + 1);
    else visitPlain(walk, node, value, path, depth + 1);
    return;
  }
  addIssue(walk, tooDeep(path));
  // Stop here: the value may be cyclic, and then everything below has been checked.
  walk.done = true;
}

/** The fault of a value as a whole. */
function plainCode(
  { type, min, max, allowed, members }: PlainRuleNode,
  value: unknown,
): ValidationIssueCode | undefined {
  switch (type) {
    case "any":
    case "late":
      return undefined;
    case "null":
      return value === null ? undefined : "wrong-type";
    case "boolean":
      return typeof value === type ? undefined : "wrong-type";
    case "string":
      if (typeof value !== type) return "wrong-type";
      return hasCharacters(value as string, min, max) ? undefined : "wrong-size";
    case "number":
    case "integer":
      if (!(type === "number" ? Number.isFinite(value) : Number.isInteger(value)))
        return "wrong-type";
      return (value as number) >= min && (value as number) <= max ? undefined : "out-of-range";
    case "value":
    case "oneOf":
      if (allowed!.includes(value as string)) return undefined;
      if (type === "value") return "wrong-value";
      return typeof value === typeof allowed![0] ? "not-in-enum" : "wrong-type";
    case "anyOf":
      return members!.some((each) => plainCode(each, value) === undefined)
        ? undefined
        : "wrong-type";
    case "list":
      return Array.isArray(value) ? undefined : "wrong-type";
    default:
      return isObject(value) ? undefined : "wrong-type";
  }
}

/** Adds an issue of a value as a whole. @param lists Whether to list the values of an enum. */
function addPlainIssue(
  walk: PlainWalk,
  node: PlainRuleNode,
  pointer: string,
  code: ValidationIssueCode,
  received: unknown,
  rule?: Tolerance,
  lists = false,
): void {
  const expected = (node.text ??= plainText(node));
  const issue: { -readonly [Name in keyof ValidationIssue]: ValidationIssue[Name] } = {
    pointer,
    code,
    expected,
    received,
  };
  if (lists && node.allowed !== undefined) issue.allowed = node.allowed;
  if (rule !== undefined) issue.rule = rule;
  addIssue(walk, issue);
}

/** The values that a rule accepts, in words. */
function plainText({ type, min, max, allowed, target, members }: PlainRuleNode): string {
  switch (type) {
    case "anyOf":
      return [...new Set(members!.map(plainText))].join(" or ");
    case "late":
      return plainText(target!());
    case "value":
      return JSON.stringify(allowed![0]);
    case "oneOf":
      return oneOfText(allowed!);
    case "list":
      return `an array${sizeText(min, max, "item")}`;
    case "map":
    case "object":
      return "an object";
    default:
      return boundedText(type, min, max);
  }
}

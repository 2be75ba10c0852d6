import type { Json, Type } from "../model/types.js";
import { codeVerdict, type Change, type Step } from "./compare/change.js";
import { AcceptedValues } from "./compare/accepted-values.js";
import { readings } from "./compare/readings.js";
import type { DiffRule } from "./compare/rule-family.js";
import { itemTypeAt } from "../model/type-checks.js";
import type { OwnedProperty, Side } from "./compare/side.js";
import { TypeTexts, wrap, type Example } from "./code-types.js";
import { place, typeBelow } from "./embed-value.js";
import type { Draft } from "./finding-drafts.js";
import type { CodeExample } from "./finding.js";
import type { Versions } from "./pairings.js";

/** Maximum number of locations of one change for which an example is tried. */
const maxPairs = 8;

/** Maximum length of an example in characters. People would not read a longer example. */
const maxLength = 1_000;

/**
 * Creates an example of code that stops compiling after a change, for one role. Undefined if one or
 * two lines cannot show it.
 */
export function codeExamples(
  { change, pairs }: Draft,
  versions: Versions,
  role: string,
  receivers: readonly string[],
): readonly CodeExample[] {
  const { after } = versions;
  const isBroken = (receiver: string): boolean =>
    !codeVerdict(change, receiver === role ? "reads" : "builds").compiles;
  const receiver = receivers.find(isBroken);
  if (receiver === undefined) return [];
  for (const { before: name } of pairs.slice(0, maxPairs)) {
    if (!after.definitions.has(name) || isStillThere(after, change, name)) continue;
    const example =
      receiver === role ? readingCode(versions, name, change) : writingCode(versions, name, change);
    if (example === undefined) continue;
    const names = [...new Set([name, ...example.names])].sort();
    const text = `import type { ${names.join(", ")} } from ${JSON.stringify(after.protocol.packageName)};\n\n${example.text}\n`;
    if (text.length <= maxLength) return [{ role, text }];
  }
  return [];
}

/** Whether the new type still has the removed property, for example through a base. */
function isStillThere(after: Side, { rule, site, old }: Change, name: string): boolean {
  if (rule.consumer.error !== "removed" || old === undefined) return false;
  const owner = typeBelow(after, { kind: "reference", name }, site.steps);
  if (owner === undefined) return false;
  const resolved = after.resolve(owner);
  // An object type without properties accepts any property, including the removed one.
  const isFree = resolved.kind === "object" && after.propertiesOf(resolved).length === 0;
  return isFree || hasProperty(after, owner, old);
}

/**
 * Example code that builds a value of the old version and does not compile with the new type.
 * Undefined if the new type accepts the value.
 */
function writingCode(
  { before, after }: Versions,
  name: string,
  { rule, site, oldToNew }: Change,
): Example | undefined {
  const value = oldToNew?.();
  if (value === undefined) return undefined;
  const type: Type = { kind: "reference", name };
  const whole = place(before, type, site.steps, value, true);
  // Check the value against the whole type: the value may belong to a renamed derived type.
  if (!new AcceptedValues(before, readings.attentive).has(type, whole)) return undefined;
  // TypeScript accepts a literal of a union with properties of any alternative.
  const reading = rule.producer.error === "excess" ? readings.attentive : readings.code;
  if (new AcceptedValues(after, reading).has(type, whole)) return undefined;
  return { text: `export const value: ${name} = ${literalText(whole)};`, names: [] };
}

/**
 * Prints a value as an expression. In an object literal, `__proto__` defines a property only in
 * brackets.
 */
function literalText(value: Json): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
}

/** Example code that reads a value of the old version. */
function readingCode(versions: Versions, name: string, change: Change): Example | undefined {
  const { before } = versions;
  const { rule, site, old, reads } = change;
  const { error } = codeVerdict(change, "reads");
  const whole: Part = { type: { kind: "reference", name }, isOptional: false };
  const owner = partBelow(before, whole, site.steps);
  const steps = site.steps.filter(({ kind }) => kind !== "member");
  const named = site.label.match(/\.[^.[{]+|\[\]|\{\}/g) ?? [];
  if (owner === undefined) return undefined;
  // The site of an added or removed property is the object that contains it.
  const field = [old, named.at(-1)?.slice(1)]
    .filter((each) => named.length > steps.length && each !== undefined)
    .map((each): Step => ({ kind: "field", name: each! }))
    .find((step) => partBelow(before, owner, [step]) !== undefined);
  const path = field === undefined ? steps : [...steps, field];
  const part = field === undefined ? owner : partBelow(before, owner, [field])!;
  // Assert in the example that the value is not null.
  const start = before.formOf(whole.type).null ? "value!" : "value";
  const access = (own: readonly Step[]): string =>
    own.length === 0 ? "value" : `${start}${pathOf(own)}`;
  if (error === "removed")
    return field === undefined
      ? undefined
      : { text: `export const read = (value: ${name}): unknown => ${access(path)};`, names: [] };
  const lost = reads === false ? lostProperty(versions, whole, path, part) : undefined;
  if (lost !== undefined)
    return {
      text: `export const read = (value: ${name}): unknown => ${access([...path, lost])};`,
      names: [],
    };
  // TypeScript accepts a dictionary as an object without required properties, so the example would
  // compile.
  if (
    before.alternativesOf(part.type).some((each) => weakProperties(before, each) !== undefined) &&
    isMap(versions.after, name, path)
  )
    return undefined;
  const properties = weakProperties(before, part.type);
  if (properties !== undefined && !isAboutAbsence(rule)) {
    // TypeScript accepts almost any object as a type without required properties, so the example
    // reads one of its optional properties.
    const [first] = properties;
    if (first === undefined) return undefined;
    return readPart(versions, name, { type: first.type, isOptional: true }, () =>
      access([...path, { kind: "field", name: first.name }]),
    );
  }
  // Show no example: the code would read a dictionary by a name that the new object may also have,
  // so it may compile.
  if (reads === false && before.alternativesOf(part.type).some(({ kind }) => kind === "map"))
    return undefined;
  // Show no example: the property was already optional in another alternative.
  if (rule.id === "prop.became-optional" && part.isOptional) return undefined;
  if (error !== "overlap") return readPart(versions, name, part, () => access(path));
  // If a type has several alternatives, the fixed value of one of them has changed: use the old
  // value of the change.
  const value = before.alternativesOf(part.type).length === 1 ? part.type : undefined;
  const type = value === undefined ? literalOf(old) : new TypeTexts(versions).of(value);
  return type === undefined
    ? undefined
    : {
        text: `export const isIt = (value: ${name}): boolean => ${access(path)} === ${type.text};`,
        names: type.names,
      };
}

/**
 * A property that all alternatives had, and that one of the new alternatives lacks. A dictionary
 * never lacks a property.
 */
function lostProperty(
  { before, after }: Versions,
  whole: Part,
  path: readonly Step[],
  part: Part,
): Step | undefined {
  const now = partBelow(after, whole, path);
  const others = after.alternativesOf(now?.type ?? { kind: "null" });
  if (others.some(({ kind }) => kind !== "object" && kind !== "null")) return undefined;
  return before
    .alternativesOf(part.type)
    .flatMap((type) => (type.kind === "object" ? before.propertiesOf(type) : []))
    .map(({ name }): Step => ({ kind: "field", name }))
    .find(
      (step) =>
        partBelow(before, part, [step]) !== undefined &&
        others.some((each) => each.kind === "object" && partOf(after, each, step) === undefined),
    );
}

/**
 * The expression for a fixed value, given the text of a type. Undefined if the text is not a fixed
 * value.
 */
function literalOf(text: string | undefined): Example | undefined {
  return text !== undefined && /^(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false)$/.test(text)
    ? { text, names: [] }
    : undefined;
}

/** Whether a rule means that a value may now be null or undefined. */
function isAboutAbsence({ id }: DiffRule): boolean {
  return id === "type.null-added" || id === "prop.became-optional";
}

function readPart(
  versions: Versions,
  name: string,
  { type, isOptional }: Part,
  access: () => string,
): Example | undefined {
  const text = new TypeTexts(versions).of(type);
  return wrap(
    text,
    (own) =>
      `export const read = (value: ${name}): ${own}${isOptional ? " | undefined" : ""} => ${access()};`,
  );
}

/** A part of a value that code can read. */
interface Part {
  readonly type: Type;
  /**
   * Whether the part may be undefined. Array items and values of dictionaries may be undefined
   * under some compiler settings.
   */
  readonly isOptional: boolean;
}

/**
 * A part that code can read without distinguishing alternatives. Undefined if an alternative lacks
 * it.
 */
function partBelow(side: Side, whole: Part, steps: readonly Step[]): Part | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return whole;
  if (step.kind === "member") return partBelow(side, whole, rest);
  const parts = side
    .alternativesOf(whole.type)
    .filter(({ kind }) => kind !== "null")
    .map((each) => partOf(side, each, step));
  const known = parts.filter((part) => part !== undefined);
  const [first] = known;
  if (first === undefined || known.length < parts.length) return undefined;
  const members = known.map(({ type }) => type);
  const isSame = members.every((type) => side.resolve(type) === side.resolve(first.type));
  const part: Part = {
    type: isSame ? first.type : { kind: "union", members },
    isOptional: known.some(({ isOptional }) => isOptional),
  };
  return partBelow(side, part, rest);
}

function partOf(side: Side, type: Type, step: Step): Part | undefined {
  switch (step.kind) {
    case "field": {
      const properties = type.kind === "object" ? side.propertiesOf(type) : [];
      const property = properties.find(({ name }) => name === step.name);
      return property && { type: property.type, isOptional: !property.required };
    }
    case "items":
      if (type.kind !== "array") return undefined;
      return { type: itemTypeAt(type, step.index ?? 0), isOptional: step.index === undefined };
    case "values":
      return type.kind === "map" ? { type: type.values, isOptional: true } : undefined;
    case "member":
      return undefined;
  }
}

/** The properties of an object whose properties are all optional. Undefined for any other type. */
function weakProperties(side: Side, type: Type): readonly OwnedProperty[] | undefined {
  const resolved = side.resolve(type);
  const properties = resolved.kind === "object" ? side.propertiesOf(resolved) : undefined;
  return properties?.every(({ required }) => !required) === true ? properties : undefined;
}

/** Whether a part is a dictionary, or a union with a dictionary among its alternatives. */
function isMap(side: Side, name: string, steps: readonly Step[]): boolean {
  const whole: Part = { type: { kind: "reference", name }, isOptional: false };
  const part = partBelow(side, whole, steps);
  return part !== undefined && side.alternativesOf(part.type).some(({ kind }) => kind === "map");
}

/** Whether a type is an object with a property of this name. */
function hasProperty(side: Side, type: Type, name: string): boolean {
  const resolved = side.resolve(type);
  return (
    resolved.kind === "object" && side.propertiesOf(resolved).some((each) => each.name === name)
  );
}

/** The expression that accesses a part. It asserts that each intermediate part is present. */
function pathOf(steps: readonly Step[]): string {
  return steps
    .map((step, index) => {
      const access =
        step.kind === "field"
          ? memberText(step.name)
          : step.kind === "items"
            ? `[${step.index ?? 0}]`
            : '["key"]';
      return index === steps.length - 1 ? access : `${access}!`;
    })
    .join("");
}

function memberText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

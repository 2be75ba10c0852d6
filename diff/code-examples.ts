import type { Json, Type } from "../generator/model/types.js";
import { codeVerdict, type Change, type Step } from "./compare/change.js";
import { AcceptedValues, readings } from "./compare/accepted-values.js";
import type { DiffRule } from "./compare/rule-family.js";
import { itemTypeAt } from "../generator/model/type-checks.js";
import type { Side, Versions } from "./compare/side.js";
import type { OwnedProperty } from "./compare/type-lookup.js";
import { TypeTexts, wrap, type Example } from "./code-types.js";
import { place, typeBelow } from "./find-witnesses.js";
import type { Draft } from "./finding-drafts.js";
import type { CodeExample } from "./finding.js";

/** Maximum number of locations to try per change when looking for an example. */
const maxPairs = 8;

/** Maximum length of an example, in characters. Nobody would read a longer one. */
const maxLength = 1_000;

/**
 * Creates an example of one role's code that stops compiling after a change. The result is empty if
 * one or two lines are not enough to show the problem.
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

/**
 * Returns whether the new type still has the removed property, for example by inheriting it from a
 * base.
 */
function isStillThere(after: Side, { rule, site, before: old }: Change, name: string): boolean {
  if (rule.consumer.error !== "removed" || old === undefined) return false;
  const owner = typeBelow(after, { kind: "reference", name }, site.steps);
  if (owner === undefined) return false;
  const resolved = after.resolve(owner);
  // An object type that declares no properties accepts any property, including the removed one.
  const isFree = resolved.kind === "object" && after.propertiesOf(resolved).length === 0;
  return isFree || hasProperty(after, owner, old);
}

/**
 * Returns code that builds a value from the old version and does not compile with the new type, or
 * undefined if the new type accepts the value.
 */
function writingCode(
  { before, after }: Versions,
  name: string,
  { rule, site, oldToNew }: Change,
): Example | undefined {
  const value = oldToNew?.();
  if (value === undefined) return undefined;
  const type: Type = { kind: "reference", name };
  const whole = place(before, type, site.steps, value, "before");
  // Check against the whole type, because the value may belong to a derived type that was renamed.
  if (!new AcceptedValues(before, readings.attentive).has(type, whole)) return undefined;
  // In an object literal for a union, TypeScript accepts properties from any of the alternatives.
  const reading = rule.producer.error === "excess" ? readings.attentive : readings.code;
  if (new AcceptedValues(after, reading).has(type, whole)) return undefined;
  return { text: `export const value: ${name} = ${literalText(whole)};`, names: [] };
}

/**
 * Formats a value as an expression. In an object literal, `__proto__` defines an ordinary property
 * only when it is in brackets.
 */
function literalText(value: Json): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
}

/**
 * Returns code that reads a value from the old version and stops compiling, or undefined if no
 * example is suitable.
 */
function readingCode(versions: Versions, name: string, change: Change): Example | undefined {
  const { before } = versions;
  const { rule, site, before: old, reads } = change;
  const { error } = codeVerdict(change, "reads");
  const whole: Part = { type: { kind: "reference", name }, isOptional: false };
  const owner = partBelow(before, whole, site.steps);
  const steps = site.steps.filter(({ kind }) => kind !== "member");
  const named = site.label.match(/\.[^.[{]+|\[\]|\{\}/g) ?? [];
  if (owner === undefined) return undefined;
  // For an added or removed property, the site is the object that contains the property.
  const field = [old, named.at(-1)?.slice(1)]
    .filter((each) => named.length > steps.length && each !== undefined)
    .map((each): Step => ({ kind: "field", name: each! }))
    .find((step) => partBelow(before, owner, [step]) !== undefined);
  const path = field === undefined ? steps : [...steps, field];
  const part = field === undefined ? owner : partBelow(before, owner, [field])!;
  // Use a non-null assertion if the value may be null.
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
  // TypeScript accepts a dictionary where an object without required properties is expected, so the
  // example would compile.
  if (
    before.alternativesOf(part.type).some((each) => weakProperties(before, each) !== undefined) &&
    isMap(versions.after, name, path)
  )
    return undefined;
  const properties = weakProperties(before, part.type);
  if (properties !== undefined && !isAboutAbsence(rule)) {
    // TypeScript accepts almost any object for a type without required properties, so read one of
    // the optional properties instead.
    const [first] = properties;
    if (first === undefined) return undefined;
    return readPart(versions, name, { type: first.type, isOptional: true }, () =>
      access([...path, { kind: "field", name: first.name }]),
    );
  }
  // Show no example: the new object may have a property with the same name as the dictionary key
  // that the code reads, so the code may compile.
  if (reads === false && before.alternativesOf(part.type).some(({ kind }) => kind === "map"))
    return undefined;
  // Show no example: another alternative already allowed the property to be absent.
  if (rule.id === "prop.became-optional" && part.isOptional) return undefined;
  if (error !== "overlap") return readPart(versions, name, part, () => access(path));
  // If the type has several alternatives, only one of them has a changed fixed value, so take the
  // old value from the change.
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
 * Finds a property that all old alternatives had but one of the new ones lacks. A dictionary is
 * never considered to lack a property.
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
 * Returns the text of a type as an expression if it denotes a single fixed value, or undefined
 * otherwise.
 */
function literalOf(text: string | undefined): Example | undefined {
  return text !== undefined && /^(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false)$/.test(text)
    ? { text, names: [] }
    : undefined;
}

/** Returns whether a rule reports that a value may now be null or undefined. */
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

/** Part of a value, as seen by code that reads it. */
interface Part {
  readonly type: Type;
  /**
   * Whether the part may be undefined. Under some compiler settings, this includes array items and
   * dictionary values.
   */
  readonly isOptional: boolean;
}

/**
 * Returns the part at the end of the steps if code can read it without distinguishing alternatives,
 * or undefined if an alternative lacks it.
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

/**
 * Returns the properties of an object type if all of them are optional, or undefined for any other
 * type.
 */
function weakProperties(side: Side, type: Type): readonly OwnedProperty[] | undefined {
  const resolved = side.resolve(type);
  const properties = resolved.kind === "object" ? side.propertiesOf(resolved) : undefined;
  return properties?.every(({ required }) => !required) === true ? properties : undefined;
}

/** Returns whether a part is a dictionary, or a union that includes one. */
function isMap(side: Side, name: string, steps: readonly Step[]): boolean {
  const whole: Part = { type: { kind: "reference", name }, isOptional: false };
  const part = partBelow(side, whole, steps);
  return part !== undefined && side.alternativesOf(part.type).some(({ kind }) => kind === "map");
}

/** Returns whether a type is an object that has a property with this name. */
function hasProperty(side: Side, type: Type, name: string): boolean {
  const resolved = side.resolve(type);
  return (
    resolved.kind === "object" && side.propertiesOf(resolved).some((each) => each.name === name)
  );
}

/**
 * Returns the expression that accesses a part, with a non-null assertion on each intermediate part.
 */
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

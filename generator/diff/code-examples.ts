import type { Json, ObjectType, Type } from "../model/types.js";
import type { Change, Step } from "./compare/change.js";
import type { Compiles } from "./compare/rule-family.js";
import type { Side } from "./compare/side.js";
import { place, typeBelow } from "./embed-value.js";
import type { Draft } from "./finding-drafts.js";
import type { CodeExample } from "./finding.js";
import type { Versions } from "./meetings.js";

/** Longest example, in characters: nobody reads more. */
const maxLength = 1_000;

/** Code of a role that a change breaks, if a line or two can show it. */
export function codeExamples(
  { change, pairs }: Draft,
  { before, after }: Versions,
  role: string,
  receivers: readonly string[],
): readonly CodeExample[] {
  const [pair] = pairs;
  if (pair === undefined || !after.definitions.has(pair.before)) return [];
  const name = pair.before;
  const { rule } = change;
  const asReceiver = rule.consumer;
  const isBroken = (receiver: string): boolean =>
    !(receiver === role ? asReceiver : rule.producer).compiles;
  const receiver = receivers.find(isBroken);
  if (receiver === undefined || isStillThere(after, change, name)) return [];
  const example =
    receiver === role
      ? readingCode(before, name, change, asReceiver)
      : writingCode(before, name, change.site.steps, change.oldToNew?.());
  if (example === undefined) return [];
  const names = [...new Set([name, ...example.names])].sort();
  const text = `import type { ${names.join(", ")} } from ${JSON.stringify(after.protocol.packageName)};\n\n${example.text}\n`;
  return text.length > maxLength ? [] : [{ role, text }];
}

/** Whether the base of a type lets in what went. */
function isStillThere(after: Side, { rule, site, old }: Change, name: string): boolean {
  if (rule.consumer.error !== "gone" || old === undefined) return false;
  const owner = typeBelow(after, { kind: "reference", name }, site.steps);
  return owner !== undefined && hasProperty(after, owner, old);
}

/** A line of code, and the definitions that it names. */
interface Example {
  readonly text: string;
  readonly names: readonly string[];
}

/** Code that builds a value as the old version has it. */
function writingCode(
  before: Side,
  name: string,
  steps: readonly Step[],
  value: Json | undefined,
): Example | undefined {
  if (value === undefined) return undefined;
  const whole = place(before, { kind: "reference", name }, steps, value, true);
  return { text: `export const value: ${name} = ${literalText(whole)};`, names: [] };
}

/** A value as an expression. In a literal, `__proto__` is no property but for brackets. */
function literalText(value: Json): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
}

/** Code that reads a value as the old version has it. */
function readingCode(
  before: Side,
  name: string,
  { site, old }: Change,
  { error }: Compiles,
): Example | undefined {
  const whole: Type = { kind: "reference", name };
  const owner = typeBelow(before, whole, site.steps);
  const [named, last] = [site.label.match(/\.[^.[{]+|\[\]|\{\}/g) ?? [], site.steps.length];
  // What comes and goes as a whole is stated by the object that it is a part of.
  const isPart = named.length > last && owner !== undefined;
  const part = [old, named.at(-1)?.slice(1)].find(
    (each) => isPart && each !== undefined && hasProperty(before, owner, each),
  );
  const steps: readonly Step[] =
    part === undefined ? site.steps : [...site.steps, { kind: "field", name: part }];
  const own = steps.length === 0 ? before.typeOf(name) : typeBelow(before, whole, steps);
  if (own === undefined || (error === "gone" && part === undefined)) return undefined;
  if (!isReached(before, whole, steps)) return undefined;
  const path = pathOf(steps);
  const type: Example | undefined =
    error === "gone" ? { text: "unknown", names: [] } : typeScriptOf(before, own);
  if (type === undefined) return undefined;
  const text =
    error === "overlap"
      ? `export const isIt = (value: ${name}): boolean => value${path} === ${type.text};`
      : `export const read = (value: ${name}): ${type.text}${error !== "gone" && isOptional(before, whole, steps) ? " | undefined" : ""} => value${path};`;
  return { text, names: type.names };
}

/** Whether code gets to a part without telling alternatives apart; null is passed over with `!`. */
function isReached(before: Side, whole: Type, steps: readonly Step[]): boolean {
  return steps.every((_, index) => {
    const type = typeBelow(before, whole, steps.slice(0, index)) ?? { kind: "any" };
    const alternatives = before.alternativesOf(type).filter(({ kind }) => kind !== "null");
    return alternatives.length <= 1;
  });
}

/** Whether a part may be absent in the old version. */
function isOptional(before: Side, whole: Type, steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  if (last?.kind !== "field") return false;
  const owner = before.resolve(typeBelow(before, whole, steps.slice(0, -1)) ?? { kind: "any" });
  const objects = owner.kind === "union" ? before.alternativesOf(owner) : [owner];
  return objects.some(
    (each) =>
      each.kind === "object" &&
      before.propertiesOf(each).some(({ name, required }) => name === last.name && !required),
  );
}

/** Whether a type is an object with a property. */
function hasProperty(side: Side, type: Type, name: string): boolean {
  const resolved = side.resolve(type);
  return (
    resolved.kind === "object" && side.propertiesOf(resolved).some((each) => each.name === name)
  );
}

/** Access to a part, with each step in between taken to be there. */
function pathOf(steps: readonly Step[]): string {
  return steps
    .map((step, index) => {
      const access =
        step.kind === "field"
          ? memberText(step.name)
          : step.kind === "items"
            ? `[${step.index ?? 0}]`
            : '["key"]';
      // TypeScript may say that an item or a value is not there.
      const isThere = step.kind === "field" && index === steps.length - 1;
      return isThere ? access : `${access}!`;
    })
    .join("");
}

function memberText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A type of the old version in TypeScript; undefined if it is not short. */
function typeScriptOf(before: Side, type: Type): Example | undefined {
  switch (type.kind) {
    case "any":
      return { text: "unknown", names: [] };
    case "null":
    case "boolean":
    case "string":
    case "number":
      return { text: type.kind, names: [] };
    case "integer":
      return { text: "number", names: [] };
    case "literal":
      return { text: JSON.stringify(type.value), names: [] };
    case "enum":
      return {
        text: type.open
          ? typeof type.values[0]?.value
          : type.values.map(({ value }) => JSON.stringify(value)).join(" | "),
        names: [],
      };
    case "reference":
      return { text: type.name, names: [type.name] };
    case "array":
      if (type.first !== undefined)
        return wrap(
          joined(
            type.first.map((item) => typeScriptOf(before, item)),
            ", ",
          ),
          (items) => `readonly [${items}]`,
        );
      return wrap(typeScriptOf(before, type.items), (items) => `readonly (${items})[]`);
    case "map":
      return wrap(
        typeScriptOf(before, type.values),
        (values) => `Readonly<Record<string, ${values}>>`,
      );
    case "union":
      return joined(
        type.members.map((each) => typeScriptOf(before, each)),
        " | ",
      );
    case "object":
      return objectText(before, type);
  }
}

function objectText(before: Side, type: ObjectType): Example | undefined {
  const fields = before
    .propertiesOf(type)
    .map(({ name, required, type: own }) =>
      wrap(
        typeScriptOf(before, own),
        (text) => `${JSON.stringify(name)}${required ? "" : "?"}: ${text}`,
      ),
    );
  return wrap(joined(fields, "; "), (text) => `{ ${text} }`);
}

function wrap(example: Example | undefined, write: (text: string) => string): Example | undefined {
  return example === undefined ? undefined : { ...example, text: write(example.text) };
}

function joined(examples: readonly (Example | undefined)[], between: string): Example | undefined {
  const known = examples.filter((each) => each !== undefined);
  if (known.length < examples.length) return undefined;
  return {
    text: known.map(({ text }) => text).join(between),
    names: known.flatMap(({ names }) => names),
  };
}

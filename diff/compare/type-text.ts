import { checksOf, isNever, unnamedTypes } from "../../generator/model/type-checks.js";
import type { Check, Type } from "../../generator/model/types.js";

/** Briefly describes a type, for use in reports. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "any":
      return "any value";
    case "string":
      return `${type.format === undefined ? "string" : `string (${type.format})`}${boundsText(type.minLength, type.maxLength, " of length ")}`;
    case "integer":
    case "number":
      return `${type.format ?? type.kind}${boundsText(type.minimum, type.maximum, " ")}`;
    case "literal":
      return JSON.stringify(type.value);
    case "enum": {
      const shown = type.values.slice(0, 6).map(({ value }) => JSON.stringify(value));
      if (type.values.length > 6) shown.push("…");
      if (type.open) shown.push("other");
      return shown.join(" | ");
    }
    case "array": {
      if (type.first !== undefined) {
        const isFull = isNever(type.items) || type.first.length >= (type.maxItems ?? Infinity);
        const rest = isFull ? [] : [`...${typeText({ kind: "array", items: type.items })}`];
        const { minItems = 0 } = type;
        const parts = type.first.map((item, index) => itemText(item, index >= minItems ? "?" : ""));
        return `[${[...parts, ...rest].join(", ")}]`;
      }
      return `${itemText(type.items, "[]")}${boundsText(type.minItems, type.maxItems, " of length ")}`;
    }
    case "map":
      return `map of ${typeText(type.values)}`;
    case "object": {
      const names = type.properties.map(({ name, required, type: part }) => {
        const tag = required && part.kind === "literal" ? `: ${JSON.stringify(part.value)}` : "";
        return `${name}${required ? "" : "?"}${tag}`;
      });
      if (names.length === 0) return type.bases[0] ?? "object";
      const shown = names.length > 4 ? [...names.slice(0, 4), "…"] : names;
      return `{ ${shown.join(", ")} }`;
    }
    case "union":
      return isNever(type) ? "never" : type.members.map(typeText).join(" | ");
    case "reference":
      return type.name;
    default:
      return type.kind;
  }
}

function itemText(type: Type, suffix: string): string {
  const text = typeText(type);
  return suffix !== "" && /[ |]/.test(text) ? `(${text})${suffix}` : `${text}${suffix}`;
}

/**
 * Formats bounds such as `0..2^31-1`, preceded by `head`. Returns an empty string if there are
 * none.
 */
function boundsText(least: number | undefined, greatest: number | undefined, head: string): string {
  if (least === undefined && greatest === undefined) return "";
  if (least === undefined) return `${head}≤ ${numberText(greatest!)}`;
  if (greatest === undefined) return `${head}≥ ${numberText(least)}`;
  return `${head}${numberText(least)}..${numberText(greatest)}`;
}

function numberText(value: number): string {
  if (Math.abs(value) < 2 ** 15) return String(value);
  const power = Math.log2(Math.abs(value) + 1);
  if (Number.isInteger(power)) return value > 0 ? `2^${power}-1` : `-(2^${power}-1)`;
  const exact = Math.log2(Math.abs(value));
  return Number.isInteger(exact) ? `${value < 0 ? "-" : ""}2^${exact}` : String(value);
}

/**
 * Returns a string that identifies the conditions in the given types that are not part of their
 * structure. Descriptions and locations are left out, so equal conditions produce equal strings.
 */
export function conditionsOf(...types: readonly Type[]): string {
  if (types.every(isPlain)) return "";
  const checks = besides(types);
  if (checks.length === 0) return "";
  const silent = ["docs", "at", "default", "deprecated"];
  const texts = checks.map((check) =>
    JSON.stringify(check, (key, value: unknown) => (silent.includes(key) ? undefined : value)),
  );
  return texts.sort().join();
}

function isPlain({ kind, checks }: Type): boolean {
  return checks === undefined && kind !== "object";
}

/** Briefly describes the conditions in the given types. */
export function conditionsText(...types: readonly Type[]): string {
  return besides(types).map(checkText).join("; ");
}

/** Returns the checks in the given types that are not part of their structure. */
function besides(types: readonly Type[]): readonly Check[] {
  return [...new Set(types)].flatMap((type) =>
    type.kind === "object" && unnamedTypes(type).length === 0
      ? (type.checks ?? [])
      : checksOf(type),
  );
}

function checkText(check: Check): string {
  switch (check.kind) {
    case "also":
      return `also ${typeText(check.type)}`;
    case "not":
      return `not ${typeText(check.type)}`;
    case "one-of":
      return `exactly one of ${check.types.map(typeText).join(", ")}`;
    case "if":
      return `if ${typeText(check.if)} then ${typeText(check.then)} else ${typeText(check.else)}`;
    case "pattern":
      return `pattern ${check.pattern}`;
    case "between":
      return `between ${check.above ?? "-∞"} and ${check.below ?? "∞"}, exclusive`;
    case "multiple":
      return `multiple of ${check.of}`;
    case "unique":
      return "unique items";
    case "contains":
      return `${check.least}..${check.most ?? ""} of ${typeText(check.type)}`;
    case "size":
      return `${check.least ?? 0}..${check.most ?? ""} properties`;
    case "names":
      return `names ${typeText(check.type)}`;
    case "dependent":
      return `with ${check.property} also ${typeText(check.type)}`;
    case "matching":
      return `properties that match ${check.pattern}: ${typeText(check.type)}`;
    case "others":
      return `other properties: ${typeText(check.type)}`;
    case "unevaluated":
      return `other ${check.parts}: ${typeText(check.type)}`;
  }
}

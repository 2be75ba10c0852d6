import { checksOf, unnamedTypes } from "../../generator/model/type-checks.js";
import type { Check, Type } from "../../generator/model/types.js";
import { typeText } from "./type-text.js";

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

import { isIdentifier, isKeyword } from "../../model/names.js";
import type { Property } from "../../model/types.js";

/**
 * Matches names that modules with checks may declare or import, and that a local variable must
 * therefore not shadow.
 */
const moduleNames =
  /^(?:is(?:Object|Optional|Int|Natural|Positive|Uint|Safe|ListOf|MapOf|Either|Valid|Exact|Multiple|Unique)|has(?:OnlyFields|Characters|Field|Items|Size)|matches|fieldsOf|(?:values|pattern)\d*$|ownField$|maxNesting$|unevaluatedParts$|presentNames$|otherNames$)/;

const taken = ["value", "fields", "depth", "types", "undefined", "Array", "Number", "Object"];

/**
 * Chooses a local variable for each property. If possible, it has the same name as the property.
 *
 * @param others Names of other variables.
 */
export function nameLocals(
  properties: readonly Property[],
  others: readonly string[] = [],
): ReadonlyMap<string, string> {
  const names = new Set([...taken, ...others]);
  const locals = new Map<string, string>();
  for (const { name } of properties) {
    const isFree =
      /^[a-z_$][\w$]*$/.test(name) &&
      isIdentifier(name) &&
      !isKeyword(name) &&
      !moduleNames.test(name) &&
      !names.has(name) &&
      !(name in Object.prototype);
    const stem = isFree ? name : `${name.replaceAll(/[^\w$]/g, "").replace(/^(\d|$)/, "_$1")}Field`;
    let local = stem;
    for (let count = 2; names.has(local); count++) local = `${stem}${count}`;
    names.add(local);
    locals.set(name, local);
  }
  return locals;
}

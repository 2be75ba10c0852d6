import { setField } from "../base/own-fields.js";
import type { AnyFields } from "../protocol/message-fields.js";
import { kinds } from "../validation/rule-kinds.js";
import { takesNull } from "../validation/link-rule.js";
import type { ObjectNode, RuleNode } from "../validation/rule-node.js";
import { walkValue } from "../validation/explain.js";

/**
 * Replaces invalid properties with their defaults, or drops them, where the protocol allows it.
 * Values inside the properties have already been converted.
 */
export function replaceInvalidValues(node: ObjectNode, value: AnyFields): AnyFields {
  let copy: Record<string, unknown> | undefined;
  for (const { name, node: own, forgives, otherwise } of node.properties) {
    if (forgives.length === 0) continue;
    const was = Object.hasOwn(value, name) ? value[name] : undefined;
    if (was === undefined) continue;
    let each: unknown = was;
    if (Array.isArray(each) && forgives.includes("items")) {
      const valid = each.filter((item) => itemsOf(own).every((rule) => isValid(rule, item)));
      if (valid.length < each.length) each = valid;
    }
    const isInvalid =
      each === null && !takesNull(own) && forgives.includes("nulls")
        ? true
        : forgives.includes("errors") && !isValid(own, each);
    if (isInvalid) each = otherwise;
    if (each === was) continue;
    copy ??= { ...value };
    if (each === undefined) delete copy[name];
    else setField(copy, name, each);
  }
  return copy ?? value;
}

/** Returns the rules for an array's items. */
function itemsOf(node: RuleNode): readonly RuleNode[] {
  if (node.kind === kinds.list) return [node.item];
  return node.kind === kinds.anyOf ? node.members.flatMap(itemsOf) : [];
}

/** Returns whether a value is valid in the strict profile. */
export function isValid(node: RuleNode, value: unknown): boolean {
  return walkValue(node, value, [], false, 1).issues.length === 0;
}

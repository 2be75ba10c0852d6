import { sharedBit } from "../../../runtime/validation/fault-mask.js";
import { checkedProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import { orderByReference } from "../../model/reference-order.js";
import type { ObjectType, Property } from "../../model/types.js";
import { SourceFile } from "../printer/source-file.js";
import { hasMask, TypeConditions } from "./type-conditions.js";

/** A base whose function in `faults.ts` tests some of a message's properties. */
export interface TestedBase {
  readonly name: string;
  /** Indices of the tested properties within the message's checked properties. */
  readonly tested: readonly number[];
}

/**
 * Finds bases that can test properties on behalf of messages, so that all messages of a kind share
 * the tests for the envelope.
 *
 * @returns A function that returns the base of a message, or undefined if the base rejects a value
 * that the message allows.
 */
export function testedBases(protocol: Protocol): (type: ObjectType) => TestedBase | undefined {
  const definitions = definitionsByName(protocol);
  const order = orderByReference(protocol.definitions);
  const messages = messageDefinitions(protocol);
  // The conditions are only compared with each other, so the file that would contain their
  // functions is never emitted.
  const conditions = new TypeConditions(new SourceFile(""), definitions, order);
  return (type) => {
    const properties = checkedProperties(definitions, type);
    const [name, ...others] = type.bases;
    if (name === undefined || others.length > 0 || properties.length > sharedBit) return undefined;
    const base = definitions.get(name)!.type;
    if (base.kind !== "object" || messages.has(name) || name === protocol.bases.error)
      return undefined;
    if (!hasMask(definitions, name) || order.isRecursive(name)) return undefined;
    const test = (property: Property): string =>
      JSON.stringify(conditions.ofProperty(property, "value", name) ?? "");
    const tested: number[] = [];
    for (const [index, inherited] of checkedProperties(definitions, base).entries()) {
      const property = properties[index]!;
      if (test(property) === test(inherited)) tested.push(index);
      else if (!isNarrower(property, inherited)) return undefined;
    }
    return { name, tested };
  };
}

/** Returns the names of the definitions of messages, including responses. */
export function messageDefinitions(protocol: Protocol): ReadonlySet<string> {
  return new Set([
    ...protocol.messages.map(({ definition }) => definition),
    ...requestsByResponse(protocol).keys(),
  ]);
}

/** Returns whether a redefined property is certain to be narrower than the base's property. */
function isNarrower({ type, required }: Property, { type: base, ...inherited }: Property): boolean {
  if (inherited.required && !required) return false;
  if (base.kind === "any") return true;
  const takesAnyText =
    base.kind === "string" && base.minLength === undefined && base.maxLength === undefined;
  return takesAnyText && type.kind === "literal" && typeof type.value === "string";
}

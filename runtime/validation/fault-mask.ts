import { isObject } from "../protocol/message-fields.js";

/**
 * Returns a bit mask of the invalid properties of an object; 0 if all are valid. Extra properties
 * are not checked.
 *
 * Generated packages contain such a function for each definition. It numbers properties in the same
 * way as the walk that explains its result: first the properties of bases, then the properties in
 * each of `numberedSections`, in object order. Properties from `sharedBit` on share that bit.
 */
export type FaultMask = (value: object, depth: number) => number;

/** The groups of an object's own properties, in the order of numbering. */
export const numberedSections = ["required", "optional"] as const;

/** Properties from this index on share the bit with this number. */
export const sharedBit = 29;

/**
 * The only invalid item of an array, with its mask. Undefined if the size of the array is wrong, if
 * an item is not an object, or if several items are invalid.
 */
export function soleFault(
  faults: FaultMask,
  values: readonly unknown[],
  min: number,
  max: number,
): { readonly index: number; readonly mask: number } | undefined {
  if (values.length < min || values.length > max) return undefined;
  let found: { readonly index: number; readonly mask: number } | undefined;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (!isObject(value)) return undefined;
    const mask = faults(value, 0);
    if (mask === 0) continue;
    if (found !== undefined) return undefined;
    found = { index, mask };
  }
  return found;
}

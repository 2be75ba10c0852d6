import { isObject } from "../protocol/message-fields.js";

/**
 * Returns a bit mask of an object's invalid properties, or 0 if all are valid. Extra properties are
 * not checked.
 *
 * Generated packages contain such a function for each definition. It numbers properties in the same
 * way as the walk that explains its result: first those of bases, then those in each of
 * `numberedSections`, in object order. All properties from `sharedBit` on share that bit.
 */
export type FaultMask = (value: object, depth: number) => number;

/** The groups of an object's own properties, in the order in which they are numbered. */
export const numberedSections = ["required", "optional"] as const;

/** Index from which all properties share the bit with this number. */
export const sharedBit = 29;

/**
 * Returns the only invalid item of an array, with its mask. Returns undefined if the array has the
 * wrong size, if an item is not an object, or if several items are invalid.
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

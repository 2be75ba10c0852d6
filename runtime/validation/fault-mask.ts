import { isObject } from "../protocol/message-fields.js";

/**
 * Returns a bit mask of the invalid properties of an object, or 0. Extra properties are not checked.
 *
 * Generated packages contain such a function for each definition. It numbers properties in the same
 * way as the walk that explains its result: those of bases first, then those of each of
 * `numberedSections`, in object order. Properties from `sharedBit` on share that bit.
 */
export type FaultMask = (value: object, depth: number) => number;

/** The groups of an object's own properties, in the order of numbering. */
export const numberedSections = ["required", "optional"] as const;

/** The bit that the properties from this index on share. */
export const sharedBit = 29;

/**
 * The only invalid item of a list, with its mask. Undefined if the size of the list is wrong, if an
 * item is not an object, or if several are invalid.
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

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

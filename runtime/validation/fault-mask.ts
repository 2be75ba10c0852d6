/**
 * Which properties of an object are wrong, a bit each; 0: none. Extras are not looked at.
 *
 * Generated packages carry such a function for each definition. It and the walk that explains its result number
 * properties alike: those of bases first, then those of each of `numberedSections`, as an object lists them. From
 * `sharedBit` on they share that bit.
 */
export type FaultMask = (value: object, depth: number) => number;

/** Parts of an object's own properties, in the order in which they are numbered. */
export const numberedSections = ["required", "optional"] as const;

/** Number of the bit that all further properties of an object share. */
export const sharedBit = 29;

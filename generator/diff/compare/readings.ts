/** The values that a reader accepts. */
export interface Reading {
  /** Whether a reader accepts only the properties that the schema of an object lists. */
  readonly closesObjects: boolean;
  /** Whether a reader accepts only the listed values of an open enum. */
  readonly closesLists: boolean;
  /** Whether ranges and lengths are enforced. */
  readonly enforcesBounds: boolean;
  /** Whether integers may have fractions. */
  readonly readsFractions?: boolean;
  /**
   * Whether only the part with the unexpected value is lost: an unlisted value of the same
   * primitive type, a fraction for an integer, an unknown property of a closed object, or an
   * alternative with an unknown discriminator.
   */
  readonly forgives: boolean;
}

/**
 * Readers from the strictest to the most tolerant. The last three show the effect of a value on a
 * tolerant reader: `forgiving` rejects values that break it, `exact` also values that it degrades,
 * `attentive` also values that it loses. `code` accepts the values of its types in TypeScript.
 */
export const readings = {
  strict: { closesObjects: true, closesLists: true, enforcesBounds: true, forgives: false },
  schema: { closesObjects: false, closesLists: false, enforcesBounds: true, forgives: false },
  attentive: { closesObjects: true, closesLists: false, enforcesBounds: false, forgives: false },
  exact: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
  code: {
    ...{ closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
    readsFractions: true,
  },
  forgiving: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: true },
} as const satisfies Readonly<Record<string, Reading>>;

export type ReadingName = keyof typeof readings;

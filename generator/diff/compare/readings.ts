/** How strictly a reader checks the values that it reads. */
export interface Reading {
  /** Whether the reader rejects properties that the schema of an object does not declare. */
  readonly closesObjects: boolean;
  /** Whether the reader accepts only the listed values of an open enum. */
  readonly closesLists: boolean;
  /** Whether the reader enforces ranges and lengths. */
  readonly enforcesBounds: boolean;
  /** Whether the reader accepts fractions as integers. */
  readonly readsFractions?: boolean;
  /**
   * Whether the reader drops only the part with an unexpected value. Such a value is an unlisted
   * value of the same primitive type, a fraction instead of an integer, an unknown property of a
   * closed object, or an alternative with an unknown discriminator.
   */
  readonly forgives: boolean;
}

/**
 * Kinds of readers, from the strictest to the most tolerant. `forgiving`, `exact` and `attentive`
 * show the effect of a value on a tolerant reader: `forgiving` rejects values that break the
 * reader, `exact` also rejects values that degrade it, and `attentive` also rejects values of which
 * it loses a part. `code` accepts the values that TypeScript accepts.
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

/** How strictly a reader checks the values that it reads. */
export interface Reading {
  /** Whether the reader rejects properties that an object's schema does not declare. */
  readonly closesObjects: boolean;
  /** Whether the reader treats open enums as closed, accepting only the listed values. */
  readonly closesLists: boolean;
  /** Whether the reader enforces ranges and lengths. */
  readonly enforcesBounds: boolean;
  /** Whether the reader accepts fractions where integers are expected. */
  readonly readsFractions?: boolean;
  /**
   * Whether the reader copes with an unexpected value by dropping only the part that contains it.
   * Such a value is an unlisted value of the same primitive type, a fraction instead of an integer,
   * an unknown property of a closed object, or an alternative with an unknown discriminator.
   */
  readonly forgives: boolean;
}

/**
 * The kinds of readers, from the strictest to the most tolerant. Three of them show how a value
 * affects a tolerant reader: `forgiving` rejects values that break it, `exact` also rejects values
 * that degrade it, and `attentive` also rejects values that it would partly ignore. `code` accepts
 * whatever TypeScript accepts.
 */
export const readings = {
  strict: { closesObjects: true, closesLists: true, enforcesBounds: true, forgives: false },
  schema: { closesObjects: false, closesLists: false, enforcesBounds: true, forgives: false },
  attentive: { closesObjects: true, closesLists: false, enforcesBounds: false, forgives: false },
  exact: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
  code: {
    closesObjects: false,
    closesLists: false,
    enforcesBounds: false,
    forgives: false,
    readsFractions: true,
  },
  forgiving: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: true },
} as const satisfies Readonly<Record<string, Reading>>;

export type ReadingName = keyof typeof readings;

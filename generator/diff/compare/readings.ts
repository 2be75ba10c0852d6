/** What a reader lets through. */
export interface Reading {
  /** Objects have no properties that their schema does not name. */
  readonly closesObjects: boolean;
  /** Open lists have no values that their schema does not name. */
  readonly closesLists: boolean;
  /** Ranges and lengths are enforced. */
  readonly enforcesBounds: boolean;
  /**
   * A value costs its part only: one of the same primitive type that is not listed, a fraction for an integer, a
   * property that a closed object does not name, and an alternative whose discriminator is unknown.
   */
  readonly forgives: boolean;
}

/**
 * Readers from the most exacting to the most forgiving. What a tolerant reader does with a value is told by the last
 * three: `forgiving` rejects what is broken for it, `exact` also what it degrades, `attentive` also what it loses.
 */
export const readings = {
  strict: { closesObjects: true, closesLists: true, enforcesBounds: true, forgives: false },
  schema: { closesObjects: false, closesLists: false, enforcesBounds: true, forgives: false },
  attentive: { closesObjects: true, closesLists: false, enforcesBounds: false, forgives: false },
  exact: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
  forgiving: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: true },
} as const satisfies Readonly<Record<string, Reading>>;

export type ReadingName = keyof typeof readings;

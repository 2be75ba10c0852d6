/** The values that a reader accepts. */
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
 * Readers from the strictest to the most tolerant. The last three show the effect of a value on a
 * tolerant reader: `forgiving` rejects values that break it, `exact` also values that it degrades,
 * `attentive` also values that it loses.
 */
export const readings = {
  strict: { closesObjects: true, closesLists: true, enforcesBounds: true, forgives: false },
  schema: { closesObjects: false, closesLists: false, enforcesBounds: true, forgives: false },
  attentive: { closesObjects: true, closesLists: false, enforcesBounds: false, forgives: false },
  exact: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
  forgiving: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: true },
} as const satisfies Readonly<Record<string, Reading>>;

export type ReadingName = keyof typeof readings;

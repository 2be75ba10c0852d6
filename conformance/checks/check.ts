/** How binding the sentence is that a check is about. `info` is not scored. */
export type Level = "must" | "expected" | "info";

/** One thing that an adapter should do. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  /** The definition of the schema, or the section of the overview, that states it. */
  readonly stated: string;
  /** Rules of `wirewright lint` whose findings about the adapter violate it, in any session. */
  readonly rules?: readonly string[];
  /** For a check of rules: messages that must occur for it to pass. */
  readonly seen?: readonly string[];
}

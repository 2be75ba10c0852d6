// Copies of schemas that tests may change.
export type Loose = Record<string, any>;

export type Definitions = Record<string, Loose>;

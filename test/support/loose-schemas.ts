// Copies of schemas that tests are free to change.
export type Loose = Record<string, any>;

export type Definitions = Record<string, Loose>;

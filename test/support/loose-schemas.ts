// Copies to alter freely.
export type Loose = Record<string, any>;

export type Definitions = Record<string, Loose>;

import { readJson } from "./paths.js";

/** A sentence in a specification that imposes a requirement on a side, and how it is checked. */
export interface Statement {
  readonly place: string;
  readonly sentence: number;
  readonly says: string;
  readonly rules?: readonly string[];
  readonly validator?: string;
  readonly undecidable?: string;
}

/** The content of a statements file, as described by `schema/formats/statements.schema.json`. */
export interface Statements {
  readonly reasons: Readonly<Record<string, string>>;
  readonly validator: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
}

export function readStatements(): Statements {
  return readJson("schema/dap/statements.json") as Statements;
}

import { readFileSync } from "node:fs";
import { fromRoot } from "../../tools/shared/paths.js";

/** A sentence of a specification that binds a side, and how it is judged. */
export interface Statement {
  readonly place: string;
  readonly sentence: number;
  readonly says: string;
  readonly rules?: readonly string[];
  readonly validator?: string;
  readonly undecidable?: string;
}

/** The types of `schema/statements.schema.json`. */
export interface Statements {
  readonly reasons: Readonly<Record<string, string>>;
  readonly validator: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
}

export function readStatements(): Statements {
  return JSON.parse(readFileSync(fromRoot("schema/dap/statements.json"), "utf8")) as Statements;
}

import { readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";

/** A statement that a program can obey or violate. */
export interface Statement {
  readonly place: string;
  readonly says: string;
  /** The state: `works`, or `cannot be expressed: ` followed by the reason. */
  readonly state: string;
  /** The evidence, in the form described in `test/seeds/README.md`. */
  readonly tests: readonly string[];
}

export interface SeedTable {
  readonly seed: string;
  readonly protocol: string;
  readonly statements: readonly Statement[];
}

/** The tables in `test/seeds`, each with its protocol. */
export const seedTables: readonly SeedTable[] = [
  ["000-debug-protocol", "dap@1.40.0"],
  ["001-visual-studio", "dap"],
  ["002-sqltools", "sqltools"],
  ["003-ruby-debug-ide", "ruby-debug-ide"],
  ["004-acp-breakpoints", "acp-breakpoints"],
].map(([seed = "", protocol = ""]) => ({ seed, protocol, statements: statementsIn(seed) }));

function statementsIn(seed: string): readonly Statement[] {
  const page = readFileSync(fromRoot(`test/seeds/${seed}.md`), "utf8");
  return page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (place|-+) /.test(line))
    .map((line) => {
      const [place = "", says = "", state = "", tests = ""] = line
        .slice(2, -2)
        .split(/ +\| +/)
        .map((cell) => cell.trim().replaceAll("\\|", "|"));
      return { place, says, state, tests: tests === "" ? [] : tests.split(" · ") };
    });
}

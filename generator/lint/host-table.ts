import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError, nearest } from "../base/input-error.js";
import { check } from "../read/description/description.js";
import { readJsonInput } from "../read/source/input-source.js";
import { findDescription } from "../read/read-protocol.js";
import type { LintSeverity } from "./rules.js";

/** What a program that hosts one side makes of the other. Its JSON Schema, `schema/host.schema.json`, documents each part. */
export interface HostTable {
  readonly name: string;
  readonly title: string;
  readonly outcomes: Readonly<
    Record<string, { readonly severity: LintSeverity; readonly docs: string }>
  >;
  readonly entities?: Readonly<
    Record<string, { readonly begins: readonly HostTurn[]; readonly ends?: readonly HostTurn[] }>
  >;
  readonly rules: readonly HostRule[];
  readonly undecidable?: Readonly<Record<string, string>>;
}

/** A message by which things come or go. */
export interface HostTurn {
  readonly message: string;
  readonly if?: HostTests;
  readonly each?: string;
  readonly id: string;
}

export type HostTests = Readonly<Record<string, HostTest>>;

export interface HostTest {
  readonly present?: boolean;
  readonly is?: readonly unknown[];
  readonly isNot?: readonly unknown[];
  readonly orAbsent?: true;
  readonly unlike?: string;
  readonly known?: string;
  readonly unknown?: string;
}

export interface HostRule {
  readonly id: string;
  readonly outcome: string;
  readonly docs: string;
  readonly from?: string;
  readonly message?: string;
  readonly definition?: string;
  readonly within?: readonly string[];
  readonly test?: HostTests;
  readonly anyOf?: readonly HostTests[];
  readonly envelope?: HostTests;
  readonly custom?: true;
  readonly unlisted?: { readonly except?: readonly string[] };
  readonly numbers?: { readonly least: number; readonly greatest: number };
  readonly after?: string;
  readonly stray?: true;
  readonly laterThan?: number;
}

/**
 * Reads a host: one that stands beside the description of a protocol in `hosts/`, or a file.
 *
 * @throws InputError `ERR_ARGUMENT` or `ERR_DESCRIPTION` with the place of the fault.
 */
export async function readHost(host: string, protocol: string): Promise<HostTable> {
  const folder = join(dirname(findDescription(protocol)), "hosts");
  const beside = join(folder, `${host}.json`);
  const path = host.endsWith(".json") ? host : beside;
  if (path === beside && !existsSync(beside)) {
    const known = existsSync(folder)
      ? readdirSync(folder).map((name) => name.replace(/\.json$/, ""))
      : [];
    const guess = nearest(host, known);
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find the host "${host}"`,
      {},
      guess === undefined
        ? `Known: ${known.join(", ") || "none"}; or give the path of a file`
        : `Did you mean "${guess}"?`,
    );
  }
  const file = await readJsonInput(path);
  check(file, "host", "ERR_DESCRIPTION");
  const table = file.value as unknown as HostTable;
  for (const [index, { id, outcome }] of table.rules.entries())
    if (!Object.hasOwn(table.outcomes, outcome))
      throw new InputError(
        "ERR_DESCRIPTION",
        `Cannot find the outcome "${outcome}" of ${id}`,
        file.locate(`/rules/${index}/outcome`),
        `Known: ${Object.keys(table.outcomes).join(", ")}`,
      );
  return table;
}

import { dirname, join } from "node:path";
import { text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../../generator/base/check-arguments.js";
import { files } from "../../generator/base/files.js";
import { InputError, nearest } from "../../generator/base/input-error.js";
import { check } from "../../generator/read/description/check-file.js";
import { readJsonInput } from "../../generator/read/source/input-source.js";
import { findDescription } from "../../generator/read/read-protocol.js";
import type { Severity } from "../../generator/base/severity.js";
import type { RuleTable, TableRule } from "./table/rule-table.js";

/**
 * How a program that hosts one side of a session behaves. Its JSON Schema,
 * `schema/formats/host.schema.json`, documents each property.
 */
export interface HostTable extends RuleTable {
  readonly name: string;
  readonly title: string;
  readonly outcomes: Readonly<
    Record<string, { readonly severity: Severity; readonly docs: string }>
  >;
  readonly rules: readonly HostRule[];
  /** Rules whose violations do not show up in a recording, with the reason for each. */
  readonly undecidable?: Readonly<Record<string, string>>;
}

/** A host rule. Its `outcome` names the effect of a violation on the host. */
export interface HostRule extends TableRule {
  readonly outcome: string;
}

/**
 * Finds the protocol's host that has a rule with this id. Returns undefined if there is no such
 * host.
 */
export async function findHostOf(rule: string, protocol: string): Promise<HostTable | undefined> {
  const folder = join(dirname(findDescription(protocol)), "hosts");
  if (!files.exists(folder)) return undefined;
  for (const name of files.list(folder)) {
    const host = await readHost(join(folder, name), protocol);
    if (host.rules.some(({ id }) => id === rule)) return host;
  }
  return undefined;
}

/**
 * Reads a host from a file or from a protocol's `hosts/` folder.
 *
 * @throws InputError `ERR_ARGUMENT`, or `ERR_DESCRIPTION` with the location of the error.
 */
export async function readHost(host: string, protocol: string): Promise<HostTable> {
  checkArguments("readHost", { host: [host, text], protocol: [protocol, text] });
  const folder = join(dirname(findDescription(protocol)), "hosts");
  const beside = join(folder, `${host}.json`);
  const path = host.endsWith(".json") ? host : beside;
  if (path === beside && !files.exists(beside)) {
    const hosts = files.exists(folder)
      ? files.list(folder).map((name) => name.replace(/\.json$/, ""))
      : [];
    const guess = nearest(host, hosts);
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find the host "${host}"`,
      {},
      guess === undefined
        ? `Known hosts: ${hosts.join(", ") || "none"}. To use another host, pass the path to its file`
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
        `Cannot find the outcome "${outcome}" named by ${id}`,
        file.locate(`/rules/${index}/outcome`),
        `Known: ${Object.keys(table.outcomes).join(", ")}`,
      );
  return table;
}

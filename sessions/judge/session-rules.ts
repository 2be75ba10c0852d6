import { dirname, join } from "node:path";
import { bundledProtocols } from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";
import { check } from "../../generator/read/description/check-file.js";
import { beside, findDescription } from "../../generator/read/open-description.js";
import { readJsonInput } from "../../generator/read/source/input-source.js";
import { isJsonObject } from "../../generator/read/source/json-text.js";
import type { RuleTable } from "./table/rule-table.js";

/**
 * Reads a protocol's session rules from `session-rules.json` next to its description. If the
 * protocol extends another one, that protocol's rules come first. Returns undefined if there are no
 * rules.
 *
 * @param version Version of the protocol. Rules for later versions are left out. Default: the
 * current version.
 * @throws InputError `ERR_DESCRIPTION` with the location of the error.
 */
export async function readSessionRules(
  protocol: string,
  version?: string,
): Promise<RuleTable | undefined> {
  const path = findDescription(protocol);
  const table = await readTable(join(dirname(path), "session-rules.json"), protocol);
  const base = await readBase(path, version);
  if (table === undefined || base === undefined)
    return table === undefined ? base : rulesForVersion(table, version);
  const { entities, partial, rules, ungated } = rulesForVersion(table, version);
  return {
    ...base,
    ...(partial === undefined ? {} : { partial }),
    ...(ungated === undefined ? {} : { ungated: { ...base.ungated, ...ungated } }),
    entities: { ...base.entities, ...entities },
    rules: [...base.rules, ...rules],
  };
}

async function readBase(path: string, version: string | undefined): Promise<RuleTable | undefined> {
  const file = await readJsonInput(path);
  const extended = isJsonObject(file.value) ? file.value["extends"] : undefined;
  return typeof extended === "string"
    ? readSessionRules(dirname(findDescription(beside(file, extended))), version)
    : undefined;
}

async function readTable(path: string, protocol: string): Promise<RuleTable | undefined> {
  if (!files.exists(path)) return undefined;
  const file = await readJsonInput(path);
  // Bundled rules are not checked here, because the tests check them.
  if (!bundledProtocols().includes(protocol)) check(file, "session-rules", "ERR_DESCRIPTION");
  return file.value as unknown as RuleTable;
}

/** Returns the rules that apply to a version. */
function rulesForVersion(table: RuleTable, version: string | undefined): RuleTable {
  if (version === undefined || !/^\d/.test(version)) return table;
  const isEarlier = (introduced: string): boolean =>
    version.localeCompare(introduced, "en", { numeric: true }) < 0;
  return {
    ...table,
    rules: table.rules.filter(
      ({ introduced }) => introduced === undefined || !isEarlier(introduced),
    ),
  };
}

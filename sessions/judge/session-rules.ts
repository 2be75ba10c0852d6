import { dirname, join } from "node:path";
import { bundledProtocols } from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";
import { check } from "../../generator/read/description/check-file.js";
import { beside, findDescription } from "../../generator/read/open-description.js";
import { readJsonInput } from "../../generator/read/source/input-source.js";
import type { Json } from "../../generator/model/types.js";
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
  // Bundled files are not checked here, because the tests check them.
  const isBundled = bundledProtocols().includes(protocol);
  const table = await readTable(join(dirname(path), "session-rules.json"), isBundled);
  const base = await readBase(path, isBundled, version);
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

/** Reads the rules of the protocol that this one extends. */
async function readBase(
  path: string,
  isBundled: boolean,
  version: string | undefined,
): Promise<RuleTable | undefined> {
  const file = isBundled ? { name: path, value: readBundled(path) } : await readJsonInput(path);
  const extended = isJsonObject(file.value) ? file.value["extends"] : undefined;
  return typeof extended === "string"
    ? readSessionRules(dirname(findDescription(beside(file, extended))), version)
    : undefined;
}

async function readTable(path: string, isBundled: boolean): Promise<RuleTable | undefined> {
  if (!files.exists(path)) return undefined;
  if (isBundled) return readBundled(path) as unknown as RuleTable;
  const file = await readJsonInput(path);
  check(file, "session-rules", "ERR_DESCRIPTION");
  return file.value as unknown as RuleTable;
}

function readBundled(path: string): Json {
  return JSON.parse(files.readText(path)) as Json;
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

import { dirname, join } from "node:path";
import { bundledProtocols } from "../base/bundled.js";
import { files } from "../base/files.js";
import { check } from "../read/description/description.js";
import { findDescription } from "../read/read-protocol.js";
import { readJsonInput } from "../read/source/input-source.js";
import type { RuleTable } from "./table/rule-table.js";

/**
 * Reads what a protocol says about its sessions: `session-rules.json` beside its description. Undefined if there is
 * none.
 *
 * @throws InputError `ERR_DESCRIPTION` with the place of the fault.
 */
export async function readSessionRules(protocol: string): Promise<RuleTable | undefined> {
  const path = join(dirname(findDescription(protocol)), "session-rules.json");
  if (!files.exists(path)) return undefined;
  const file = await readJsonInput(path);
  // The tests of the tool check those that come with it.
  if (!bundledProtocols().includes(protocol)) check(file, "session-rules", "ERR_DESCRIPTION");
  return file.value as unknown as RuleTable;
}

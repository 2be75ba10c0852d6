import { valueText } from "../../session/remembered.js";
import type { TableFinding } from "./table-finding.js";
import type { TableRule } from "./rule-table.js";

/** Describes a rule's finding in a sentence. */
export function textOfFinding(
  { docs, says }: TableRule,
  { value, absent }: Omit<TableFinding, "rule" | "pointer">,
): string {
  if (says !== undefined) return says.replace("{value}", () => valueText(value));
  return absent === undefined ? docs : docs.replace(/\.$/, () => `: ${absent}.`);
}

import { valueText } from "../../read/remembered.js";
import type { TableFinding } from "./table-finding.js";
import type { TableRule } from "./rule-table.js";

/** Returns a sentence that describes a rule's finding. */
export function textOfFinding(
  { docs, says }: TableRule,
  { value, absent }: Omit<TableFinding, "rule" | "pointer">,
): string {
  if (says !== undefined) return says.replace("{value}", () => valueText(value));
  return absent === undefined ? docs : docs.replace(/\.$/, () => `: ${absent}.`);
}

import { format } from "prettier";
import type { SchemaHistory } from "../../generator/read/schema/schema-history.js";

/** Prints a `history.json`. Each part is put on a single line if it fits. */
export async function printHistory({
  newest,
  earlier,
  descriptions = {},
}: SchemaHistory): Promise<string> {
  const text = `{\n"$schema": "../formats/history.schema.json", "newest": ${JSON.stringify(newest)}, "earlier": ${printVersions(earlier)}, "descriptions": ${printVersions(descriptions)}}`;
  return format(text, { parser: "json", printWidth: 100 });
}

function printVersions(versions: Readonly<Record<string, object>>): string {
  const printed = Object.entries(versions).map(([version, parts]) => {
    const lines = Object.entries(parts).map(
      ([address, part]) => `${JSON.stringify(address)}: ${JSON.stringify(part)}`,
    );
    return `${JSON.stringify(version)}: {${lines.length === 0 ? "" : `\n${lines.join(",\n")}`}}`;
  });
  return `{\n${printed.join(",\n")}}`;
}

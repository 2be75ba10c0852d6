import { format } from "prettier";
import type { SchemaHistory } from "../../generator/read/schema/schema-history.js";

/** Prints a `history.json`. Each part is put on a single line if it fits. */
export async function printHistory({ newest, earlier }: SchemaHistory): Promise<string> {
  const versions = Object.entries(earlier).map(([version, parts]) => {
    const lines = Object.entries(parts).map(
      ([address, part]) => `${JSON.stringify(address)}: ${JSON.stringify(part)}`,
    );
    return `${JSON.stringify(version)}: {${lines.length === 0 ? "" : `\n${lines.join(",\n")}`}}`;
  });
  const text = `{\n"$schema": "../formats/history.schema.json", "newest": ${JSON.stringify(newest)}, "earlier": {\n${versions.join(",\n")}}}`;
  return format(text, { parser: "json", printWidth: 100 });
}

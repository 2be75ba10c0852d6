import { readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";

/** Lists the queries shown in the guide to exports. */
export function readExamples(): readonly string[] {
  const page = readFileSync(fromRoot("docs/guides/export.md"), "utf8");
  return [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query]) => query!.trim());
}

import { readdirSync, readFileSync } from "node:fs";
import { checks } from "../../../conformance/checks.js";
import { labelOf, type AdapterResults } from "../../../conformance/report/adapter-results.js";
import { fromRoot } from "../../../test/support/paths.js";
import type { AdapterCheck } from "./conformance-checks.js";

/** Reads the published results of the conformance suite, by adapter. */
export function readAdapterResults(): readonly AdapterResults[] {
  const folder = fromRoot("conformance/results/adapters");
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as AdapterResults);
}

/** Reads the published results of the conformance suite, grouped by check. */
export function readConformance(): readonly AdapterCheck[] {
  const adapters = readAdapterResults();
  return checks.map(({ id, title, stated, gate, seen = [] }) => {
    const withStatus = (status: string): readonly string[] =>
      adapters
        .filter((each) => each.checks.some((one) => one.check === id && one.status === status))
        .map(labelOf);
    const failing = withStatus("fail");
    const applies = withStatus("pass").length + failing.length;
    return { id, title, stated, ...(gate !== undefined && { gate }), seen, applies, failing };
  });
}

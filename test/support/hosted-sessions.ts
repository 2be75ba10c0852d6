import type { HostRule, HostTable } from "../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";
import { tell, judged } from "./judged-entries.js";

/** Judges a session against a host with a single rule, and returns the findings. */
export function hosted(
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  entities: HostTable["entities"] = {},
): readonly string[] {
  const table: HostTable = {
    name: "mine",
    title: "Mine",
    entities,
    outcomes: { dies: { severity: "info", docs: "It dies." } },
    rules: [{ id: "MY-A1", outcome: "dies", docs: "A rule.", ...rule }],
  };
  return judged(entries, { host: table, isFromStart: true })
    .findings.filter(({ outcome }) => outcome !== undefined)
    .map(
      ({ index, severity, outcome, pointer, message }) =>
        `#${index} ${severity} ${outcome} ${pointer} ${message}`,
    );
}

export const output = (fields: object): RecordedEntry => tell(1, "output", fields);

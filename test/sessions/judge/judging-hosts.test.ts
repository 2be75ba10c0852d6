import type { HostRule } from "../../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { readInput, testCases } from "../../support/case-list.js";
import { ask, answer, tell, hosted, output } from "../../support/judged-entries.js";

testCases("test/cases/host-conditions.md", "lint judges messages for a host", (input) => {
  const [rule, entries] = readInput(input, { answer, ask, output, tell });
  return hosted(rule as Partial<HostRule>, entries as readonly RecordedEntry[]);
});

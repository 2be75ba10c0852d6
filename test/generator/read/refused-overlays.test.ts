import assert from "node:assert/strict";
import { readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { refusalOf } from "../../support/refusal.js";
import { withOverlay } from "../../support/written-overlays.js";

testCases("test/cases/refused-overlays.md", "readProtocol() judges overlays", async (input) => {
  const report = await withOverlay(readInput(input), async (overlays) => {
    const refusal = await refusalOf(() => readProtocol("dap", { overlays }));
    return refusal.replace(/^.*overlay-0\.json/, "overlay").split("\n")[0]!;
  });
  assert.equal(({} as { type?: string }).type, undefined);
  return [report];
});

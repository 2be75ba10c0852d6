import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { RemainingBudget } from "../../../protocols/dap/session/remaining-budget.js";

test("a shortened value does not keep the whole string in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const budget = new RemainingBudget({ items: 1_000, bytes: 1_000_000, valueBytes: 100 }, {});
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 50 }, (_, index) =>
    budget.take({ name: "x", value: JSON.parse(`"${String(index).repeat(500_000)}"`) }, 0),
  );
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.deepEqual(kept[7], {
    name: "x",
    value: "7".repeat(100),
    variablesReference: 0,
    isShortened: true,
  });
  assert.ok(grown < 5_000_000, `${grown} bytes`);
});

/** The fuzzer must find bugs planted in the session code and in the code that reads headers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../tools/fuzz/outcome.js";
import { updateInstrumentedCopy } from "../../tools/fuzz/instrumented-copy.js";
import { runSession } from "../../tools/fuzz/session.js";
import { plantBugs, targets } from "./planted-bugs.js";

const oracles: Readonly<Record<string, string>> = {
  "two lengths in a header are accepted": "headers",
  "a cut is lost": "cut",
  "nobody waits for a child": "handled",
};

updateInstrumentedCopy();
plantBugs();
for (const target of targets)
  test(
    `the fuzzer finds the planted bug within 60 seconds: ${target.name}`,
    { timeout: 300_000 },
    async () => {
      const findings: Finding[] = [];
      let found: number | undefined;
      const start = performance.now();
      await runSession({
        target: target.name,
        targetsModule: new URL("./planted-bugs.js", import.meta.url).href,
        seed: 1,
        seconds: 60,
        maxFindings: 1,
        inputs: target.seeds().map((each) => new Uint8Array(Buffer.from(each))),
        onFinding: (finding) => {
          found ??= performance.now() - start;
          findings.push(finding);
        },
      });
      assert.deepEqual(
        findings.map(({ oracle }) => oracle),
        [oracles[target.name]],
      );
      console.log(`${target.name}: ${(found! / 1000).toFixed(1)} s`);
    },
  );

/** Compares versions of DAP: two schemas that were read before, and the whole command. */
import { spawnSync } from "node:child_process";
import { diffProtocols, readProtocol } from "../../cli/index.js";
import { fromRoot } from "../../test/support/paths.js";
import { Bench } from "./comparison.js";

const bench = new Bench("diff");
for (const [before, after] of [
  ["1.70.0", "1.71.0"],
  ["1.65.0", "1.71.0"],
  ["1.40.0", "1.71.0"],
] as const) {
  const protocols = [
    await readProtocol("dap", { version: before }),
    await readProtocol("dap", { version: after }),
  ] as const;
  const findings = diffProtocols(...protocols).findings.length;
  await bench.compare("comparing", {
    work: `DAP ${before} and ${after}, ${findings} findings`,
    expected: findings,
    competitors: { diffProtocols: () => diffProtocols(...protocols).findings.length },
  });
  await bench.compare("the command", {
    work: `DAP ${before} and ${after}`,
    expected: "",
    competitors: {
      "from start to end": () =>
        spawnSync(
          process.execPath,
          [fromRoot("build/cli/main.js"), "diff", `dap@${before}`, `dap@${after}`],
          { encoding: "utf8" },
        ).stderr,
    },
    rounds: 5,
  });
}
await bench.finish();

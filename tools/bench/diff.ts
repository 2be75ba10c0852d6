/**
 * Compares versions of DAP: two schemas that were read before, the whole command, and the command
 * with code to compile, beside the compiler.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffProtocols, readProtocol } from "../../cli/index.js";
import { fromRoot, inPeers } from "../../test/support/paths.js";
import { packProtocol, packRuntime } from "../release/packages.js";
import { Bench } from "./comparison.js";

const command = [fromRoot("build/cli/main.js"), "diff"];

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
        spawnSync(process.execPath, [...command, `dap@${before}`, `dap@${after}`], {
          encoding: "utf8",
        }).stderr,
    },
    rounds: 5,
  });
}

const project = fromRoot("build/tools/bench/diff");
rmSync(project, { recursive: true, force: true });
const packages = join(project, "node_modules/@wirewright");
mkdirSync(packages, { recursive: true });
await packProtocol("dap", join(packages, "dap"));
await packRuntime(join(packages, "runtime"));
for (const program of ["adapter.ts", "client.ts"])
  copyFileSync(fromRoot(`examples/${program}`), join(project, program));
writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext" };
writeFileSync(
  join(project, "tsconfig.json"),
  JSON.stringify({ compilerOptions: { ...compilerOptions, target: "es2022", types: ["node"] } }),
);
const compile = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" }).status;
await bench.compare("compiling code", {
  work: "an adapter and a client",
  expected: 0,
  competitors: {
    "diff --from": () => compile(...command, "dap@1.70.0", "dap@1.71.0", "--from", "."),
    tsc: () => compile(inPeers("typescript-6.0/bin/tsc")),
  },
  rounds: 5,
});
await bench.finish();

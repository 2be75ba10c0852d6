/**
 * Compares versions of DAP: all pairs of bundled versions, schemas up to fifty times as large, and
 * the whole command. Also shows the results of other tools for 1.70 and 1.71. Interleaved; results
 * are compared first.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  diffProtocols,
  groupFindings,
  openProtocolSource,
  readProtocol,
  type Protocol,
} from "../generator/index.js";
import { bundledDap } from "../test/support/dap-versions.js";
import { fromRoot } from "../test/support/paths.js";
import { diffPeers, type Versions } from "./diff-peers.js";
import { enlargeSchema, type Schema } from "./enlarged-schema.js";
import { median, printTable } from "./table.js";

const rounds = Number(process.env["ROUNDS"] ?? 15);

function readSchema(version: string): Schema {
  return JSON.parse(readFileSync(fromRoot(`schema/dap/${version}.json`), "utf8")) as Schema;
}

async function readEnlarged(version: string, factor: number): Promise<Protocol> {
  const text = JSON.stringify(enlargeSchema(readSchema(version), factor));
  const readStdin = (): Promise<string> => Promise.resolve(text);
  return (await openProtocolSource("-", "dap", { readStdin })).protocol;
}

/** Medians in milliseconds, interleaved. */
function time(works: readonly (() => unknown)[]): readonly number[] {
  const took = works.map((): number[] => []);
  for (let round = -Math.ceil(rounds / 3); round < rounds; round++)
    works.forEach((work, index) => {
      const start = performance.now();
      work();
      if (round >= 0) took[index]!.push(performance.now() - start);
    });
  return took.map(median);
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function printPairs(): Promise<void> {
  const protocols = await Promise.all(
    bundledDap.map((version) => readProtocol("dap", { version })),
  );
  const pairs = protocols.flatMap((before, index) =>
    protocols.slice(index + 1).map((after) => ({ before, after })),
  );
  for (const { before, after } of pairs)
    assert.deepEqual(diffProtocols(before, after), diffProtocols(before, after));
  const medians = time(
    pairs.map(
      ({ before, after }) =>
        () =>
          diffProtocols(before, after),
    ),
  );
  printTable(
    ["pair", "findings", "decisions", "time"],
    pairs.map(({ before, after }, index) => {
      const { findings } = diffProtocols(before, after);
      return [
        `${before.version} to ${after.version}`,
        String(findings.length),
        String(groupFindings(findings).length),
        ms(medians[index]!),
      ];
    }),
  );
}

async function printGrowth(): Promise<void> {
  const rows: string[][] = [];
  let first = 0;
  for (const factor of [1, 10, 50]) {
    const before = await readEnlarged("1.70.0", factor);
    const after = await readEnlarged("1.71.0", factor);
    const [took = 0] = time([() => diffProtocols(before, after)]);
    first ||= took;
    rows.push([
      `${factor} ×`,
      String(before.definitions.length),
      ms(took),
      (took / first).toFixed(1),
    ]);
  }
  printTable(["schema", "definitions", "time", "ratio"], rows);
}

function printCommand(): void {
  const run =
    (...args: string[]) =>
    (): void => {
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      assert.equal(status, 0, stderr);
    };
  const [node = 0, command = 0] = time([
    run("-e", "0"),
    run(fromRoot("build/generator/cli.js"), "diff", "dap@1.70.0", "dap@1.71.0"),
  ]);
  console.log(
    `wirewright diff dap@1.70.0 dap@1.71.0: ${ms(command)}, of which ${ms(node)} is the start of Node itself`,
  );
}

/** Only the newest bundled schema has documentation, which would count as changes. */
function withoutTexts(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "description" && typeof value === "string" ? undefined : value,
    ),
  ) as Schema;
}

async function printPeers(): Promise<void> {
  const [before, after] = ["1.70.0", "1.71.0"] as const;
  const compared: Versions = {
    schemas: [withoutTexts(readSchema(before)), withoutTexts(readSchema(after))],
    protocols: [
      await readProtocol("dap", { version: before }),
      await readProtocol("dap", { version: after }),
    ],
  };
  const rows: string[][] = [];
  const ours = diffProtocols(...compared.protocols).findings;
  const [took = 0] = time([() => diffProtocols(...compared.protocols)]);
  rows.push(["wirewright", `${ours.length} in ${groupFindings(ours).length} decisions`, ms(took)]);
  for (const peer of diffPeers) {
    const start = performance.now();
    const found = await peer.compare(compared);
    rows.push([peer.name, String(found), ms(performance.now() - start)]);
  }
  printTable(["tool, 1.70.0 to 1.71.0", "findings", "time"], rows);
  if (diffPeers.length === 0)
    console.log("\nOther tools are not installed: npm --prefix bench/diff-peers ci");
}

console.log(`Node ${process.version}, ${rounds} rounds\n`);
await printPairs();
console.log();
await printGrowth();
console.log();
printCommand();
console.log();
await printPeers();

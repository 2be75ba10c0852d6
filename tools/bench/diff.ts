/**
 * Benchmarks diffing DAP versions: pairs of bundled versions, schemas up to fifty times as large,
 * and the whole command. If other tools have been installed with
 * `npm --prefix tools/bench/diff-peers ci`, also shows their results for 1.70 and 1.71, along with
 * the time for a single run.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { diffProtocols, openProtocolSource, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { packTool } from "../release/pack-package.js";
import { dapSchemaText } from "../../test/support/dap-versions.js";
import { fromRoot } from "../../test/support/paths.js";
import { diffPeers, type Versions } from "./diff-peers.js";
import { enlargeSchema, type Schema } from "./enlarged-schema.js";
import { measure, processorTime, type Turns } from "./measure.js";
import { runMetered, type Usage } from "./metered-process.js";
import { figureOf, selects, type Bench, type Report } from "./report.js";

/** The version pairs to measure. */
const versions = ["1.40.0", "1.51.0", "1.65.0", "1.70.0", "1.71.0"];

function readSchema(version: string): Schema {
  return JSON.parse(dapSchemaText(version)) as Schema;
}

async function readEnlarged(version: string, factor: number): Promise<Protocol> {
  const text = JSON.stringify(enlargeSchema(readSchema(version), factor));
  const readStdin = (): Promise<string> => Promise.resolve(text);
  return (await openProtocolSource("-", "dap", { readStdin })).protocol;
}

async function measurePairs(report: Report, turns: Turns): Promise<void> {
  const protocols = await Promise.all(versions.map((version) => readProtocol("dap", { version })));
  const pairs = protocols.flatMap((before, index) =>
    protocols.slice(index + 1).map((after) => ({ before, after })),
  );
  const counts = pairs.map(({ before, after }) => diffProtocols(before, after).findings.length);
  report.outcome("findings of all pairs", counts);
  const all = (): number =>
    pairs.reduce((sum, { before, after }) => sum + diffProtocols(before, after).findings.length, 0);
  const [times] = await measure([all], turns);
  report
    .table("all pairs of five versions", ["pairs"], { findings: "", time: "ns a pair" })
    .row([String(pairs.length)], {
      findings: [counts.reduce((sum, count) => sum + count), 0],
      time: figureOf(times!.map((time) => time / pairs.length)),
    });
}

async function measureGrowth(report: Report, turns: Turns): Promise<void> {
  const table = report.table("growth", ["schema"], { definitions: "", time: "ns" });
  for (const factor of [1, 2, 5, 10, 20, 50]) {
    const before = await readEnlarged("1.70.0", factor);
    const after = await readEnlarged("1.71.0", factor);
    const work = (): number => diffProtocols(before, after).findings.length;
    report.outcome(`findings of ${factor} ×`, work());
    const [times] = await measure([work], { ...turns, turnMs: 0, warmMs: 200 });
    table.row([`${factor} ×`], {
      definitions: [before.definitions.length, 0],
      time: figureOf(times!),
    });
  }
}

/** Measures whole processes: the published tool and the repository's unbundled tool. */
async function measureCommand(report: Report, rounds: number): Promise<void> {
  const table = report.table("the command", ["command"], {
    elapsed: "ns",
    "processor time": "ns",
    peak: "MB",
  });
  const packed = fromRoot("build/tools/bench/wirewright");
  await packTool(packed);
  const diff = ["diff", "dap@1.70.0", "dap@1.71.0"];
  const runs = {
    "Node itself": ["-e", "0"],
    "wirewright diff dap@1.70.0 dap@1.71.0": [join(packed, "build/cli/main.js"), ...diff],
    "in the tree": [fromRoot("build/cli/main.js"), ...diff],
  };
  const usages = Object.entries(runs).map(([name, args]) => ({ name, args, found: [] as Run[] }));
  for (let round = 0; round < rounds; round++)
    for (const { args, found } of usages) {
      const start = performance.now();
      const { usage, errors } = runMetered(args);
      assert.ok(usage, errors);
      found.push({ ...usage, elapsed: (performance.now() - start) * 1e6 });
    }
  for (const { name, found } of usages)
    table.row([name], {
      elapsed: figureOf(found.map(({ elapsed }) => elapsed)),
      "processor time": figureOf(found.map(({ time }) => time)),
      peak: figureOf(found.map(({ peak }) => peak)),
    });
}

interface Run extends Usage {
  /** Time from process start to exit, in nanoseconds. */
  readonly elapsed: number;
}

/**
 * Removes documentation, which would count as a change because only the newest bundled schema has
 * it.
 */
function withoutTexts(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "description" && typeof value === "string" ? undefined : value,
    ),
  ) as Schema;
}

async function measurePeers(report: Report, turns: Turns): Promise<void> {
  const table = report.table("tools, 1.70 to 1.71", ["tool"], { findings: "", time: "ns" });
  const [before, after] = ["1.70.0", "1.71.0"] as const;
  const compared: Versions = {
    schemas: [withoutTexts(readSchema(before)), withoutTexts(readSchema(after))],
    protocols: [
      await readProtocol("dap", { version: before }),
      await readProtocol("dap", { version: after }),
    ],
  };
  const work = (): number => diffProtocols(...compared.protocols).findings.length;
  const [times] = await measure([work], turns);
  table.row(["wirewright"], { findings: [work(), 0], time: figureOf(times!) });
  for (const peer of diffPeers) {
    const start = processorTime();
    const found = await peer.compare(compared);
    const time = figureOf([processorTime() - start]);
    table.row([peer.name], { findings: typeof found === "number" ? [found, 0] : found, time });
  }
}

export const bench: Bench = async (report, options) => {
  const turns = { ...options, turnMs: 10, warmMs: 300 };
  if (selects(options, ["pairs"])) await measurePairs(report, turns);
  if (selects(options, ["growth"])) await measureGrowth(report, turns);
  if (selects(options, ["command"])) await measureCommand(report, options.rounds);
  if (selects(options, ["tools"])) await measurePeers(report, turns);
};

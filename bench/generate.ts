/**
 * Compares generation with json-schema-to-typescript and quicktype: whole processes on the same
 * file, interleaved, at 1, 10 and 50 times the size of DAP. Ours writes the whole package, the
 * others only types.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { enlargeSchema, type Schema } from "./enlarged-schema.js";
import { median, printTable } from "./table.js";
import { newestDapSchema } from "../test/support/dap-versions.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
const rounds = Number(process.env["ROUNDS"] ?? 5);
const bin = (path: string): string => join(root, "node_modules", path);

/** Writes the bundled schema, enlarged by `factor`. */
function enlarge(factor: number): string {
  const path = join(folder, `dap-x${factor}.json`);
  const schema = JSON.parse(readFileSync(newestDapSchema, "utf8")) as Schema;
  writeFileSync(path, JSON.stringify(enlargeSchema(schema, factor), null, 1));
  return path;
}

interface Tool {
  readonly name: string;
  /** Largest factor that is practical. */
  readonly upTo: number;
  args(schema: string, out: string): readonly string[];
}

const tools: readonly Tool[] = [
  { name: "node itself", upTo: 50, args: () => ["-e", "0"] },
  {
    name: "wirewright, whole package",
    upTo: 50,
    args: (schema, out) => [
      join(root, "build/generator/cli.js"),
      "generate",
      "dap",
      "--schema",
      schema,
      "--out",
      out,
    ],
  },
  {
    name: "json-schema-to-typescript",
    upTo: 50,
    args: (schema, out) => [
      bin("json-schema-to-typescript/dist/src/cli.js"),
      "--unreachableDefinitions",
      schema,
      `${out}.ts`,
    ],
  },
  {
    name: "quicktype",
    upTo: 50,
    args: (schema, out) => [
      bin("quicktype/dist/index.js"),
      "--src-lang",
      "schema",
      "--lang",
      "typescript",
      "--just-types",
      "--src",
      `${schema}#/definitions/`,
      "--out",
      `${out}.ts`,
    ],
  },
];

/** Runs a process, under GNU time if available. Returns milliseconds and peak MB. */
function measure(args: readonly string[]): { ms: number; mb: number; ok: boolean } {
  const probe = join(folder, "usage.mjs");
  if (!existsSync(probe)) {
    writeFileSync(
      probe,
      "process.on('exit', () => process.stderr.write(`\\nPEAK ${process.resourceUsage().maxRSS}\\n`));\n",
    );
  }
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", probe, "--stack-size=4000", ...args],
    { encoding: "utf8", maxBuffer: 1 << 28, timeout: 300_000 },
  );
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  return { ms, mb: Number(/PEAK (\d+)/.exec(stderr)?.[1] ?? 0) / 1024, ok: status === 0 };
}

const rows: string[][] = [];
const alone: number[] = [];
for (const factor of [1, 10, 50]) {
  const schema = enlarge(factor);
  const results = new Map(
    tools.map((tool) => [tool.name, { ms: [] as number[], mb: [] as number[], ok: true }]),
  );
  for (let round = 0; round < (factor === 50 ? Math.min(rounds, 3) : rounds); round++) {
    for (const tool of tools) {
      if (factor > tool.upTo) continue;
      const out = join(folder, `out-${tool.name.replaceAll(/\W/g, "")}`);
      rmSync(out, { recursive: true, force: true });
      const { ms, mb, ok } = measure(tool.args(schema, out));
      const result = results.get(tool.name)!;
      result.ms.push(ms);
      result.mb.push(mb);
      result.ok &&= ok;
    }
  }
  const ours = median(results.get("wirewright, whole package")!.ms);
  alone.push(ours - median(results.get("node itself")!.ms));
  for (const [name, { ms, mb, ok }] of results) {
    rows.push([
      `x${factor}`,
      name,
      ok ? `${median(ms).toFixed(0)} ms` : "fails",
      `${Math.max(...mb).toFixed(0)} MB`,
      `${(median(ms) / ours).toFixed(2)}`,
    ]);
  }
}
console.log(
  `Node ${process.version}, medians of up to ${rounds} interleaved runs of whole processes\n`,
);
printTable(["schema", "tool", "time", "peak", "relative to ours"], rows);
console.log(
  `\nGrowth of wirewright beyond Node's start: x10 costs ${(alone[1]! / alone[0]!).toFixed(1)} times x1, x50 costs ${(alone[2]! / alone[0]!).toFixed(1)} times`,
);
rmSync(folder, { recursive: true, force: true });

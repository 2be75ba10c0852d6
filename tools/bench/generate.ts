/**
 * Compares generation with json-schema-to-typescript and quicktype. Whole processes take turns on
 * the same file, at up to 50 times the size of DAP. LSP and CDP are measured too, if their files
 * are available.
 * Our tool writes the whole package; the other tools write only types. They cannot read LSP's meta
 * model or CDP's domains, so they are given the JSON Schema that our tool creates from these files.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { readProtocolSource } from "../../generator/read/read-protocol.js";
import { fromRoot, shared } from "../../test/support/paths.js";
import { inBenchPeers, withoutBenchPeers } from "./bench-peers.js";
import { enlargeSchema, type Schema } from "./enlarged-schema.js";
import { turnsOf } from "./measure.js";
import { runMetered, type Usage } from "./metered-process.js";
import { figureOf, selects, type Bench } from "./report.js";

interface Tool {
  readonly name: string;
  args(subject: Subject, out: string): readonly string[];
}

/** A generator's input: a protocol, its files, and a JSON Schema with the same types. */
interface Subject {
  readonly protocol: string;
  readonly files: readonly string[];
  readonly schema: string;
}

const bin = (path: string): string => fromRoot(`node_modules/${path}`);

const tools: readonly Tool[] = [
  {
    name: "wirewright, whole package",
    args: ({ protocol, files }, out) => [
      fromRoot("build/cli/main.js"),
      "generate",
      protocol,
      "--out",
      out,
      ...files.flatMap((file) => ["--schema", file]),
    ],
  },
  {
    name: "json-schema-to-typescript",
    args: ({ schema }, out) => [
      bin("json-schema-to-typescript/dist/src/cli.js"),
      "--unreachableDefinitions",
      schema,
      `${out}.ts`,
    ],
  },
  {
    name: "quicktype",
    args: ({ schema }, out) => [
      inBenchPeers("quicktype/dist/index.js"),
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
  { name: "Node itself", args: () => ["-e", "0"] },
];

/** Schema sizes as multiples of DAP, each with the maximum number of measurements. */
const factors = [
  [1, 5],
  [2, 1],
  [5, 1],
  [10, 2],
  [20, 1],
  [50, 1],
] as const;

/** Published schemas for protocols other than DAP. */
const others: Readonly<Record<string, readonly string[]>> = {
  lsp: ["schemas/lsp/metaModel.json"],
  cdp: ["schemas/cdp/browser_protocol.json", "schemas/cdp/js_protocol.json"],
};

export const bench: Bench = async (report, options) => {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
  const table = report.table("generating", ["schema", "tool"], { time: "ns", peak: "MB" });
  try {
    const measure = (label: string, most: number, subject: Subject): void => {
      const compared = tools.filter(
        ({ name }) => !options.isQuick || name !== "quicktype" || withoutBenchPeers() === undefined,
      );
      const usages = compared.map((): Usage[] => []);
      for (let round = 0; round < Math.min(options.rounds, most); round++)
        for (const index of turnsOf(compared.length, round)) {
          const out = join(folder, `out-${index}`);
          rmSync(out, { recursive: true, force: true });
          // quicktype's recursion requires a large stack.
          const args = compared[index]!.args(subject, out);
          const { usage } = runMetered(["--stack-size=4000", ...args]);
          if (usage !== undefined) usages[index]!.push(usage);
        }
      compared.forEach(({ name }, index) => {
        const found = usages[index]!;
        const failed = { time: "fails", peak: "fails" };
        const cells = {
          time: figureOf(found.map(({ time }) => time)),
          peak: figureOf(found.map(({ peak }) => peak)),
        };
        table.row([label, name], found.length === 0 ? failed : cells);
      });
    };
    for (const [factor, most] of factors) {
      if (!selects(options, [`${factor} ×`])) continue;
      const schema = writeEnlarged(folder, factor);
      measure(`${factor} ×`, most, { protocol: "dap", files: [schema], schema });
    }
    for (const [protocol, paths] of Object.entries(others)) {
      const files = paths.flatMap((path) => shared(path) ?? []);
      const label = protocol.toUpperCase();
      if (files.length < paths.length || !selects(options, [label])) continue;
      const schema = join(folder, `${protocol}.json`);
      const { schema: read } = await readProtocolSource(protocol, { schema: files });
      writeFileSync(schema, JSON.stringify(read.value, null, 1));
      measure(label, 5, { protocol, files, schema });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Writes the newest DAP schema, enlarged by the given factor. */
function writeEnlarged(folder: string, factor: number): string {
  const path = join(folder, `dap-x${factor}.json`);
  const schema = JSON.parse(readFileSync(newestDapSchema, "utf8")) as Schema;
  writeFileSync(path, JSON.stringify(enlargeSchema(schema, factor), null, 1));
  return path;
}

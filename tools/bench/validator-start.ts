/**
 * Measures the processor time from import to the first result, and until there is a result for
 * every kind of message. Each run is a new process.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fromRoot } from "../../test/support/paths.js";
import { turnsOf } from "./measure.js";
import { figureOf, selects, type Bench } from "./report.js";
import { mixed } from "./validator-corpus.js";
import { schema, successOf } from "./schema-dialect.js";
import { writeStandalone } from "./validator-peers.js";

const folder = fromRoot("build/tools/bench/start");
mkdirSync(folder, { recursive: true });

const cases = mixed.map(({ definition, value }) => ({ definition, value }));
writeFileSync(`${folder}/cases.json`, JSON.stringify(cases));
writeFileSync(
  `${folder}/narrowed.json`,
  JSON.stringify(cases.map(({ definition, value }) => [successOf(definition), value])),
);
writeFileSync(`${folder}/schema.json`, JSON.stringify(schema));

/**
 * `setUp` creates `check`, which takes a message and its definition. The measurement starts before
 * `setUp` is called.
 */
function writeProgram(name: string, input: string, setUp: string): string {
  const path = `${folder}/${name}.mjs`;
  writeFileSync(
    path,
    `import { readFileSync } from "node:fs";
const cases = JSON.parse(readFileSync("${folder}/${input}.json", "utf8")).map((each) =>
  Array.isArray(each) ? { definition: each[0], value: each[1] } : each);
const stopped = cases.find(({ definition }) => definition === "StoppedEvent");
const rss = process.memoryUsage.rss();
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
};
const start = used();
${setUp}
const verdicts = [check(stopped.value, stopped.definition)];
const first = used() - start;
for (const { value, definition } of cases) verdicts.push(check(value, definition));
const all = used() - start;
const grown = (process.memoryUsage.rss() - rss) / 1e6;
if (!verdicts.every(Boolean)) throw new Error("a valid message was refused");
process.stdout.write(JSON.stringify([first, all, grown]));
`,
  );
  return path;
}

async function bundle(name: string, contents: string, minify = true): Promise<string> {
  const outfile = `${folder}/${name}-code.mjs`;
  await build({
    stdin: { contents, resolveDir: fromRoot("."), loader: "ts" },
    bundle: true,
    minify,
    format: "esm",
    platform: "node",
    outfile,
    tsconfigRaw: {},
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return pathToFileURL(outfile).href;
}

const ajv = await bundle("ajv", 'export { default } from "ajv-draft-04";');
const ours = await bundle(
  "ours",
  `export { isValid } from "${fromRoot("generated/dap/validate.ts")}";`,
);
const explaining = await bundle(
  "explaining",
  `export { validate } from "${fromRoot("generated/dap/validate.ts")}";`,
);
/** Load the file that Node would load for this entry point of the published package. */
const whole = await bundle(
  "whole",
  `export * from "${fromRoot("generated/dap/validate.ts")}";`,
  false,
);
const programs: readonly (readonly [string, string])[] = [
  [
    "ajv at run time",
    writeProgram(
      "ajv",
      "narrowed",
      `const { default: { default: Ajv } } = await import("${ajv}");
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(readFileSync("${folder}/schema.json", "utf8")), "dap");
const check = (value, definition) => ajv.getSchema("dap#/definitions/" + definition)(value);`,
    ),
  ],
  [
    "ajv standalone",
    writeProgram(
      "standalone",
      "narrowed",
      `const code = await import("${pathToFileURL(writeStandalone(false)).href}");
const check = (value, definition) => code[definition](value);`,
    ),
  ],
  [
    "wirewright, isValid bundled",
    writeProgram("ours", "cases", `const { isValid: check } = await import("${ours}");`),
  ],
  [
    "wirewright, validate bundled",
    writeProgram(
      "explaining",
      "cases",
      `const { validate } = await import("${explaining}");
const check = (value) => validate(value).ok;`,
    ),
  ],
  [
    "wirewright, the whole entry",
    writeProgram("package", "cases", `const { isValid: check } = await import("${whole}");`),
  ],
];

const columns = ["first verdict", `all ${cases.length}`, "memory"] as const;

export const bench: Bench = (report, options) => {
  const table = report.table("start", ["validator"], {
    "first verdict": "ns",
    [`all ${cases.length}`]: "ns",
    memory: "MB",
  });
  const chosen = programs.filter(([name]) => selects(options, [name]));
  const figures = chosen.map(() => columns.map((): number[] => []));
  for (let round = -1; round < options.rounds; round++)
    for (const index of turnsOf(chosen.length, round + 1)) {
      const printed = execFileSync(process.execPath, [chosen[index]![1]], { encoding: "utf8" });
      if (round < 0) continue;
      (JSON.parse(printed) as number[]).forEach((each, column) =>
        figures[index]![column]!.push(each),
      );
    }
  chosen.forEach(([name], index) => {
    const cells = columns.map((column, at) => [column, figureOf(figures[index]![at]!)] as const);
    table.row([name], Object.fromEntries(cells));
  });
};

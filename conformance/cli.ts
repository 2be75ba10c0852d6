#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { countsOf, reportText } from "./report/report-text.js";
import { openSuite } from "./run/open-suite.js";
import { runSuite } from "./run/run-suite.js";

const usage = `Tests a debug adapter against the Debug Adapter Protocol.

  wirewright-conformance --language LANGUAGE [OPTION…] -- COMMAND [ARGUMENT…]

\${port} among the arguments is replaced by a free TCP port, to which the suite connects. Without it, the adapter speaks on
its standard input and output.

Options:
  --language LANGUAGE    language of the programs to debug: c, go, javascript, python or ruby
  --connect HOST:PORT    test an adapter that is already listening, instead of a command
  --config FILE          JSON file with the arguments of launch; \${program}, \${source} and \${folder} are replaced
  --attach               send attach instead of launch
  --child                the adapter debugs the program in a child session
  --adapter-id ID        adapterID of initialize (default: the language)
  --only CASE            run this case only; may be repeated
  --parallel NUMBER      cases at a time (default: 2)
  --timeout MS           milliseconds for a step (default: 10000)
  --recordings FOLDER    write the messages of each case as CASE.jsonl, for wirewright lint and view
  --json FILE            also write the results as JSON
  --expect FILE          JSON object of checks that are expected to fail, with reasons
  --help                 show this text

Exit status: 0 all scored checks pass or fail as expected, 1 something unexpected, 2 the suite could not run.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      language: { type: "string" },
      connect: { type: "string" },
      config: { type: "string" },
      attach: { type: "boolean", default: false },
      child: { type: "boolean", default: false },
      "adapter-id": { type: "string" },
      only: { type: "string", multiple: true },
      parallel: { type: "string", default: "2" },
      timeout: { type: "string", default: "10000" },
      recordings: { type: "string" },
      json: { type: "string" },
      expect: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { language, connect, config, only, json, expect, recordings } = values;
  const { "adapter-id": adapterId } = values;
  if (language === undefined)
    throw new TypeError("--language is missing, such as --language python");
  if ((connect === undefined) === (positionals.length === 0))
    throw new TypeError("give either the command of the adapter after --, or --connect");
  const expected = expect === undefined ? {} : readObject(expect);
  const suite = await openSuite({
    target: connect === undefined ? { command: positionals } : { connect },
    language,
    request: values.attach ? "attach" : "launch",
    isInChild: values.child,
    timeoutMs: positive("--timeout", values.timeout),
    ...(adapterId === undefined ? {} : { adapterId }),
    ...(recordings === undefined ? {} : { recordings }),
    ...(config === undefined ? {} : { launch: readObject(config) }),
  });
  const isTerminal = process.stderr.isTTY;
  const result = await runSuite(suite, {
    parallel: positive("--parallel", values.parallel),
    ...(only === undefined ? {} : { only }),
    onCase: (name, done, all) => {
      if (isTerminal)
        process.stderr.write(`\r\x1b[K${done}/${all} ${name}${done === all ? "\n" : ""}`);
    },
  });
  console.log(reportText(connect ?? positionals.join(" "), result));
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ language, ...result, counts: countsOf(result.checks) }, undefined, 2)}\n`,
    );
  return judge(result.checks, expected);
}

function judge(results: Awaited<ReturnType<typeof runSuite>>["checks"], expected: object): number {
  const failed = results
    .filter(({ level, status }) => level !== "info" && (status === "fail" || status === "blocked"))
    .map(({ check }) => check);
  const stale = Object.keys(expected).filter(
    (check) =>
      !results.some((each) => each.check === check && ["fail", "blocked"].includes(each.status)),
  );
  for (const check of stale)
    console.error(`${check} is expected to fail, and does not: remove it from the file`);
  return stale.length > 0 || failed.some((check) => !(check in expected)) ? 1 : 0;
}

/** @throws TypeError */
function readObject(path: string): object {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`${path} is not a JSON object`);
}

/** @throws TypeError */
function positive(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new TypeError(`${name} takes a number from 1, not "${text}"`);
}

for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => process.exit(status));

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`wirewright-conformance: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
process.exit();

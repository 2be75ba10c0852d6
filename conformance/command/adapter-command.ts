import { parseArgs } from "node:util";
import { readObject, readProject, suiteOf, type AdapterEntry } from "../run/adapter-entry.js";
import { adapterResults, unexpectedOf, type AdapterResults } from "../report/adapter-results.js";
import { reportText } from "../report/report-text.js";
import { writeReports } from "../report/write-reports.js";
import { cases } from "../cases/cases.js";
import { checks } from "../checks.js";
import { languages } from "../run/open-suite.js";
import { runSuite } from "../run/run-suite.js";
import { readReasons, positive } from "./option-values.js";

const usage = `Tests debug adapters against the Debug Adapter Protocol.

  wirewright-conformance --language LANGUAGE [OPTION…] -- COMMAND [ARGUMENT…]
  wirewright-conformance --language LANGUAGE [OPTION…] --connect HOST:PORT
  wirewright-conformance --project FILE [--adapter NAME…] [OPTION…]
  wirewright-conformance client --help

\${port} in the command's arguments is replaced by a free TCP port, to which the suite connects. Without it, the adapter
communicates over its standard input and output. The adapter and the programs are started on this machine.

Options:
  --language LANGUAGE    language of the programs to debug: ${[...languages().keys()].join(", ")}
  --connect HOST:PORT    test an adapter that is already listening, instead of a command
  --ready TEXT           text that the adapter prints once clients can connect (default: wait until the port is open)
  --config FILE          JSON file with the launch arguments; \${program}, \${source}, \${folder} and \${port}
                         are replaced
  --attach               send attach instead of launch
  --child                the adapter debugs the program in a child session
  --adapter-id ID        adapterID to send in initialize (default: the language)
  --project FILE         test the adapters in a project file
  --adapter NAME         test only this adapter in the project file; may be repeated
  --only CASE            run only this case; may be repeated
  --parallel NUMBER      number of cases to run at the same time (default: 2)
  --timeout MS           shortest deadline for a step, in milliseconds; it grows for slow adapters (default: 10000)
  --expect FILE          JSON file with the checks that are expected to fail, and the reasons
  --recordings FOLDER    write the messages of each case, for wirewright lint and view
  --json FILE            write the results as JSON
  --junit FILE           write the results as JUnit XML
  --markdown FILE        write the results as markdown
  --badge FILE           write a JSON file for a badge
  --page FOLDER          write HTML pages; with --recordings, they show the sessions of failed cases
  --list                 list checks and cases
  --help                 show this text

Exit status: 0 if all scored checks pass, fail as expected, or are blocked by an expected failure, 1 if a result is
unexpected or an expected failure no longer occurs, 2 if the suite could not run.`;

const options = {
  language: { type: "string" },
  connect: { type: "string" },
  ready: { type: "string" },
  config: { type: "string" },
  attach: { type: "boolean", default: false },
  child: { type: "boolean", default: false },
  "adapter-id": { type: "string" },
  project: { type: "string" },
  adapter: { type: "string", multiple: true },
  only: { type: "string", multiple: true },
  parallel: { type: "string" },
  timeout: { type: "string" },
  expect: { type: "string" },
  recordings: { type: "string" },
  json: { type: "string" },
  junit: { type: "string" },
  markdown: { type: "string" },
  badge: { type: "string" },
  page: { type: "string" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments>["values"];

function readArguments(args: readonly string[]) {
  return parseArgs({ options, allowPositionals: true, args: [...args] });
}

/** Tests adapters, and returns the exit status. @throws Error if the suite cannot run. */
export async function runAdapterCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.list) {
    for (const { id, level, title } of checks)
      console.log(`${id.padEnd(10)}${level.padEnd(9)}${title}`);
    console.log(`\nCases: ${cases.map(({ name }) => name).join(", ")}`);
    return 0;
  }
  const unknown = values.only?.find((chosen) => !cases.some(({ name }) => name === chosen));
  if (unknown !== undefined) throw new TypeError(`there is no case "${unknown}": see --list`);
  const entries =
    values.project === undefined ? oneEntry(values, positionals) : entriesOf(values, positionals);
  const all: AdapterResults[] = [];
  for (const [name, entry] of entries) all.push(await resultsOf(name, entry, values));
  const isColoured = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  const { recordings } = values;
  const [one, ...more] = all;
  const folder =
    recordings !== undefined && more.length === 0
      ? `${recordings}/${one!.adapter.name}`
      : recordings;
  console.log(reportText(all, { isColoured, recordings: folder }));
  await writeReports(all, values as Parameters<typeof writeReports>[1], recordings);
  const isFine = all.every((results) => {
    const { failed, stale } = unexpectedOf(results);
    return failed.length === 0 && stale.length === 0;
  });
  return isFine ? 0 : 1;
}

/** Reads the adapter from the command line. @throws TypeError if the arguments are invalid. */
function oneEntry(values: Values, command: readonly string[]): ReadonlyMap<string, AdapterEntry> {
  const { language, ready, connect, config, attach, child, expect } = values;
  const { "adapter-id": adapterId } = values;
  if (language === undefined)
    throw new TypeError("--language is required, for example --language python");
  if ((connect === undefined) === (command.length === 0))
    throw new TypeError("give either the adapter's command after --, or --connect");
  return new Map([
    [
      "adapter",
      {
        language,
        title: connect ?? command.join(" "),
        ...(connect === undefined ? { command } : { connect }),
        ready,
        request: attach ? "attach" : "launch",
        child,
        adapterId,
        launch: config === undefined ? undefined : readObject(config),
        expected: expect === undefined ? undefined : readReasons(expect, checks),
      } satisfies AdapterEntry,
    ],
  ]);
}

/** Reads the adapters from a project file. @throws TypeError if the arguments are invalid. */
function entriesOf(
  { project, adapter, language, ready, connect, config, expect }: Values,
  command: readonly string[],
): ReadonlyMap<string, AdapterEntry> {
  if (command.length > 0 || (language ?? ready ?? connect ?? config ?? expect) !== undefined)
    throw new TypeError("the project file contains the adapters: omit the other options");
  const all = readProject(project!);
  const unknown = adapter?.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw new TypeError(
      `${project} does not define an adapter "${unknown}"; it defines ${[...all.keys()].join(", ")}`,
    );
  return new Map([...all].filter(([name]) => adapter?.includes(name) ?? true));
}

async function resultsOf(
  name: string,
  entry: AdapterEntry,
  values: Values,
): Promise<AdapterResults> {
  const { timeout, parallel, only, recordings } = values;
  const timeoutMs = timeout === undefined ? entry.timeoutMs : positive("--timeout", timeout);
  const suite = await suiteOf(
    { ...entry, timeoutMs },
    { recordings: recordings === undefined ? undefined : `${recordings}/${name}` },
  );
  const isTerminal = process.stderr.isTTY;
  const result = await runSuite(suite, {
    parallel: parallel === undefined ? (entry.parallel ?? 2) : positive("--parallel", parallel),
    only,
    onCase: (one, done, count) => {
      if (isTerminal)
        process.stderr.write(
          `\r\x1b[K${name} ${done}/${count} ${one}${done === count ? "\n" : ""}`,
        );
    },
  });
  return adapterResults(name, entry, suite.protocol.version, result, only);
}

import { parseArgs } from "node:util";
import { openProtocol } from "wirewright";
import {
  playScenario,
  ScenarioServer,
  writeClientRecordings,
  type ClientResult,
} from "../client/serve-scenarios.js";
import { scenarios } from "../client/scenarios.js";
import { adapterResults, unexpectedOf } from "../report/adapter-results.js";
import { reportText } from "../report/report-text.js";
import { writeReports } from "../report/write-reports.js";
import { clientChecks } from "../checks.js";
import { readReasons, positive } from "./option-values.js";

const usage = `Plays debug adapters that behave in various ways allowed by the protocol, and checks a client's messages.

  wirewright-conformance client --listen PORT [OPTION…]
  wirewright-conformance client --stdio --scenario NAME [OPTION…]

With --listen, each connection to 127.0.0.1:PORT is a session with the next scenario. The client should continue the
program when it stops, and connect again when the session is over. With --stdio, the suite plays the adapter in a single
session.

Options:
  --listen PORT          TCP port; 0 for any free port, which is printed
  --stdio                communicate over standard input and output; the report goes to standard error
  --scenario NAME        play this scenario; may be repeated (default: all)
  --name NAME            the client's name in reports
  --expect FILE          JSON file with the checks that are expected to fail, and the reasons
  --recordings FOLDER    write the messages of each scenario, for wirewright lint and view
  --json FILE            write the results as JSON
  --junit FILE           write the results as JUnit XML
  --markdown FILE        write the results as markdown
  --timeout MS           end after this many milliseconds without a connection (default: 60000)
  --list                 list checks and scenarios
  --help                 show this text

Exit status: 0 if all scored checks pass or fail as expected, 1 if a result is unexpected, 2 if the suite could not run
or did not play all scenarios.`;

const options = {
  listen: { type: "string" },
  stdio: { type: "boolean", default: false },
  scenario: { type: "string", multiple: true },
  name: { type: "string", default: "client" },
  expect: { type: "string" },
  recordings: { type: "string" },
  json: { type: "string" },
  junit: { type: "string" },
  markdown: { type: "string" },
  timeout: { type: "string", default: "60000" },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Tests a client, and returns the exit status. @throws Error if the suite cannot run. */
export async function runClientCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ options, args: [...args] });
  if (values.help || values.list) {
    console.log(values.help ? usage : listing());
    return 0;
  }
  const { listen, stdio, scenario, name, expect, recordings } = values;
  const unknown = scenario?.find((chosen) => !scenarios.some(({ name }) => name === chosen));
  if (unknown !== undefined) throw new TypeError(`there is no scenario "${unknown}": see --list`);
  const chosen = scenarios.filter(({ name }) => scenario?.includes(name) ?? true);
  if ((listen === undefined) !== stdio) throw new TypeError("give either --listen or --stdio");
  const [first] = chosen;
  if (stdio && (chosen.length !== 1 || first === undefined))
    throw new TypeError("--stdio plays one scenario: choose it with --scenario");
  const protocol = await openProtocol("dap");
  const result = stdio
    ? await playScenario(first!, process.stdin, process.stdout, protocol)
    : await serve(portOf(listen!), chosen, positive("--timeout", values.timeout), protocol);
  if (recordings !== undefined)
    writeClientRecordings(`${recordings}/${name}`, result.sessions, protocol);
  const results = adapterResults(
    name,
    {
      language: "none",
      title: name,
      expected: expect === undefined ? {} : readReasons(expect, clientChecks),
    },
    protocol.version,
    { capabilities: {}, uses: {}, checks: result.checks },
  );
  console[stdio ? "error" : "log"](reportText([results], { recordings }));
  await writeReports([results], values, recordings);
  if (result.sessions.length < chosen.length) {
    console.error(`${result.sessions.length} of ${chosen.length} scenarios were run`);
    return 2;
  }
  const { failed, stale } = unexpectedOf(results);
  return failed.length + stale.length > 0 ? 1 : 0;
}

async function serve(
  port: number,
  chosen: typeof scenarios,
  timeoutMs: number,
  protocol: Awaited<ReturnType<typeof openProtocol>>,
): Promise<ClientResult> {
  const server = new ScenarioServer(chosen, protocol, {
    onSession: ({ scenario }, verdicts) => {
      const failed = verdicts.filter(({ status }) => status === "fail").length;
      console.error(
        `${scenario.name}: ${failed === 0 ? "ok" : `${failed} failed`}, ${server.left} left`,
      );
      timer.refresh();
    },
  });
  console.error(`listening on 127.0.0.1:${await server.listen(port)}`);
  const timer = setTimeout(() => server.close(), timeoutMs);
  return server.result.finally(() => clearTimeout(timer));
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new TypeError(`--listen requires a port, not "${text}"`);
}

function listing(): string {
  return [
    ...clientChecks.map(({ id, level, title }) => `${id.padEnd(10)}${level.padEnd(9)}${title}`),
    "",
    ...scenarios.map(({ name, title }) => `${name.padEnd(18)}${title}`),
  ].join("\n");
}

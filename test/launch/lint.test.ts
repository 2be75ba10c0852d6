import assert from "node:assert/strict";
import { test } from "node:test";
import { type Report, lint } from "../support/linted-configurations.js";

/** The findings: severity, rule, line and column, JSON Pointer, message and hint. */
const findings = [
  'error launch.missing 5:5 /configurations/0 Expected "program": a string | Add "program"',
  'warning launch.unknown 7:7 /configurations/0/progam There is no attribute "progam" here | Did you mean "program"?',
  "warning launch.variable 8:15 /configurations/0/port Expected an integer from 1, but a variable is replaced by a string | Choose a free port",
  'error launch.input 8:15 /configurations/0/port There is no input "port" | Did you mean "prt"?',
  'error launch.issue 9:16 /configurations/0/trace Expected one of "off", "verbose" | Did you mean "verbose"?',
  "error launch.issue 10:16 /configurations/0/label Expected a string that matches ^[a-z]+$ | Use small letters",
  'warning launch.deprecated 11:7 /configurations/0/log "log" is deprecated | Use trace',
  "error launch.issue 12:22 /configurations/0/hosts/1 Expected a string | undefined",
  'warning launch.unknown 13:16 /configurations/0/osx/prot There is no attribute "prot" here | Did you mean "port"?',
  "error launch.issue 13:35 /configurations/0/osx/port Expected an integer from 1 | Choose a free port",
  "warning launch.name 15:15 /configurations/1/name The configuration 1 has the same name | undefined",
  'warning launch.type 15:28 /configurations/1/type Unknown debugger type "note" | Did you mean "notes"?',
  'info launch.not-judged 16:28 /configurations/2/type The attributes of "python" are not known | undefined',
  'error launch.issue 17:48 /configurations/3/request Expected "launch" or "attach", the requests for "notes" | Did you mean "attach"?',
  "error launch.missing 18:5 /configurations/4 Expected a debugger type | Known: notes",
  "error launch.issue 19:5 /configurations/5 Expected an object | undefined",
  'error launch.compound 21:58 /compounds/0/configurations/1 There is no configuration with this name | Did you mean "B"?',
  'warning launch.unknown 23:3 /input There is no attribute "input" here | Did you mean "inputs"?',
];

test("lint reports each problem in a launch.json with its location", async () => {
  const { status, stdout } = await lint(["--configuration", "launch.json", "--format", "json"]);
  const report = JSON.parse(stdout) as Report;
  assert.deepEqual(
    report.findings.map(
      ({ severity, rule, place: { line, column, pointer }, message, hint }) =>
        `${severity} ${rule} ${line}:${column} ${pointer} ${message} | ${hint}`,
    ),
    findings,
  );
  assert.deepEqual(
    [status, report.file, report.against, report.counts],
    [1, "launch.json", ["package.json"], { error: 10, warning: 7, info: 1 }],
  );
});

test("lint judges standard input, and accepts a file without errors", async () => {
  const good = '{ "version": "0.2.0", "configurations": [] } // nothing';
  const read = await lint(["--configuration", "-"], {}, good);
  assert.deepEqual([read.status, read.stdout], [0, "<stdin>   by package.json   no findings\n"]);
  const one =
    '{"configurations":[{"type":"notes","request":"attach","name":"n","port":"${command:pick}"}]}';
  const kept = await lint(["--configuration", "launch.json"], { "launch.json": one });
  assert.deepEqual(
    [kept.status, kept.stdout],
    [0, "launch.json   by package.json   no findings\n"],
  );
});

test("lint prints findings about configurations as text, workflow commands and SARIF", async () => {
  const launch = '{"configurations":[{"type":"notes","request":"launch","name":"n","program":1}]}';
  const print = (format: string): Promise<{ status: number | null; stdout: string }> =>
    lint(["--configuration", "launch.json", "--format", format], { "launch.json": launch });
  const place = "launch.json:1:76 /configurations/0/program";
  assert.deepEqual((await print("text")).stdout.split("\n"), [
    "launch.json   by package.json   1 error",
    `error    launch.issue  ${place}`,
    "  Expected a string, received 1",
    "",
  ]);
  assert.equal(
    (await print("github")).stdout,
    "::error file=launch.json,line=1,col=76,title=launch.issue::Expected a string, received 1\n",
  );
  const { runs } = JSON.parse((await print("sarif")).stdout) as {
    runs: {
      automationDetails: object;
      results: { partialFingerprints: { "wirewright/v1": string } }[];
    }[];
  };
  const [{ automationDetails, results }] = runs as [(typeof runs)[0]];
  assert.deepEqual(automationDetails, { id: "lint/configuration" });
  const fingerprint = results[0]!.partialFingerprints["wirewright/v1"];
  assert.match(fingerprint, /^[0-9a-f]{64}$/);
  assert.deepEqual(results, [
    {
      ruleId: "launch.issue",
      ruleIndex: 0,
      level: "error",
      message: { text: "Expected a string, received 1" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "launch.json", uriBaseId: "%SRCROOT%" },
            region: { startLine: 1, startColumn: 76 },
          },
          logicalLocations: [{ fullyQualifiedName: "/configurations/0/program" }],
        },
      ],
      partialFingerprints: { "wirewright/v1": fingerprint },
    },
  ]);
});

test("severities and --fail-on determine the exit status", async () => {
  const launch =
    '{"configurations":[{"type":"notes","request":"launch","name":"n","program":"p","x":1}]}';
  const statusOf = async (...args: string[]): Promise<number | null> =>
    (await lint(["--configuration", "launch.json", ...args], { "launch.json": launch })).status;
  assert.equal(await statusOf(), 0);
  assert.equal(await statusOf("--fail-on", "warning"), 1);
  assert.equal(await statusOf("--severity", "launch.unknown=error"), 1);
  assert.equal(await statusOf("--severity", "launch.unknown=off", "--fail-on", "info"), 0);
  const unknown = await lint(["--configuration", "launch.json", "--severity", "launch.unknwn=off"]);
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [2, 'Cannot find the rule "launch.unknwn" [ERR_ARGUMENT]\n  Did you mean "launch.unknown"?\n'],
  );
});

test("strings from a file are safe to print", async () => {
  const { stdout } = await lint(["--configuration", "launch.json"], {
    "launch.json":
      '{"configurations":[{"type":"notes","request":"launch","name":"n","program":"p","\\u001b[31m\\n::error::x":"\\u202e"}]}',
  });
  assert.doesNotMatch(stdout, /[\u001b\u202e]|^::/m);
});

test("a pattern that takes exponential time ends the check and is reported by lint", async () => {
  const properties = { label: { type: "string", pattern: "^(a+)+$" } };
  const configurationAttributes = { launch: { properties } };
  const label = `${"a".repeat(40)}!`;
  const { status, stderr } = await lint(["--configuration", "launch.json"], {
    "package.json": JSON.stringify({
      contributes: { debuggers: [{ type: "notes", configurationAttributes }] },
    }),
    "launch.json": JSON.stringify({
      version: "0.2.0",
      configurations: [{ name: "A", type: "notes", request: "launch", label }],
    }),
  });
  assert.equal(status, 2);
  assert.match(stderr, /within 1000 ms.*exponential time \("\^\(a\+\)\+\$"\)/);
  assert.match(stderr, /nested repetitions/);
});

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { withFolder } from "../support/compile.js";
import { fromRoot, root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";
import { cases, hostile, report } from "../support/diff-command.js";

test("JSON reports match their schema", () => {
  const schema = JSON.parse(
    readFileSync(fromRoot("schema/formats/diff-report.schema.json"), "utf8"),
  ) as object;
  const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
    schema,
  );
  const accepts = (text: string): void => {
    assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors?.slice(0, 3)));
  };
  for (const [name, args] of Object.entries(cases))
    accepts(report([...args, "--format", "json"], name === "hostile" ? 1 : 0));
  accepts(report(["--range", "1.51.0..1.71.0", "--format", "json"], 0));
  const failed = runCommand(root, ["diff", "-", "dap", "--format", "json"], '{"a": 1,}');
  assert.equal(failed.status, 2);
  accepts(failed.stdout);
  assert.deepEqual(JSON.parse(failed.stdout), {
    report: "error",
    reportVersion: 1,
    error: {
      code: "ERR_JSON",
      message: 'Cannot parse JSON: property name expected at "}"',
      place: { file: "<stdin>", line: 1, column: 9 },
    },
  });
});

test("findings point to lines in both files", () => {
  const { findings } = JSON.parse(report([...hostile, "--format", "json"], 1)) as {
    findings: { at: string; before?: object; after?: object }[];
  };
  const find = (at: string): unknown => {
    const { before, after } = findings.find((finding) => finding.at === at)!;
    return [before, after];
  };
  const lineOf = (file: string, text: string): number =>
    readFileSync(fromRoot(`test/fixtures/hostile-pair/${file}`), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;
  const pointer = "/definitions/PutRequest/allOf/1/properties/arguments/properties/__proto__";
  assert.deepEqual(find("PutRequestArguments.__proto__"), [
    {
      file: "test/fixtures/hostile-pair/before.json",
      pointer,
      line: lineOf("before.json", '"__proto__": {'),
      column: 30,
    },
    {
      file: "test/fixtures/hostile-pair/after.json",
      pointer,
      line: lineOf("after.json", '"__proto__": {'),
      column: 30,
    },
  ]);
});

test("SARIF reports give a rule and a location for each result", () => {
  const sarif = JSON.parse(report([...hostile, "--format", "sarif"], 1)) as {
    version: string;
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: Sarif[] }];
  };
  interface Sarif {
    ruleId: string;
    ruleIndex: number;
    level: string;
    message: { text: string };
    locations: { physicalLocation: { region: { startLine: number } } }[];
  }
  const [{ tool, results }] = sarif.runs;
  assert.equal(sarif.version, "2.1.0");
  assert.equal(results.length, 10);
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    assert.equal(tool.driver.rules[ruleIndex]!.id, ruleId);
    assert.ok(["error", "warning", "note", "none"].includes(level));
    assert.ok(message.text.length > 20);
    assert.ok(locations[0]!.physicalLocation.region.startLine > 1);
  }
});

test("SARIF contains the tool's name, paths relative to the folder, and a fingerprint for each finding", async () => {
  interface Run {
    readonly tool: { readonly driver: Readonly<Record<string, unknown>> };
    readonly results: readonly {
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: object };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }
  const runOf = (text: string): Run => (JSON.parse(text) as { runs: [Run] }).runs[0];
  const [old, now, ...rest] = hostile;
  await withFolder((folder) => {
    const own = runOf(report([...hostile, "--format", "sarif"], 1));
    const inner = `${folder}/inner`;
    mkdirSync(inner);
    copyFileSync(fromRoot(old!), `${folder}/old.json`);
    copyFileSync(fromRoot(now!), `${folder}/new file.json`);
    const args = ["diff", `${folder}/old.json`, `${folder}/new file.json`, "--format", "sarif"];
    const { stdout } = runCommand(inner, [...args, "--protocol", fromRoot(rest[1]!)]);
    const outside = runOf(stdout);
    const { name, version, semanticVersion, informationUri } = own.tool.driver;
    const { version: tool, homepage } = JSON.parse(
      readFileSync(fromRoot("package.json"), "utf8"),
    ) as Record<string, string>;
    assert.deepEqual(
      [name, version, semanticVersion, informationUri],
      ["wirewright", tool, tool, homepage],
    );
    const places = new Set(
      outside.results.map(({ locations }) =>
        JSON.stringify(locations[0]!.physicalLocation.artifactLocation),
      ),
    );
    assert.deepEqual([...places].sort(), [
      '{"uri":"../new%20file.json","uriBaseId":"%SRCROOT%"}',
      '{"uri":"../old.json","uriBaseId":"%SRCROOT%"}',
    ]);
    const prints = (run: Run): readonly string[] =>
      run.results.map(({ partialFingerprints }) => partialFingerprints["wirewright/v1"]!);
    assert.equal(new Set(prints(own)).size, own.results.length);
    assert.match(prints(own)[0]!, /^[0-9a-f]{64}$/);
    // A finding's fingerprint does not depend on the folder that contains the files.
    assert.deepEqual(prints(outside), prints(own));
  });
});

test("additions from an overlay are located in the overlay, and so are payloads named differently in its schema", () => {
  const lines = (...args: string[]): string =>
    report([...args, "--format", "github", "--fail-on", "never"], 0);
  const overlay = "schema/acp-breakpoints/breakpoints.json";
  const place = (name: string): number =>
    readFileSync(fromRoot(overlay), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(`"${name}": {`)) + 1;
  assert.match(
    lines("acp", "acp-breakpoints"),
    new RegExp(
      `file=${overlay},line=${place("BreakpointChangedParams")},col=\\d+,title=message.added-event`,
    ),
  );
  const schema = readFileSync(fromRoot("schema/acp/2.json"), "utf8");
  const line =
    schema.split("\n").findIndex((text) => text.includes('"RequestPermissionRequest": {')) + 1;
  const [, found] =
    /line=(\d+),col=\d+,title=prop.added-required::\+ RequestPermissionParams.title/.exec(
      lines("acp", "acp@2"),
    )!;
  assert.ok(Number(found) > line && Number(found) < line + 60, `${found} after ${line}`);
});

test("each decision has one annotation and one JUnit case, and text from the schema cannot end them early", () => {
  const github = report([...hostile, "--format", "github"], 1)
    .trimEnd()
    .split("\n");
  assert.equal(github.length, 9);
  for (const line of github)
    assert.match(
      line,
      /^::(error|warning|notice) file=[^,:]+,line=\d+,col=\d+,title=[\w.-]+::[^:]/,
    );
  const junit = report([...hostile, "--format", "junit"], 1);
  assert.equal([...junit.matchAll(/<testcase /g)].length, 10);
  assert.equal([...junit.matchAll(/<failure /g)].length, 6);
  assert.match(
    junit,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="10" failures="6">/,
  );
  assert.doesNotMatch(junit, /<b>|\u0000/);
});

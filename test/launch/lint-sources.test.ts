import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, type Report, lint } from "../support/linted-configurations.js";

test("lint judges a package.json against itself or against the files given with --against", async () => {
  const extension = await lint(["--configuration", "package.json"]);
  assert.deepEqual(
    [extension.status, extension.stdout],
    [0, "package.json   by package.json   no findings\n"],
  );
  const schema = JSON.stringify({
    properties: {
      type: { const: "python" },
      request: { const: "launch" },
      module: { type: "string" },
    },
    required: ["module"],
  });
  const both = await lint(
    [
      "--configuration",
      "launch.json",
      "--against",
      "package.json",
      "--against",
      "python.schema.json",
      "--format",
      "json",
    ],
    { "python.schema.json": schema },
  );
  const report = JSON.parse(both.stdout) as Report;
  assert.deepEqual(report.against, ["package.json", "python.schema.json"]);
  assert.deepEqual(
    report.findings
      .filter(({ place }) => place.pointer.startsWith("/configurations/2"))
      .map(({ message }) => message),
    ['Expected "module": a string'],
  );
});

test("lint uses the sources in the project file", async () => {
  const config = JSON.stringify({
    packages: [{ protocol: "dap", out: "dap", configuration: "extension/package.json" }],
    configurations: [{ source: "extension/package.json", manifest: "package.json" }],
  });
  const { stdout } = await lint(["--configuration", "launch.json"], {
    "package.json": "{}",
    "extension/package.json": manifest,
    "wirewright.config.json": config,
  });
  assert.equal(
    stdout.split("\n")[0],
    "launch.json   by extension/package.json   10 errors · 7 warnings · 1 info",
  );
});

test("lint refuses invalid arguments and unusable files", async () => {
  const refusal = async (
    args: readonly string[],
    files: Record<string, string> = {},
  ): Promise<string> => {
    const { status, stdout, stderr } = await lint(args, files);
    assert.deepEqual([status, stdout], [2, ""]);
    return stderr;
  };
  assert.equal(
    await refusal(["--configuration", "launch.json"], { "package.json": "{}" }),
    "Cannot check configurations: no VS Code extension is given, and there is no package.json here [ERR_ARGUMENT]\n  Give its package.json with --against\n",
  );
  assert.equal(
    await refusal(["--configuration", "launch.json"], { "launch.json": '{\n  "a": ]\n}' }),
    "launch.json:2:8: Cannot parse JSON with comments: value expected [ERR_JSON]\n",
  );
  assert.equal(
    await refusal(["--configuration", "launch.json"], { "launch.json": "[".repeat(300) }),
    "launch.json:1:257: Cannot read JSON nested more than 256 levels deep [ERR_TOO_DEEP]\n",
  );
  assert.equal(
    await refusal(["--configuration", "launch.json", "session.jsonl"]),
    'Cannot check "session.jsonl" and configurations in one call [ERR_ARGUMENT]\n  Call wirewright lint once for each\n',
  );
  assert.equal(
    await refusal(["--against", "package.json", "session.jsonl"]),
    "Cannot use --against without --configuration [ERR_ARGUMENT]\n  Recordings are checked against a --protocol\n",
  );
  assert.match(
    await refusal(["--configuration", "none.json"]),
    /^none\.json: Cannot read the file: .*ERR_READ\]\n$/,
  );
});

test("lint works with contradictory schemas", async () => {
  const schema = {
    properties: {
      range: { type: "number", minimum: 5, maximum: 1 },
      twice: { enum: ["x", "x", "y"] },
      both: { allOf: [{ type: "string" }, { type: "number" }] },
      spaced: { $ref: "#/definitions/a b%" },
    },
    definitions: { "a b%": { type: "string" } },
  };
  const debuggers = [{ type: "notes", configurationAttributes: { launch: schema } }];
  const written = { range: 3, twice: "z", both: 1, spaced: 1 };
  const launch = { configurations: [{ type: "notes", request: "launch", name: "n", ...written }] };
  const { stdout } = await lint(["--configuration", "launch.json", "--format", "json"], {
    "package.json": JSON.stringify({ contributes: { debuggers } }),
    "launch.json": JSON.stringify(launch),
  });
  const report = JSON.parse(stdout) as {
    findings: { rule: string; message: string; place: { pointer: string } }[];
  };
  assert.deepEqual(
    report.findings.map(({ rule, message, place }) => [
      rule,
      place.pointer.split("/").at(-1),
      message,
    ]),
    [
      ["launch.issue", "range", "Expected a value that is not a number"],
      ["launch.issue", "twice", 'Expected one of "x", "y"'],
      ["launch.issue", "both", "Expected nothing"],
      ["launch.issue", "spaced", "Expected a string"],
    ],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, readJson } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

const recording = [
  { from: "client", message: { seq: 1, type: "request", command: "next", arguments: {} } },
  { from: "adapter", message: { seq: 1, type: "event", event: "stopped", body: { reason: 1 } } },
]
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join("");

const files = {
  "session.jsonl": recording,
  "runs/one.jsonl": recording,
  "launch.json": '{ "configurations": [{ "type": "mine", "request": "launch", "nme": 1 }] }',
  "package.json": JSON.stringify({
    contributes: { debuggers: [{ type: "mine", configurationAttributes: { launch: {} } }] },
  }),
};

/**
 * Calls that print JSON, by command. Each comes with the kind given in its report and the name of
 * the report's schema.
 */
const calls: Readonly<
  Record<string, readonly (readonly [args: string, kind: string, schema: string])[]>
> = {
  lint: [
    ["session.jsonl", "lint", "lint-report"],
    ["--configuration launch.json", "configuration", "lint-report"],
    ["runs", "lint-batch", "lint-batch"],
  ],
  stats: [["session.jsonl", "stats", "stats-report"]],
  model: [["ruby-debug-ide", "model", "model"]],
  diff: [
    ["dap@1.70.0 dap@1.71.0", "diff", "diff-report"],
    ["--range 1.70.0..1.71.0", "range", "diff-report"],
    ["dap@1.70.0 missing.json", "error", "diff-report"],
  ],
};

test("this test covers every command that has the format json", () => {
  const help = runCommand(fromRoot("."), ["--help"]).stdout;
  const [, list = ""] = /Commands:\n([^]*?)\n\n/.exec(help)!;
  const commands = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
  assert.ok(commands.length >= 10);
  const printing = commands.filter((name) =>
    /--format FORMAT.*\bjson\b/.test(runCommand(fromRoot("."), [name, "--help"]).stdout),
  );
  assert.deepEqual(printing.sort(), Object.keys(calls).sort());
});

for (const [command, reports] of Object.entries(calls))
  test(`the reports of ${command} --format json give a kind, a version and a schema`, () =>
    withFolder((folder) => {
      writeFiles(folder, files);
      for (const [args, kind, schema] of reports) {
        const { stdout } = runCommand(folder, [command, ...args.split(" "), "--format", "json"]);
        const report = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
        const validate = new Ajv({ allErrors: true }).compile(
          readJson(`schema/formats/${schema}.schema.json`) as object,
        );
        assert.ok(validate(report), `${args}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
        assert.deepEqual([report["report"], report["reportVersion"]], [kind, 1], args);
        assert.equal(validate({ ...report, reportVersion: 2 }), false, args);
        assert.equal(validate({ ...report, report: "other" }), false, args);
      }
    }));

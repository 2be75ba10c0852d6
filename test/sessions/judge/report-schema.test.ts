import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { root, readJson } from "../../support/paths.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { runCommand } from "../../support/run-command.js";

const schema = readJson("schema/formats/lint-report.schema.json") as object;
const validate = new Ajv({ allErrors: true, strict: true }).compile(schema);

function accepts(text: string, kind: string): void {
  const report = JSON.parse(text) as {
    readonly report: string;
    readonly findings: readonly object[];
  };
  assert.ok(validate(report), JSON.stringify(validate.errors?.slice(0, 3)));
  assert.deepEqual([report.report, report.findings.length > 0], [kind, true]);
  assert.equal(validate({ ...report, other: 1 }), false);
  assert.equal(validate({ ...report, reportVersion: 2 }), false);
}

const session = [
  { from: "client", message: { seq: 1, type: "request", command: "next", arguments: {} } },
  { from: "adapter", message: { seq: 1, type: "event", event: "stopped", body: { reason: 1 } } },
];

test("lint --format json prints reports that match their schema", () => {
  const lines = session.map((each) => `${JSON.stringify(each)}\n`).join("");
  for (const options of [[], ["--profile", "strict"], ["--host", "visual-studio"]])
    accepts(runCommand(root, ["lint", "-", "--format", "json", ...options], lines).stdout, "lint");
  const bodies = session.map(({ message }) => JSON.stringify(message));
  const bytes = bodies.map((body) => `Content-Length: ${body.length}\n\n${body}`).join("");
  accepts(runCommand(root, ["lint", "-", "--format", "json"], bytes).stdout, "lint");
});

test("lint --configuration --format json prints reports that match their schema", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "package.json": JSON.stringify({
        contributes: {
          debuggers: [
            {
              type: "mine",
              configurationAttributes: {
                launch: { required: ["program"], properties: { program: { type: "string" } } },
              },
            },
          ],
        },
      }),
      "launch.json": JSON.stringify({
        configurations: [{ type: "mine", request: "launch", name: "a", programm: 1 }],
      }),
    });
    const { stdout } = runCommand(folder, [
      "lint",
      "--configuration",
      join(folder, "launch.json"),
      "--format",
      "json",
    ]);
    accepts(stdout, "configuration");
  });
});

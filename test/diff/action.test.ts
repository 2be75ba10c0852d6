import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { withFolder, writeFiles } from "../support/compile.js";
import { schemaWith } from "../support/elementary-changes.js";
import { fromRoot } from "../support/paths.js";
import {
  assertSafe,
  hasBash,
  readAction,
  runAction,
  type ActionRun,
} from "../support/composite-action.js";
import { cli } from "../support/run-command.js";

const action = readAction("diff");
const skip = hasBash ? false : "needs bash, as do the steps of the action";
const run = (folder: string, given: Readonly<Record<string, string>>): ActionRun =>
  runAction(action, folder, given);

const payload = (properties: object): string =>
  JSON.stringify(
    schemaWith(
      { schema: { type: "object", properties, required: Object.keys(properties) } },
      "adapter",
    ),
    null,
    2,
  );
const text = { type: "string" };
const command = `${process.execPath} ${cli}`;
const inputs = { old: "1.0.0.json", new: "1.0.1.json", command };
const files = {
  "1.0.0.json": payload({ a: text }),
  "1.0.1.json": payload({ a: text, b: text }),
  "wirewright.config.json": JSON.stringify({
    diff: { protocol: fromRoot("test/fixtures/elementary") },
  }),
};

test("the action passes inputs as variables and exposes an output for each of its steps", () =>
  assertSafe(action));

test("the example in the documentation uses only inputs that the action defines", () => {
  const page = readFileSync(fromRoot("docs/reference/cli.md"), "utf8");
  const examples = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
    ([, yaml]) => parse(yaml!) as { uses: string; with: Record<string, string> }[],
  );
  assert.equal(examples.length, 1);
  const own = examples[0]!.find(({ uses }) => uses.startsWith("wirewright/"))!;
  assert.match(own.uses, /^wirewright\/wirewright\/\.github\/actions\/diff@/);
  for (const name of Object.keys(own.with)) assert.ok(name in action.inputs, name);
  for (const [name, { required }] of Object.entries(action.inputs))
    assert.ok(required !== true || name in own.with, name);
});

test(
  "the action writes the report to the summary and fails on breaking changes",
  { skip },
  async () => {
    await withFolder((folder) => {
      writeFiles(folder, files);
      const failed = run(folder, inputs);
      assert.equal(failed.status, 1);
      assert.match(failed.summary, /^## elementary 1\.0\.0 → 1\.0\.1\n\n\*\*1\*\* breaking\n/);
      assert.match(failed.summary, /prop\.added-required/);
      const { report, ...counts } = failed.outputs;
      assert.deepEqual(counts, { status: "1", breaking: "1", risky: "0", needed: "major" });
      assert.equal(
        (JSON.parse(readFileSync(report!, "utf8")) as { report: string }).report,
        "diff",
      );
      assert.match(failed.log, /^::error file=1\.0\.1\.json,line=\d+,col=\d+,title=prop\.added-/m);

      const quiet = run(folder, { ...inputs, "fail-on": "never", annotations: "false" });
      assert.deepEqual([quiet.status, quiet.log, quiet.outputs["status"]], [0, "", "0"]);
      assert.match(quiet.summary, /prop\.added-required/);

      const options = "--severity=prop.added-required=risky\n\n--fail-on-step";
      const step = run(folder, { ...inputs, options });
      assert.deepEqual([step.status, step.outputs["risky"]], [1, "1"]);
      assert.match(
        step.summary,
        /\n {4}The version step is too small: 1\.0\.0 to 1\.0\.1 is "patch"/,
      );

      writeFiles(folder, { "in/1.0.0.json": files["1.0.0.json"] });
      const elsewhere = {
        ...inputs,
        new: "1.0.0.json",
        protocol: fromRoot("test/fixtures/elementary"),
      };
      const same = run(folder, { ...elsewhere, "working-directory": "in" });
      assert.equal(same.status, 0);
      assert.match(same.summary, /No change\./);
    });
  },
);

test(
  "the example in the documentation runs in a new repository and shows removals in the new file",
  { skip },
  async () => {
    await withFolder((folder) => {
      const git = (...args: readonly string[]): void => {
        const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: folder });
        assert.equal(status, 0, String(stderr));
      };
      const page = readFileSync(fromRoot("docs/reference/cli.md"), "utf8");
      const [, yaml = ""] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
      const steps = parse(yaml) as { uses: string; with: Record<string, string> }[];
      const example = steps.find(({ uses }) => uses.startsWith("wirewright/"))!;
      git("init", "--quiet", "--initial-branch=main");
      cpSync(fromRoot("test/fixtures/elementary"), join(folder, "protocol"), { recursive: true });
      writeFiles(folder, { "protocol/schema.json": payload({ a: text, b: text }) });
      git("add", ".");
      git("commit", "--quiet", "--message=1");
      git("update-ref", "refs/remotes/origin/main", "HEAD");
      writeFiles(folder, { "protocol/schema.json": payload({ a: text }) });
      const { status, log, outputs } = run(folder, { command, ...example.with });
      assert.equal(status, 1, log);
      assert.equal(outputs["breaking"], "1");
      assert.match(
        log,
        /^::error file=protocol\/schema\.json,line=\d+,col=\d+,title=prop\.removed-required::/m,
      );
    });
  },
);

test(
  "the action reports sources that it cannot compare and does not execute its inputs",
  { skip },
  async () => {
    await withFolder((folder) => {
      writeFiles(folder, { ...files, "1.0.1.json": "{" });
      const broken = run(folder, inputs);
      assert.deepEqual([broken.status, broken.outputs], [2, { status: "2" }]);
      assert.match(
        broken.summary,
        /^## wirewright diff failed\n\n {4}1\.0\.1\.json:1:2: Cannot parse JSON: .* \[ERR_JSON\]\n/,
      );
      assert.match(broken.log, /ERR_JSON/);
      writeFiles(folder, files);
      const hostile = '$(touch forged)`touch forged`"; touch forged; "';
      for (const name of ["old", "new", "protocol", "fail-on", "options"])
        assert.equal(run(folder, { ...inputs, [name]: hostile }).status, 2, name);
      assert.equal(existsSync(join(folder, "forged")), false);
    });
  },
);

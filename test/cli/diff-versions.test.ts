import assert from "node:assert/strict";
import { test } from "node:test";
import { diffRange, diffVersions, printDiff, printRange } from "../../cli/index.js";
import { root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

const today = "2026-01-01";

for (const format of ["text", "json", "markdown", "sarif", "junit", "github"] as const)
  test(`diffVersions and printDiff produce the output of wirewright diff --format ${format}`, async () => {
    const diff = await diffVersions("dap@1.70.0", "dap@1.71.0", { side: "adapter", today });
    const { stdout } = runCommand(root, [
      "diff",
      "dap@1.70.0",
      "dap@1.71.0",
      "--side",
      "adapter",
      "--format",
      format,
    ]);
    const text = await printDiff(diff, format);
    assert.deepEqual(`${text}\n`.split("\n"), stdout.split("\n"));
  });

test("diffRange and printRange produce the output of wirewright diff --range", async () => {
  const diff = await diffRange("1.70.0..1.71.0", { findings: false, today });
  const { stdout } = runCommand(root, ["diff", "--range", "1.70.0..1.71.0"]);
  assert.equal(`${await printRange(diff)}\n`, stdout);
  const { cells } = await diffRange("1.70.0..1.71.0", { today });
  assert.deepEqual(
    cells.map(({ diff: { before, after } }) => [before, after]),
    [["1.70.0", "1.71.0"]],
  );
});

test("findings are accepted until the date in the acceptance has passed", async () => {
  const all = await diffVersions("dap@1.70.0", "dap@1.71.0");
  const [first] = all.findings;
  const accept = [{ rule: first!.rule, at: first!.at, reason: "known", until: "2026-01-02" }];
  const judgedOn = async (day: string): Promise<readonly [number, number]> => {
    const options = { accept, today: day };
    const { accepted, expired } = await diffVersions("dap@1.70.0", "dap@1.71.0", options);
    return [accepted.length, expired.length];
  };
  assert.deepEqual(await judgedOn("2026-01-02"), [1, 0]);
  assert.deepEqual(await judgedOn("2026-01-03"), [0, 1]);
});

test("diffVersions and diffRange refuse unknown sides, pairs and combinations", async () => {
  const cases: [object, string][] = [
    [{ side: "server" }, 'Cannot use the side "server"'],
    [{ pair: "a/b" }, 'Cannot use the pair "a/b"'],
    [{ session: ["a"], code: "b" }, "Cannot filter by a session and by code at the same time"],
  ];
  for (const [options, message] of cases)
    await assert.rejects(diffVersions("dap@1.70.0", "dap@1.71.0", options), {
      code: "ERR_ARGUMENT",
      message,
    });
});

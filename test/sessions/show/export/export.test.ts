import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder } from "../../../support/compile.js";
import { dapRequest } from "../../../support/dap-messages.js";
import { recorded } from "../../../support/inspector-page.js";
import { head, lines, run } from "../../../support/exported-recording.js";

test("export refuses invalid arguments and writes no file", async () => {
  const refused = (args: readonly string[], input?: string): string => {
    const { status, stdout, stderr } = run(args, input);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    return stderr.split("\n")[0]!;
  };
  assert.match(refused([]), /^Cannot export: no --format is given/);
  assert.match(refused(["--format", "csv"]), /csv/);
  assert.match(refused(["--format", "sqlite"]), /^Cannot write a database to standard output/);
  assert.match(refused(["--format", "otlp", "--began", "noon"]), /^Cannot use --began "noon"/);
  await withFolder((folder) => {
    const out = join(folder, "x");
    assert.match(refused(["--format", "otlp", "--out", out], "nothing"), /Cannot find any message/);
    // The last line, which follows 5 MB of valid lines, has an unknown sender.
    const long = recorded("client", 1, dapRequest(9, "evaluate", { expression: "x".repeat(1e6) }));
    const late = [head, ...Array.from({ length: 5 }, () => long), { ...lines[0], from: "nobody" }];
    const text = late.map((each) => `${JSON.stringify(each)}\n`).join("");
    assert.match(refused(["--format", "perfetto", "--out", out], text), /nobody/);
    assert.deepEqual(readdirSync(folder), []);
  });
});

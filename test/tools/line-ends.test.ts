import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: ["ignore", "ignore", "pipe"] });
}

for (const [what, hasAttributes] of [
  ["as generated", true],
  ["without its .gitattributes", false],
] as const) {
  test(`a package ${what} is up to date in a clone with Windows line endings`, async () => {
    await withFolder((folder) => {
      const origin = join(folder, "origin");
      git(folder, "init", "--quiet", origin);
      const generate = (...more: readonly string[]): number | null =>
        runCommand(origin, ["generate", "dap", "--package", "my-dap", "--out", "dap", ...more])
          .status;
      assert.equal(generate(), 0);
      git(origin, "add", "--all");
      if (!hasAttributes) git(origin, "rm", "--quiet", "--cached", "dap/.gitattributes");
      git(origin, "commit", "--quiet", "--message=a");
      const clone = join(folder, "clone");
      git(folder, "-c", "core.autocrlf=true", "clone", "--quiet", origin, clone);
      const hasReturns = readFileSync(join(clone, "dap/types.ts"), "utf8").includes("\r\n");
      assert.equal(hasReturns, !hasAttributes);
      const { stdout, status } = runCommand(clone, [
        "generate",
        "dap",
        "--package",
        "my-dap",
        "--out",
        "dap",
        "--check",
      ]);
      assert.deepEqual(
        { stdout, status },
        hasAttributes
          ? { stdout: "1 package up to date\n", status: 0 }
          : { stdout: `${join("dap", ".gitattributes")}: missing\n`, status: 1 },
      );
    });
  });
}

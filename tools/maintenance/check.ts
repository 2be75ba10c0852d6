/** Checks everything that needs no test: generated packages, format, code and wording. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fromRoot, root } from "../../test/support/paths.js";

const linters = "tools/maintenance/lint";

/** The commands, by the subject that they check. */
const checks: Readonly<Record<string, readonly string[]>> = {
  "generated packages": ["build/cli/main.js", "generate", "--check"],
  format: ["node_modules/prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."],
  code: [
    `${linters}/node_modules/eslint/bin/eslint.js`,
    "--config",
    `${linters}/eslint.config.js`,
    ".",
  ],
  wording: [
    `${linters}/node_modules/textlint/bin/textlint.js`,
    "--rulesdir",
    `${linters}/textlint-rules`,
    "*.md",
    // The built site contains copies of these pages.
    "docs/{*,guides/*,reference/*,site/start/*}.md",
    "*/README.md",
    "sessions/*/README.md",
  ],
};

/** Runs a script. Resolves with its output once it has ended. */
function run(script: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fromRoot(script), ...args],
      { cwd: root, maxBuffer: Infinity },
      (error, stdout, stderr) => resolve({ isOk: error === null, output: stdout + stderr }),
    );
  });
}

interface Outcome {
  readonly isOk: boolean;
  readonly output: string;
}

const missing: Outcome = {
  isOk: false,
  output: `Install the linters: npm ci --prefix ${linters}\n`,
};
const outcomes = Object.entries(checks).map(
  async ([what, [script, ...args]]) =>
    [what, existsSync(fromRoot(script!)) ? await run(script!, args) : missing] as const,
);
for (const outcome of outcomes) {
  const [what, { isOk, output }] = await outcome;
  process.stdout.write(output);
  console.log(`${what}: ${isOk ? "ok" : "failed"}`);
  if (!isOk) process.exitCode = 1;
}

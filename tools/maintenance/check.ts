/** Checks everything that needs no test: generated packages, format, code and wording. */
import { spawnSync } from "node:child_process";
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

for (const [what, [script, ...args]] of Object.entries(checks)) {
  if (!existsSync(fromRoot(script!))) {
    console.error(`${what}: cannot be checked. Install the linters: npm ci --prefix ${linters}`);
    process.exitCode = 1;
    continue;
  }
  const { status } = spawnSync(process.execPath, [fromRoot(script!), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  console.log(`${what}: ${status === 0 ? "ok" : "failed"}`);
  if (status !== 0) process.exitCode = 1;
}

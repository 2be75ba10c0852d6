#!/usr/bin/env node
// The file that npm links as the command. In a clone, npm does so before the first build.
import { existsSync } from "node:fs";

const cli = new URL("../build/cli/main.js", import.meta.url);
if (existsSync(cli)) await import(cli.href);
else {
  console.error("wirewright is not built yet. Run: npm ci && npm run build");
  process.exitCode = 2;
}

#!/usr/bin/env node
import { runAdapterCommand } from "./command/adapter-command.js";
import { runClientCommand } from "./command/client-command.js";

for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => process.exit(status));

const [first, ...rest] = process.argv.slice(2);
try {
  process.exitCode = await (first === "client"
    ? runClientCommand(rest)
    : runAdapterCommand(process.argv.slice(2)));
} catch (error) {
  console.error(`wirewright-conformance: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
process.exit();

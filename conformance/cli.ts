#!/usr/bin/env node
import { runAdapterCommand } from "./command/adapter-command.js";
import { formatInputError, InputError } from "wirewright";
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
  const text =
    error instanceof InputError
      ? formatInputError(error)
      : error instanceof Error
        ? error.message
        : error;
  console.error(`wirewright-conformance: ${text}`);
  process.exitCode = 2;
}
process.exit();

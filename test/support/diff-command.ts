import { withFolder, writeFiles } from "./compile.js";
import { schemaWith, type Schema } from "./elementary-changes.js";
import { fromRoot, root } from "./paths.js";
import { type Outcome, runCommand } from "./run-command.js";
import assert from "node:assert/strict";

export const protocol = ["--protocol", fromRoot("test/fixtures/elementary")];

/** Two schemas. The second requires a property that is missing from the first. */
const before = JSON.stringify(schemaWith({ schema: object({ q: "string" }) }, "adapter"), null, 2);
export const after = JSON.stringify(
  schemaWith({ schema: object({ q: "string", extra: "integer" }) }, "adapter"),
  null,
  2,
);

function object(properties: Readonly<Record<string, string>>): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, type]) => [name, { type }]),
    ),
    required: Object.keys(properties),
  };
}

export async function withSchemas(use: (folder: string) => void | Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    writeFiles(folder, { "old.json": before, "new.json": after });
    await use(folder);
  });
}

export function head({ stdout }: Outcome): string {
  return stdout.split("\n")[0]!;
}

export const hostile = [
  "test/fixtures/hostile-pair/before.json",
  "test/fixtures/hostile-pair/after.json",
  "--protocol",
  "test/fixtures/elementary",
];
export const cases: Readonly<Record<string, readonly string[]>> = {
  "1.40-1.71": ["dap@1.40.0", "dap@1.71.0"],
  "1.70-1.71": ["dap@1.70.0", "dap@1.71.0"],
  hostile,
};

export function report(args: readonly string[], status: number): string {
  const outcome = runCommand(root, ["diff", ...args]);
  assert.deepEqual([outcome.status, outcome.stderr], [status, ""]);
  return outcome.stdout;
}

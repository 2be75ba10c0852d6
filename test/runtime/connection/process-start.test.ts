/**
 * Tests processes that cannot be started. The error names the missing program and similar installed
 * programs.
 */
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProcessStartError, spawnAdapter } from "@wirewright/dap/node";
import { withFolder } from "../../support/compile.js";

const skip = process.platform === "win32" ? "the files of the test are programs on POSIX" : false;

function writeProgram(path: string): void {
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
}

async function failureOf(command: string, options: object): Promise<ProcessStartError> {
  try {
    await spawnAdapter(command, [], { process: options });
  } catch (error) {
    assert.ok(error instanceof ProcessStartError);
    return error;
  }
  assert.fail("it has started");
}

test(
  "the error for a missing program names the program and similar installed programs",
  { skip },
  async () => {
    await withFolder(async (folder) => {
      for (const name of ["lldb-dap-19", "lldb-dap-20", "lldb-dapper"])
        writeProgram(join(folder, name));
      writeFileSync(join(folder, "lldb-dap-18"), "not a program");
      const env = { PATH: `${folder}:/no/such/folder` };
      const error = await failureOf("lldb-dap", { env });
      assert.deepEqual(
        [error.code, error.command, error.tried, error.installed, (error.cause as Error).name],
        ["ERR_PROCESS_START", "lldb-dap", ["lldb-dap"], ["lldb-dap-19", "lldb-dap-20"], "Error"],
      );
      assert.equal(
        error.message,
        'Cannot start "lldb-dap": there is no such program in PATH. lldb-dap-19, lldb-dap-20 are installed',
      );
      const other = await failureOf("lldb-dap-14", { env: { PATH: folder } });
      assert.match(other.message, /lldb-dap-19, lldb-dap-20 are installed$/);
      const none = await failureOf("other", { env });
      assert.equal(none.message, 'Cannot start "other": there is no such program in PATH');
      const path = join(folder, "lldb-dap");
      assert.equal(
        (await failureOf(path, {})).message,
        `Cannot start "${path}": there is no such file. ${path}-19, ${path}-20 are installed`,
      );
    });
  },
);

test("a missing working directory is not reported as a missing program", { skip }, async () => {
  const { message, installed } = await failureOf(process.execPath, { cwd: "/no/such/folder" });
  assert.equal(
    message,
    `Cannot start "${process.execPath}": the folder "/no/such/folder" does not exist`,
  );
  assert.deepEqual(installed, []);
});

test(
  "starting a file or a folder that is not a program rejects with the reason",
  { skip },
  async () => {
    await withFolder(async (folder) => {
      const path = join(folder, "notes");
      writeFileSync(path, "text");
      const reasons = await Promise.all([path, folder].map((each) => failureOf(each, {})));
      assert.deepEqual(
        reasons.map(({ message }) => message),
        [
          `Cannot start "${path}": it is not an executable file`,
          `Cannot start "${folder}": it is a folder`,
        ],
      );
    });
  },
);

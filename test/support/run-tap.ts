import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cli } from "./run-command.js";

export type Line = Readonly<Record<string, unknown>> & {
  readonly message?: Readonly<Record<string, unknown>>;
};

/** Reads the lines of a recording without their times. Asserts that the times increase. */
export function readRecording(path: string): readonly Line[] {
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  for (const session of new Set(lines.slice(1).map((line) => line["session"]))) {
    const times = lines
      .slice(1)
      .flatMap((line) => (line["session"] === session ? [Number(line["time"])] : []));
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  }
  return lines.map(({ time: _time, began, ...rest }) =>
    began === undefined ? rest : { ...rest, began: typeof began },
  );
}

/** Runs `wirewright tap` with a program that sends and receives bytes. */
export function tap(
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "tap", ...args], {
    input,
    timeout: 60_000,
    maxBuffer: 1 << 28,
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  return { status, stdout, stderr: stderr.toString() };
}

export const program = (code: string): readonly string[] => ["--", process.execPath, "-e", code];

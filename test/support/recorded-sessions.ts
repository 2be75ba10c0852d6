import { readdirSync } from "node:fs";
import { fromRoot, shared } from "./paths.js";

/**
 * A recorded DAP session: `in.bin`, `out.bin` and `chunks.jsonl`, plus `frames.jsonl` with a
 * verdict on each frame.
 */
export interface RecordedSession {
  readonly name: string;
  readonly folder: string;
}

/** The sessions in `test/fixtures/recordings`, and sessions with real adapters if available. */
export const recordedSessions: readonly RecordedSession[] = [
  ...["official-adapter", "example-adapter"].map((name) => ({
    name,
    folder: fromRoot(`test/fixtures/recordings/${name}`),
  })),
  ...["debugpy", "rdbg", "lldb-dap-19", "mock-debug-crash"].flatMap((name) => {
    const folder = shared(`traces/${name}`);
    return folder === undefined ? [] : [{ name, folder }];
  }),
];

/**
 * Names and folders of recorded ruby-debug-ide sessions. The files are `NAME.c2s.bin`,
 * `NAME.s2c.bin` and `NAME.jsonl`.
 */
export const rubySessions: readonly RecordedSession[] = [
  fromRoot("test/fixtures/recordings/ruby-debug-ide"),
  shared("streams/ruby-debug-ide"),
].flatMap((folder) =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((file) => file.endsWith(".s2c.bin"))
        .map((file) => ({ name: file.slice(0, -".s2c.bin".length), folder })),
);

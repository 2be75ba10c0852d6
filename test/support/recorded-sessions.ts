import { fromRoot, shared } from "./paths.js";

/** A recorded DAP session: `in.bin` and `out.bin`, `chunks.jsonl`, and `frames.jsonl` with a verdict on each. */
export interface RecordedSession {
  readonly name: string;
  readonly folder: string;
}

/** The sessions in `test/fixtures/recordings`, and those of real adapters where they are at hand. */
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

export interface BenchEntry {
  readonly nodeArgs?: readonly string[];
  /**
   * Whether `npm run bench -- all` runs this benchmark and stores its results. The stored results are
   * shown on pages.
   */
  readonly isKept: boolean;
}

/** The benchmarks by name. Each name is also that of a module in this folder. */
export const benches: Readonly<Record<string, BenchEntry>> = {
  codec: { isKept: true },
  encode: { isKept: true },
  validate: { isKept: true },
  "validator-start": { isKept: true },
  connection: { isKept: true },
  "front-doors": { isKept: true },
  generate: { isKept: true },
  diff: { isKept: true },
  tap: { isKept: true },
  lint: { isKept: true },
  session: { isKept: true },
  growth: { isKept: true },
  "start-up": { isKept: true },
  size: { isKept: true },
  compile: { isKept: true },
  // The `editor` benchmark requires Linux.
  editor: { isKept: true },
  // The following benchmarks take minutes, and their results are not stored. Most of them check
  // that memory does not grow.
  "connection-hostile": { nodeArgs: ["--expose-gc"], isKept: false },
  hostile: { isKept: false },
  leak: { nodeArgs: ["--expose-gc"], isKept: false },
  recording: { isKept: false },
  batch: { isKept: false },
  // The `view` benchmark requires Chromium.
  view: { isKept: false },
  // The `revisions` benchmark requires a second checkout.
  revisions: { isKept: false },
};

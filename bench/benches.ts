/** The benchmarks, each a module of this folder, in the order of `npm run bench:all`. */
export const benches: Readonly<Record<string, { readonly nodeArgs?: readonly string[] }>> = {
  codec: {},
  encode: {},
  validate: {},
  "validator-start": {},
  connection: {},
  "connection-hostile": { nodeArgs: ["--expose-gc"] },
  generate: {},
  diff: {},
  tap: {},
  recording: {},
  hostile: {},
  leak: { nodeArgs: ["--expose-gc"] },
  revisions: {},
};

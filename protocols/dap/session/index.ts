export type { DebugSession } from "./debug-session.js";
export type { OutputOptions, ProgramOutput } from "./program-output.js";
export type { ProgramEnd, ProgramStop } from "./program-state.js";
export * from "./session.js";
export * from "./session-error.js";
export * from "./session-options.js";
export * from "./stop-snapshot.js";

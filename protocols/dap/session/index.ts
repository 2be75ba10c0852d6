export type {
  DebugSession,
  ProgramEnd,
  ProgramOutput,
  ProgramStop,
  SessionBreakpoints,
  SessionMembers,
} from "./debug-session.js";
export * from "./session-error.js";
export type {
  AdapterAccess,
  AdapterTarget,
  ChildRequest,
  OpenAdapter,
  RunInTerminal,
  SessionOptions,
  StartArguments,
  StartOptions,
} from "./session-options.js";
export * from "./print-snapshot.js";
export * from "./start-session.js";
export type {
  Cut,
  CutReason,
  FrameSnapshot,
  ScopeSnapshot,
  SnapshotOptions,
  StopSnapshot,
  VariableSnapshot,
} from "./stop-snapshot.js";
export type {
  DisconnectOptions,
  EndOptions,
  OutputOptions,
  RestartOptions,
  StepInOptions,
  StepOptions,
  WaitOptions,
} from "./wait-options.js";

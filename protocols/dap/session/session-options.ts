import type { ConfiguredArguments } from "../configured-arguments.js";
import type { ConnectOptions, Connection, Transport } from "../../../generated/dap/connection.js";
import type { DebugSession } from "./debug-session.js";
import type { CustomEvent, KnownEvent } from "../../../generated/dap/messages.js";
import { option } from "@wirewright/runtime";
import type {
  FunctionBreakpoint,
  InitializeRequestArguments,
  RunInTerminalRequestArguments,
  RunInTerminalResponse,
  SourceBreakpoint,
} from "../../../generated/dap/types.js";
import { waitChecks, type WaitOptions } from "./wait-options.js";

/** How to reach an adapter: a connection, an object that contains one, or a transport. */
export type AdapterAccess =
  Connection<"client"> | { readonly connection: Connection<"client"> } | Transport;

/** Opens an adapter. */
export type OpenAdapter = () => AdapterAccess | Promise<AdapterAccess>;

/**
 * An adapter, or a function that opens one. Given a function, the session can restart and open
 * child sessions.
 */
export type AdapterTarget = AdapterAccess | OpenAdapter;

/**
 * Arguments for `launch` or `attach`: the attributes that the package was generated with, or any
 * arguments.
 */
export type StartArguments<Name extends "launch" | "attach"> =
  ConfiguredArguments extends Record<Name, infer Configured extends object> ? Configured : object;

/** The adapter's request to debug a program in a child session. */
export interface ChildRequest {
  /** The request that starts the child session. */
  readonly request: "launch" | "attach";
  /** Arguments for that request. */
  readonly configuration: { readonly [name: string]: unknown };
}

/** Runs a command in a terminal. */
export type RunInTerminal = (
  arguments_: RunInTerminalRequestArguments,
  session: DebugSession,
) => TerminalResult | Promise<TerminalResult>;

type TerminalResult = Extract<RunInTerminalResponse, { success: true }>["body"];

/** Options for starting a session. `signal` and `timeoutMs` apply to each startup step. */
export interface SessionOptions extends WaitOptions {
  /** Arguments for `initialize`, in addition to the defaults. */
  readonly initialize?: Partial<InitializeRequestArguments>;
  /** Breakpoints to set, by path: line numbers, or breakpoints with conditions. */
  readonly breakpoints?: { readonly [path: string]: readonly (number | SourceBreakpoint)[] };
  /** Function breakpoints to set, if the adapter supports them. */
  readonly functionBreakpoints?: readonly (string | FunctionBreakpoint)[];
  /** Exception filters to set. Default: the filters that the adapter enables by default. */
  readonly exceptionFilters?: readonly string[];
  /**
   * Options for a connection over a transport. They have no effect on an adapter that is connected
   * already: pass them to `connect` or `spawnAdapter` instead.
   */
  readonly connection?: ConnectOptions<"client">;
  /**
   * Opens the adapter for a child session. Default: the function that opens the session's own
   * adapter. Without either function, the client does not announce support for child sessions.
   */
  readonly connectChild?: (
    child: ChildRequest,
    parent: DebugSession,
  ) => AdapterAccess | Promise<AdapterAccess>;
  /** Maximum depth of child sessions below the first session. Default: 4. */
  readonly maxChildDepth?: number;
  /** Maximum number of concurrent child sessions, across all levels. Default: 64. */
  readonly maxChildren?: number;
  /** Handles `runInTerminal`. Without it, the client does not announce that it has a terminal. */
  readonly runInTerminal?: RunInTerminal;
  /** Called with each child session once it has been configured. */
  readonly onChild?: (child: DebugSession) => void;
  /** Called when a child session cannot be started. Default: the connection's `onProblem`. */
  readonly onChildFailure?: (error: unknown, child: ChildRequest) => void;
  /** Called with each event in the session and its child sessions. */
  readonly onEvent?: (event: KnownEvent | CustomEvent, session: DebugSession) => void;
}

/** Options for `launch` and `attach`. */
export interface StartOptions<Name extends "launch" | "attach"> extends SessionOptions {
  /** Arguments for the request, as defined by the adapter. */
  readonly arguments: StartArguments<Name>;
}

export const sessionChecks = (): option.OptionChecks<SessionOptions> => ({
  ...waitChecks(),
  initialize: option.object,
  breakpoints: option.recordOf(option.listOf(option.either(option.count, option.object))),
  functionBreakpoints: option.listOf(option.either(option.text, option.object)),
  exceptionFilters: option.listOf(option.text),
  connection: option.object,
  connectChild: option.callback,
  maxChildDepth: option.count,
  maxChildren: option.count,
  runInTerminal: option.callback,
  onChild: option.callback,
  onChildFailure: option.callback,
  onEvent: option.callback,
});

export const startChecks = (): option.OptionChecks<StartOptions<"launch">> => ({
  ...sessionChecks(),
  arguments: option.object,
});

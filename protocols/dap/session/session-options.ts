import type { ConfiguredArguments } from "../../../generated/dap/configured-arguments.js";
import type { ConnectOptions, Connection, Transport } from "../../../generated/dap/connection.js";
import type { DebugSession } from "./debug-session.js";
import type { CustomEvent, KnownEvent } from "../../../generated/dap/messages.js";
import type { RequestOptions } from "../../../generated/dap/runtime/index.js";
import type {
  FunctionBreakpoint,
  InitializeRequestArguments,
  RunInTerminalRequestArguments,
  RunInTerminalResponse,
  SourceBreakpoint,
} from "../../../generated/dap/types.js";

/** What leads to an adapter: a connection, something that has one, or a transport. */
export type AdapterAccess =
  Connection<"client"> | { readonly connection: Connection<"client"> } | Transport;

/**
 * An adapter. A function opens it anew each time, which lets the session restart and open child
 * sessions.
 */
export type AdapterTarget = AdapterAccess | (() => AdapterAccess | Promise<AdapterAccess>);

/** Arguments of `launch` or `attach`: those that the package was generated with, or any. */
export type StartArguments<Name extends "launch" | "attach"> =
  ConfiguredArguments extends Record<Name, infer Configured extends object> ? Configured : object;

/** What an adapter asks to debug in a session of its own. */
export interface ChildRequest {
  /** The request that starts it. */
  readonly request: "launch" | "attach";
  /** Its arguments. */
  readonly configuration: { readonly [name: string]: unknown };
}

/** Runs a command in a terminal. */
export type RunInTerminal = (
  parameters: RunInTerminalRequestArguments,
  session: DebugSession,
) => TerminalResult | Promise<TerminalResult>;

type TerminalResult = Extract<RunInTerminalResponse, { success: true }>["body"];

/** How long to wait. */
export interface WaitOptions {
  readonly signal?: NonNullable<RequestOptions["signal"]>;
  /** Milliseconds; 0 and Infinity disable the timeout. Default: that of the connection. */
  readonly timeoutMs?: number;
}

/** Options of `launch` and `attach`. `signal` and `timeoutMs` hold for each step of the start. */
export interface SessionOptions extends WaitOptions {
  /** What the client says of itself, in addition to the defaults. */
  readonly initialize?: Partial<InitializeRequestArguments>;
  /** Breakpoints by path: line numbers, or breakpoints with conditions. */
  readonly breakpoints?: { readonly [path: string]: readonly (number | SourceBreakpoint)[] };
  /** Set if the adapter supports them. */
  readonly functionBreakpoints?: readonly (string | FunctionBreakpoint)[];
  /** Exceptions to stop at. Default: the filters that the adapter names as its defaults. */
  readonly exceptionFilters?: readonly string[];
  /** Settings of connections over a transport. */
  readonly connection?: ConnectOptions<"client">;
  /**
   * Opens the adapter of a child session. Default: as the session itself, if that was given a
   * function. Without either, adapters are told that there are no child sessions.
   */
  readonly connectChild?: (
    child: ChildRequest,
    parent: DebugSession,
  ) => AdapterAccess | Promise<AdapterAccess>;
  /** Answers `runInTerminal`. Without it, adapters are told that there is no terminal. */
  readonly runInTerminal?: RunInTerminal;
  /** Called with each child session when it has been configured. */
  readonly onChild?: (child: DebugSession) => void;
  /** Called when a child session cannot be started. */
  readonly onChildFailure?: (error: unknown, child: ChildRequest) => void;
  /** Called with each event of the session and of its child sessions. */
  readonly onEvent?: (event: KnownEvent | CustomEvent, session: DebugSession) => void;
}

/** Milliseconds for the steps that end a session, after which the next step is taken. */
export interface EndOptions {
  /** For the program to end after `terminate`. Default: 5,000. */
  readonly terminateMs?: number;
  /** For the answer to `disconnect`. Default: 2,000. */
  readonly disconnectMs?: number;
  /** For the connection to close, and the adapter to exit. Default: 5,000. */
  readonly closeMs?: number;
}

/** Options of `disconnect`. */
export interface DisconnectOptions extends EndOptions {
  /** Default: true for a program that the adapter has launched. */
  readonly terminateDebuggee?: boolean;
  /** Leaves the program suspended. */
  readonly suspendDebuggee?: boolean;
}

/** Which thread a step is for. */
export interface StepOptions extends WaitOptions {
  /** Default: the thread that has stopped. */
  readonly threadId?: number;
  readonly granularity?: "statement" | "line" | "instruction";
  readonly singleThread?: boolean;
}

import type {
  BreakpointChangedParams,
  ExceptionFilter,
} from "../../generated/acp-breakpoints/types.js";
import { AnyRefusal, option } from "../../generated/acp-breakpoints/runtime/index.js";

/** Capabilities of a debug adapter that concern breakpoints. */
export interface DebugCapabilities {
  readonly supportsConditionalBreakpoints?: boolean;
  readonly supportsLogPoints?: boolean;
  readonly supportsFunctionBreakpoints?: boolean;
  readonly supportsExceptionFilterOptions?: boolean;
}

/** A running debug session of the editor. */
export interface DebugSession {
  readonly capabilities: DebugCapabilities;
  /**
   * Sends a request of the Debug Adapter Protocol. Resolves to the body of the response, or rejects
   * with the adapter's error.
   */
  request(command: string, args: object): Promise<unknown>;
}

/** A breakpoint in responses and events of the Debug Adapter Protocol. */
export interface AdapterBreakpoint {
  readonly id?: number;
  readonly verified: boolean;
  readonly line?: number;
  readonly message?: string;
}

/** The body of a `breakpoint` event. */
export interface BreakpointEvent {
  readonly reason: string;
  readonly breakpoint: AdapterBreakpoint;
}

/** Options of `bridgeBreakpoints`. */
export interface BridgeOptions {
  /** Called with each change for the agent. Send it as `breakpointChanged`. */
  readonly onChanged: (params: BreakpointChangedParams) => void;
  /** Whether the agent may set breakpoints in a file. Default: always true. */
  readonly isAllowed?: (path: string) => boolean;
  /** Whether a file exists. Default: always true. */
  readonly exists?: (path: string) => boolean;
  /**
   * The user's breakpoints in a file. They are always sent together with the agent's breakpoints.
   */
  readonly userBreakpoints?: (path: string) => readonly object[];
  /** The exception filters to offer. Absent if the client does not offer any. */
  readonly exceptionFilters?: readonly ExceptionFilter[];
  /** Whether to offer function breakpoints. Default: true. */
  readonly functionBreakpoints?: boolean;
}

export const bridgeChecks = (): option.OptionChecks<BridgeOptions> => ({
  onChanged: option.callback,
  isAllowed: option.callback,
  exists: option.callback,
  userBreakpoints: option.callback,
  exceptionFilters: option.listOf(option.object),
  functionBreakpoints: option.flag,
});

/**
 * The bridge refuses a request of the agent. A connection sends this error as the failure response
 * if a handler throws it. `error.code` is one of these numbers:
 *
 * - -32601: the kind of breakpoint is not supported
 * - -32602: invalid parameters
 * - -32002: the file does not exist
 * - -32000: no debugger accepts the request
 */
export class BridgeError extends AnyRefusal {
  declare readonly error: { readonly code: number };

  constructor(code: number, message: string) {
    super(message, { error: { code } });
  }
}

/** @throws BridgeError if the agent must not set breakpoints in a file. */
export function checkPath(path: string, { isAllowed, exists }: BridgeOptions): void {
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path))
    throw new BridgeError(-32602, `The path must be absolute, received "${path}"`);
  if (isAllowed?.(path) === false)
    throw new BridgeError(-32602, `Breakpoints in "${path}" are not allowed`);
  if (exists?.(path) === false) throw new BridgeError(-32002, `There is no file "${path}"`);
}

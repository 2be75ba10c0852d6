import type {
  BreakpointChangedParams,
  ExceptionFilter,
} from "../../generated/acp-breakpoints/types.js";
import { AnyRefusal, option } from "@wirewright/runtime";

/** A debug adapter's breakpoint capabilities. */
export interface DebugCapabilities {
  readonly supportsConditionalBreakpoints?: boolean;
  readonly supportsLogPoints?: boolean;
  readonly supportsFunctionBreakpoints?: boolean;
  readonly supportsExceptionFilterOptions?: boolean;
}

/** A debug session running in the editor. */
export interface DebugSession {
  readonly capabilities: DebugCapabilities;
  /**
   * Sends a Debug Adapter Protocol request. Resolves to the response body, or rejects with the
   * adapter's error.
   */
  request(command: string, args: object): Promise<unknown>;
}

/** A breakpoint in Debug Adapter Protocol responses and events. */
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

/** Options for `bridgeBreakpoints`. */
export interface BridgeOptions {
  /** Called with each change to report to the agent. Send it as `breakpointChanged`. */
  readonly onChanged: (params: BreakpointChangedParams) => void;
  /** Returns whether the agent may set breakpoints in a file. Default: always true. */
  readonly isAllowed?: (path: string) => boolean;
  /** Returns whether a file exists. Default: always true. */
  readonly exists?: (path: string) => boolean;
  /** Returns the user's breakpoints in a file, which are always sent along with the agent's. */
  readonly userBreakpoints?: (path: string) => readonly object[];
  /** The exception filters to offer; absent if the client does not offer any. */
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
 * Thrown when the bridge refuses a request from the agent. If a handler throws this error, the
 * connection sends it as the failure response. `error.code` is one of these numbers:
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

/** @throws BridgeError if the agent is not allowed to set breakpoints in a file. */
export function checkPath(path: string, { isAllowed, exists }: BridgeOptions): void {
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path))
    throw new BridgeError(-32602, `The path must be absolute, received "${path}"`);
  if (isAllowed?.(path) === false)
    throw new BridgeError(-32602, `Breakpoints in "${path}" are not allowed`);
  if (exists?.(path) === false) throw new BridgeError(-32002, `There is no file "${path}"`);
}

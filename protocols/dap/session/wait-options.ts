import type { RequestOptions } from "../../../generated/dap/runtime/index.js";
import type { WaitOptions } from "./session-options.js";

/** The part of some options that a request takes. */
export function waitOptions({ signal, timeoutMs }: WaitOptions = {}): RequestOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

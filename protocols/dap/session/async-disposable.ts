import { setAsyncDispose, type HostAsyncDisposable } from "../../../generated/dap/runtime/index.js";

/** Lets `await using` dispose of an object. */
export function asyncDisposable<Type extends object>(
  object: Type,
  dispose: () => Promise<unknown>,
): Type & HostAsyncDisposable {
  setAsyncDispose(object, dispose);
  return object as Type & HostAsyncDisposable;
}

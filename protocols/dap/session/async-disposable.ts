import { setAsyncDispose, type HostAsyncDisposable } from "../../../generated/dap/runtime/index.js";

/** Makes an object disposable with `await using`. */
export function asyncDisposable<Type extends object>(
  object: Type,
  dispose: () => Promise<unknown>,
): Type & HostAsyncDisposable {
  setAsyncDispose(object, dispose);
  return object as Type & HostAsyncDisposable;
}

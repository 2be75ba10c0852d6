/**
 * Makes `await using` call a function at the end of the block, if the host supports
 * `Symbol.asyncDispose`.
 */
export function setAsyncDispose(target: object, dispose: () => Promise<unknown>): void {
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  if (asyncDispose !== undefined)
    Object.defineProperty(target, asyncDispose, { value: () => dispose().then(() => undefined) });
}

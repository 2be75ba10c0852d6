/** Passes a promise through `count` async functions. */
export async function layers<Result>(count: number, promise: Promise<Result>): Promise<Result> {
  return count === 0 ? await promise : await layers(count - 1, promise);
}

/**
 * Whether `LONG_TESTS` is set. If so, tests that compare many versions use all of them, and
 * otherwise only some.
 */
export const isLong: boolean = process.env["LONG_TESTS"] === "1";

/** Returns all items in long tests, and every eighth item plus the last one otherwise. */
export function someOf<Item>(all: readonly Item[]): readonly Item[] {
  return isLong ? all : all.filter((_, index) => index % 8 === 0 || index === all.length - 1);
}

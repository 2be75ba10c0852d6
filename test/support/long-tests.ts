/**
 * Whether `LONG_TESTS` is set. If it is, tests that compare many versions use all versions.
 * Otherwise, they use only some.
 */
export const isLong: boolean = process.env["LONG_TESTS"] === "1";

/** Returns all items for long tests. Otherwise, returns every eighth item and the last one. */
export function someOf<Item>(all: readonly Item[]): readonly Item[] {
  return isLong ? all : all.filter((_, index) => index % 8 === 0 || index === all.length - 1);
}

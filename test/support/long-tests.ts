/** Whether tests that compare many versions use all of them: `LONG_TESTS=1`. Otherwise, they use some. */
export const isLong: boolean = process.env["LONG_TESTS"] === "1";

/** All items, or every eighth and the last one. */
export function someOf<Item>(all: readonly Item[]): readonly Item[] {
  return isLong ? all : all.filter((_, index) => index % 8 === 0 || index === all.length - 1);
}

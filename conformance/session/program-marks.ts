/** The marked lines that the cases require, by program. */
export const marks = {
  loop: ["first", "loop", "blank", "next", "end"],
  calls: ["outer", "outer-next", "inner", "deep", "end"],
  data: ["data"],
  throws: [],
  threads: ["worker"],
  io: [],
  waits: ["ready", "tick"],
  child: ["child"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a marked line. */
export type Mark = (typeof marks)[keyof typeof marks][number];

/** Returns the lines marked with `@bp NAME` or `@line NAME`, by name. Lines are counted from 1. */
export function linesOf(source: string): ReadonlyMap<string, number> {
  return new Map(
    source.split("\n").flatMap((line, index): readonly (readonly [string, number])[] => {
      const found = /@(?:bp|line) ([\w-]+)/.exec(line);
      return found === null ? [] : [[found[1]!, index + 1]];
    }),
  );
}

import { InputError } from "../../generator/index.js";
import type { Program, ProgramName, Programs } from "./programs.js";

/** The marked lines that the cases need, by program. */
const marks = {
  loop: ["first", "loop", "blank", "next", "end"],
  calls: ["outer", "outer-next", "inner", "deep", "end"],
  data: ["data"],
  throws: [],
  threads: ["worker"],
  io: [],
  waits: ["ready", "tick"],
  child: ["child"],
} as const satisfies Record<ProgramName, readonly string[]>;

/** Name of a marked line. */
export type Mark = (typeof marks)[ProgramName][number];

/** The lines with a mark `@bp NAME` or `@line NAME`, from 1, by name. */
export function linesOf(source: string): Program["lines"] {
  return new Map(
    source.split("\n").flatMap((line, index): readonly (readonly [string, number])[] => {
      const found = /@(?:bp|line) ([\w-]+)/.exec(line);
      return found === null ? [] : [[found[1]!, index + 1]];
    }),
  );
}

/**
 * Refuses programs without the marks that the cases need, so that their absence is not judged as a
 * failure of the adapter.
 *
 * @throws InputError for the first missing mark
 */
export function checkMarks(programs: Programs): void {
  for (const [name, needed] of Object.entries(marks) as [ProgramName, readonly string[]][]) {
    if (!programs.has(name)) continue;
    const { file, text } = programs.source(name);
    const lines = linesOf(text);
    const missing = needed.find((mark) => !lines.has(mark));
    if (missing === undefined) continue;
    const mark = missing === "blank" ? "@line blank" : `@bp ${missing}`;
    throw new InputError(
      "ERR_CONFIG",
      `Cannot use the program "${name}": it has no line with the mark "${mark}"`,
      { file },
      `Add the comment "${mark}" to the line that has it in fixtures/python, or give the reason in "without" of the language and leave the program out`,
    );
  }
}

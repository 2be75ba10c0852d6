import { InputError } from "wirewright";
import { linesOf, marks } from "../session/program-marks.js";
import type { ProgramName, Programs } from "../session/programs.js";

/**
 * Rejects programs that lack marks required by the cases. Otherwise, a missing mark would count as
 * an adapter failure.
 *
 * @throws InputError for the first missing mark.
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
      `Add the comment "${mark}" to the same line as in fixtures/python, or omit the program and state the reason in the language's "without"`,
    );
  }
}

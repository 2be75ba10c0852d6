import { InputError } from "../../generator/index.js";
import { linesOf, marks } from "../session/program-marks.js";
import type { ProgramName, Programs } from "../session/programs.js";

/**
 * Rejects programs that lack marks that the cases need. Otherwise, a missing mark would count as a
 * failure of the adapter.
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
      `Add the comment "${mark}" to the same line as in fixtures/python. Or omit the program, and give the reason in "without" of the language`,
    );
  }
}

import { literalPattern } from "../../../generator/base/literal-pattern.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";

/** The JSON Pointers of an option that lead to or into a value, as the steps that remain. */
export type Marks = readonly Mark[];

interface Mark {
  /** The option and its value, as on the command line. */
  readonly option: string;
  readonly steps: readonly string[];
}

/** Reads the JSON Pointers of an option. `*` matches any property or item. */
export function marksOf(option: string, pointers: readonly string[] = []): Marks {
  return pointers.map((pointer) => ({
    option: `${option} ${pointer}`,
    steps: parsePointer(pointer),
  }));
}

/** Returns the marks that lead to or into a property or item. */
export function below(marks: Marks, name: string): Marks {
  return marks.length === 0
    ? marks
    : marks
        .filter(({ steps: [step] }) => step === name || step === "*")
        .map(({ option, steps }) => ({ option, steps: steps.slice(1) }));
}

/** Returns whether a pointer ends here, and crosses its option off those that matched nothing. */
export function isMarked(marks: Marks, unmatched: Set<string>): boolean {
  const ended = marks.filter(({ steps }) => steps.length === 0);
  for (const { option } of ended) unmatched.delete(option);
  return ended.length > 0;
}

/** A text to replace wherever it occurs, in upper or lower case. */
export interface HiddenText {
  readonly option: string;
  readonly text: string;
  readonly pattern: RegExp;
}

export function hiddenText(text: string): HiddenText {
  const pattern = new RegExp(literalPattern(text), "giu");
  return { option: `--text ${JSON.stringify(text)}`, text, pattern };
}

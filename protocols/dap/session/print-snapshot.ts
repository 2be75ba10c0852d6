import { option } from "@wirewright/runtime";
import type { Cut, StopSnapshot, VariableSnapshot } from "./stop-snapshot.js";

/** Options for `printSnapshot`. */
export interface PrintSnapshotOptions {
  /** Maximum length of the text, as counted by `length`. Default: 4,000. */
  readonly characters?: number;
}

/**
 * Returns a snapshot as text for a person or a model to read, with one line for each frame, scope
 * and variable. Line breaks in values are written as `\n`. If lines do not fit, the last line says
 * how many are missing.
 *
 * @throws TypeError for unknown options and invalid values.
 */
export function printSnapshot(
  { frames, cut }: Pick<StopSnapshot, "frames" | "cut">,
  options: PrintSnapshotOptions = {},
): string {
  option.checkOptions("printSnapshot", options, { characters: option.count });
  const { characters = 4_000 } = options;
  const lines = frames.flatMap(({ name, path, line, scopes, cut }, index) => [
    `#${index} ${name}${path === undefined ? "" : ` ${path}:${line}`}`,
    ...scopes.flatMap((scope) => [
      `  ${scope.name}`,
      ...scope.variables.flatMap((variable) => variableLines(variable, "    ")),
      ...cutLines(scope.cut, "    "),
    ]),
    ...cutLines(cut, "  "),
  ]);
  lines.push(...cutLines(cut, ""));
  const text = lines.map((line) => line.replaceAll("\n", "\\n").replaceAll("\r", "\\r"));
  const whole = text.join("\n");
  if (whole.length <= characters) return whole;
  let left = characters - missing(text.length).length;
  const fitting = text.findIndex((line) => (left -= line.length + 1) < 0);
  const kept = [...text.slice(0, fitting), missing(text.length - fitting)];
  return kept.join("\n").slice(0, characters);
}

const missing = (count: number): string => `… ${count} more lines`;

function variableLines(variable: VariableSnapshot, indent: string): readonly string[] {
  const { name, type, value, variables = [], cut } = variable;
  return [
    `${indent}${name}${type === undefined || type === "" ? "" : `: ${type}`} = ${value}`,
    ...variables.flatMap((child) => variableLines(child, `${indent}  `)),
    ...cutLines(cut, `${indent}  `),
  ];
}

/** Returns the line for a cut. A variable at the maximum depth has a value to show, so no line. */
function cutLines(cut: Cut | undefined, indent: string): readonly string[] {
  if (cut === undefined || (cut.reason === "depth" && cut.count === undefined)) return [];
  const count = cut.count === undefined ? "more" : `${cut.count} more`;
  return [`${indent}… ${count} (${cut.message ?? cut.reason})`];
}

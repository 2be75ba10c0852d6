import { countText } from "../base/plural.js";
import { severities, type Severity } from "../base/severity.js";
import { workflowCommand } from "./workflow-command.js";

/** A finding as formats for other programs show it, whichever command reports it. */
export interface PrintedFinding {
  readonly rule: string;
  readonly level: "error" | "warning" | "note" | "none";
  readonly text: string;
  /** The finding's location. Absent if it is not in a file. */
  readonly place?: PrintedPlace | undefined;
  /** The item that the finding is about, such as a message with a JSON Pointer. */
  readonly subject: string;
  /** The fingerprint, which stays the same when another run has the same finding. */
  readonly fingerprint: string;
  /** Number of times that the finding occurred. */
  readonly count?: number | undefined;
}

interface PrintedPlace {
  readonly file: string;
  /** `line` and `column` are 1-based. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly byte?: number | undefined;
}

/** The levels of findings whose severities are those of a compiler. */
export const severityLevels: Readonly<Record<Severity, PrintedFinding["level"]>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

const commands = { error: "error", warning: "warning", note: "notice", none: "notice" } as const;

/** Prints GitHub workflow commands, without duplicates. */
export function printAnnotations(
  findings: readonly (Pick<PrintedFinding, "level" | "text" | "place"> & {
    readonly rule?: string;
  })[],
): string {
  const lines = findings.map(({ rule, level, text, place: { file, line, column } = {} }) =>
    workflowCommand(commands[level], { file, line, col: column, title: rule }, text),
  );
  return [...new Set(lines)].join("\n");
}

/** Prints the numbers of findings for a report's head: `1 error · 2 warnings`. */
export function severityCounts(counts: Readonly<Record<Severity, number>>): string {
  const texts = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) =>
      countText(counts[severity], severity, severity === "info" ? "info" : undefined),
    );
  return texts.join(" · ") || "no findings";
}

/** The severities of findings, from the highest. */
export const severities = ["error", "warning", "info"] as const;

/**
 * The severity of a finding: `error` if a peer cannot continue, `warning` if it may fail, `info`
 * for a note.
 */
export type Severity = (typeof severities)[number];

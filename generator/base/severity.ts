/** The severities of findings, highest first. */
export const severities = ["error", "warning", "info"] as const;

/**
 * The severity of a finding. `error`: a peer cannot continue. `warning`: a peer may fail. `info`:
 * informational only.
 */
export type Severity = (typeof severities)[number];

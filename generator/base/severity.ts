/** The severities of findings, from the highest. */
export const severities = ["error", "warning", "info"] as const;

/** How much a finding matters: a peer cannot continue, may stumble, or it is good to know. */
export type Severity = (typeof severities)[number];

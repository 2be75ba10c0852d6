/** How much a finding matters: a peer cannot go on, may stumble, or it is good to know. */
export type LintSeverity = "error" | "warning" | "info";

export interface LintRule {
  readonly id: string;
  readonly severity: LintSeverity;
  /** What it is about, as a sentence. */
  readonly docs: string;
}

const rows = {
  "stream.noise": ["warning", "Bytes that belong to no message: strict readers stop there."],
  "stream.fault": ["error", "A frame that cannot be read as one: what it held is lost."],
  "message.kind": ["error", "A message that is neither request, event nor response."],
  "message.custom": ["info", "A message that the protocol does not define."],
  "message.sender": ["error", "A message that the other side sends, not this one."],
  "message.deprecated": ["info", "A message that should not be used any more."],
  "schema.issue": ["error", "Something in a message that a reader cannot use."],
  "schema.deviation": [
    "warning",
    "Something that tolerant readers go on with, and strict ones reject.",
  ],
  "field.deprecated": ["info", "A property that should not be used any more."],
  "field.capability": [
    "warning",
    "A property that the other side has not announced to understand.",
  ],
  "number.order": ["warning", "The numbers of a side's messages do not increase."],
  "opening.early": ["warning", "A message before the opening request was answered."],
  "request.capability": ["error", "A request that the other side has not announced to handle."],
  "request.unanswered": [
    "warning",
    "A request that was never answered, though the session went on.",
  ],
  "response.unmatched": [
    "error",
    "A response to nothing that was asked: many readers end the session.",
  ],
  "response.double": ["error", "A second response to the same request."],
  "response.name": ["warning", "A response that names another request than the one it answers."],
  "response.late": ["info", "A response that came more than ten seconds after its request."],
  "reference.expired": [
    "warning",
    "A reference from before the program ran on: it may mean something else.",
  ],
} as const satisfies Readonly<Record<string, readonly [LintSeverity, docs: string]>>;

/** The ids of the rules. */
export type LintRuleId = keyof typeof rows;

/** All rules, by id. */
export const lintRules: ReadonlyMap<string, LintRule> = new Map(
  Object.entries(rows).map(([id, [severity, docs]]) => [id, { id, severity, docs }]),
);

/** How much what a rule finds matters, unless the user says otherwise. */
export function severityOf(id: LintRuleId): LintSeverity {
  return rows[id][0];
}

/** Something that a rule found. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: LintSeverity;
  /** What the host makes of it, if a host was asked. */
  readonly outcome?: string;
  /** Which session of the recording, if it has several; and number of the message in it, from 1. */
  readonly session?: number;
  readonly index: number;
  readonly from: string;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  /** What is wrong, as a sentence. */
  readonly text: string;
  /** Place in what its sender sent, and milliseconds since the session began; where they are known. */
  readonly offset?: number;
  readonly time?: number;
  /** Line of the recording, if it has lines. */
  readonly line?: number;
}

import type { Gate, Json } from "../generator/model/types.js";
import type { RenameEvidence } from "./compare/find-renamed.js";
import type { ReaderPolicy, Verdict } from "./compare/outcomes.js";
import type { SourceVerdict } from "./compare/rule-family.js";
import type { UncomparedFact } from "./unstated-facts.js";

/** The severities of a change, from worst to mildest. */
export const diffSeverities = ["breaking", "risky", "lossy", "safe", "doc"] as const;
/** How severe a change is: one of `diffSeverities`. */
export type DiffSeverity = (typeof diffSeverities)[number];

/** A location in an input file. Fields that are not known are absent. */
export interface FindingPlace {
  readonly file?: string;
  readonly pointer: string;
  /** `line` and `column` are 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/** An example of a message that the sender may send but the receiver rejects. */
export interface Witness {
  /** Which side has which version, such as `new-client/old-adapter`. */
  readonly pair: string;
  /** The role that sends the message. */
  readonly sender: string;
  readonly message: Json;
}

/**
 * One change between two versions of a protocol, with its effects on each side, as plain data.
 * `message` and `reason` are safe to display without escaping, even for untrusted schemas.
 */
export interface Finding {
  /** The rule's id, such as `prop.added-optional`. */
  readonly rule: string;
  readonly severity: DiffSeverity;
  /** Location in the model, such as `StackFrame.line` or `event stopped`. */
  readonly at: string;
  /** The definition or message that declares the changed part. */
  readonly owner: string;
  /**
   * Location within one of the affected messages, such as
   * `stackTrace response: /body/stackFrames/0/line`.
   */
  readonly path: string;
  /** A brief description of the change. */
  readonly message: string;
  /** A sentence that explains why the change matters. */
  readonly reason: string;
  /** The roles that receive the changed part. */
  readonly receivers: readonly string[];
  /** Messages that contain the changed part, such as `stackTrace response`. */
  readonly messages: readonly string[];
  readonly gate?: Gate;
  /** For a renamed property, the evidence that it was renamed. */
  readonly evidence?: RenameEvidence;
  readonly before?: FindingPlace;
  readonly after?: FindingPlace;
  /** The effect on messages for each pair of versions, such as `new-client/old-adapter`. */
  readonly wire: Readonly<Record<string, Verdict>>;
  /** The effect on code, by role. */
  readonly source: Readonly<Record<string, SourceVerdict>>;
  readonly witnesses: readonly Witness[];
  /** The places in a recording that the change affects, if these were requested. */
  readonly seen?: readonly Sighting[];
  /**
   * Identifies the decision that led to the change. All findings that result from the same decision
   * have the same key.
   */
  readonly group: string;
}

/** A location in a recording. */
export interface Sighting {
  readonly file: string;
  /** `line` and `column` are 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Byte offset in a recording that is not divided into lines. */
  readonly offset?: number;
}

/** A note about a change that no peer can notice. */
export interface DiffNote {
  /** Whether the type was renamed, or exists in only one of the versions. */
  readonly rule: "definition.renamed" | "definition.added" | "definition.removed";
  /** The type's name in the old version. */
  readonly before?: string;
  /** The type's name in the new version. */
  readonly after?: string;
}

/** The differences between two versions of a protocol. */
export interface ProtocolDiff {
  readonly protocol: string;
  readonly before: string;
  readonly after: string;
  readonly roles: readonly [string, string];
  readonly pairs: readonly [string, string];
  /** The pairs of versions that determine severities. Absent if both do. */
  readonly judgedPairs?: readonly string[];
  readonly reader: ReaderPolicy;
  readonly findings: readonly Finding[];
  readonly notes: readonly DiffNote[];
  readonly uncompared: readonly UncomparedFact[];
  /** The role that the comparison is limited to. Absent if it covers both roles. */
  readonly side?: string;
}

/** Options for comparing two models. */
export interface DiffOptions {
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /**
   * `locateBefore` and `locateAfter` convert JSON Pointers in the old and the new source to
   * locations.
   */
  readonly locateBefore?: (pointer: string) => FindingPlace;
  readonly locateAfter?: (pointer: string) => FindingPlace;
}

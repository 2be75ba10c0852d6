import type { Gate, Json } from "../model/types.js";
import type { RenameEvidence } from "./compare/find-renamed.js";
import type { ReaderPolicy, Verdict } from "./compare/outcomes.js";
import type { SourceVerdict } from "./compare/rule-family.js";
import type { UncomparedFact } from "./uncompared-facts.js";

/** The severities of a change, the worst first. */
export const diffSeverities = ["breaking", "risky", "lossy", "safe", "doc"] as const;
/** How severe a change is: one of `diffSeverities`. */
export type DiffSeverity = (typeof diffSeverities)[number];

/** A location in an input. Unknown parts are absent. */
export interface FindingPlace {
  readonly file?: string;
  readonly pointer: string;
  /** `line` and `column` are 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/** An example message that the sender may send and the receiver rejects. */
export interface Witness {
  /** The version of each side, such as `new-client/old-adapter`. */
  readonly pair: string;
  /** Role that sends the message. */
  readonly sender: string;
  readonly message: Json;
}

/**
 * One change between two versions of a protocol, with its effects on each side, as plain data.
 * `message` and `reason` can be shown without escaping, even for untrusted schemas.
 */
export interface Finding {
  /** Id of the rule, such as `prop.added-optional`. */
  readonly rule: string;
  readonly severity: DiffSeverity;
  /** Location in the model, such as `StackFrame.line` or `event stopped`. */
  readonly at: string;
  /** The definition or message that declares the changed part. */
  readonly owner: string;
  /** Location in one message, such as `stackTrace response: /body/stackFrames/0/line`. */
  readonly path: string;
  /** The change, in a few words. */
  readonly message: string;
  /** Why the change matters, as a sentence. */
  readonly reason: string;
  /** Roles that receive the changed part. */
  readonly receivers: readonly string[];
  /** Messages that contain the changed part, such as `stackTrace response`. */
  readonly messages: readonly string[];
  readonly gate?: Gate;
  /** The evidence that a property was renamed. Absent for other changes. */
  readonly evidence?: RenameEvidence;
  readonly before?: FindingPlace;
  readonly after?: FindingPlace;
  /**
   * Effect on messages, by pair of versions: `new-client/old-adapter` and `old-client/new-adapter`.
   */
  readonly wire: Readonly<Record<string, Verdict>>;
  /** Effect on code, by role. */
  readonly source: Readonly<Record<string, SourceVerdict>>;
  readonly witnesses: readonly Witness[];
  /**
   * Examples of code that stops compiling, one for each side. A side has no example if one or two
   * lines cannot show it.
   */
  readonly code: readonly CodeExample[];
  /** The affected locations in a recording or in code, if they were requested. */
  readonly seen?: readonly Sighting[];
  /** Key of the decision that caused the change. All findings of the decision have the same key. */
  readonly group: string;
}

/** Code that compiles with the old types but not with the new ones. */
export interface CodeExample {
  /** Role whose code the example shows. */
  readonly role: string;
  /** TypeScript code, including its import. */
  readonly text: string;
}

/** A location in a recording or in code. */
export interface Sighting {
  readonly file: string;
  /** `line` and `column` are 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Byte offset in a recording, if the recording has no lines. */
  readonly offset?: number;
}

/** A note about a change that no peer can notice. */
export interface DiffNote {
  /** Whether a type was renamed, or only one version has it. */
  readonly rule: "definition.renamed" | "definition.added" | "definition.removed";
  /** Name of the type in the old version. */
  readonly before?: string;
  /** Name of the type in the new version. */
  readonly after?: string;
}

/** The differences between two versions of a protocol. */
export interface ProtocolDiff {
  readonly protocol: string;
  readonly before: string;
  readonly after: string;
  readonly roles: readonly [string, string];
  readonly pairs: readonly [string, string];
  readonly reader: ReaderPolicy;
  readonly findings: readonly Finding[];
  readonly notes: readonly DiffNote[];
  readonly uncompared: readonly UncomparedFact[];
  /**
   * The only role for which the findings were selected. Absent if the findings are for both roles.
   */
  readonly side?: string;
}

/** Options for comparing two models. */
export interface DiffOptions {
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** `locateBefore` and `locateAfter` convert JSON Pointers to locations in the two sources. */
  readonly locateBefore?: (pointer: string) => FindingPlace;
  readonly locateAfter?: (pointer: string) => FindingPlace;
}

import type { Gate, Json } from "../model/types.js";
import type { RenameEvidence } from "./compare/find-renamed.js";
import type { ReaderPolicy, Verdict } from "./compare/outcomes.js";
import type { SourceVerdict } from "./compare/rule-family.js";
import type { UncomparedFact } from "./uncompared-facts.js";

/** How much a change matters, the worst first. */
export const diffSeverities = ["breaking", "risky", "lossy", "safe", "doc"] as const;
/** How bad a difference is: one of `diffSeverities`. */
export type DiffSeverity = (typeof diffSeverities)[number];

/** A location in an input. Each part may be unknown. */
export interface FindingPlace {
  readonly file?: string;
  readonly pointer: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/** A message that the writer may send and the reader rejects. */
export interface Witness {
  /** The two versions, such as `new-client/old-adapter`. */
  readonly pair: string;
  /** Role that sends the message. */
  readonly sender: string;
  readonly message: Json;
}

/**
 * One change between two versions of a protocol, with its effects on each side. Plain data.
 * `change` and `reason` can be shown without escaping, even for untrusted schemas.
 */
export interface Finding {
  /** Id of the rule, such as `prop.added-optional`. */
  readonly rule: string;
  readonly severity: DiffSeverity;
  /** The place in the model, such as `StackFrame.line` or `event stopped`. */
  readonly at: string;
  /** The definition or message that declares the changed part. */
  readonly owner: string;
  /** Place in one message, such as `stackTrace response: /body/stackFrames/0/line`. */
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
  /** For a renaming: why two properties count as one. */
  readonly evidence?: RenameEvidence;
  readonly before?: FindingPlace;
  readonly after?: FindingPlace;
  /** By pair: `new-client/old-adapter` and `old-client/new-adapter`. */
  readonly wire: Readonly<Record<string, Verdict>>;
  /** By role. */
  readonly source: Readonly<Record<string, SourceVerdict>>;
  readonly witnesses: readonly Witness[];
  /** For sides whose code stops compiling, if one or two lines can show it. */
  readonly code: readonly CodeExample[];
  /** Where a session or code is affected, if requested. */
  readonly seen?: readonly Sighting[];
  /** Key of the decision, which its findings share. */
  readonly group: string;
}

/** Code that compiles with the old types, but not with the new ones. */
export interface CodeExample {
  /** The role of the code. */
  readonly role: string;
  /** TypeScript, with the import that it needs. */
  readonly text: string;
}

/** A place in a recording or in code. */
export interface Sighting {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Offset in a recording without lines. */
  readonly offset?: number;
}

/** A note about a change that no peer can notice. */
export interface DiffNote {
  /** A type that has another name, or that only the new or only the old version has. */
  readonly rule: "definition.renamed" | "definition.added" | "definition.removed";
  /** Name of the type in the old version. */
  readonly before?: string;
  /** Name of the type in the new version. */
  readonly after?: string;
}

/** The changes of a new version. */
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
  /** The role that the comparison is for, if it is for one only. */
  readonly side?: string;
}

/** Options of a comparison of two models. */
export interface DiffOptions {
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** Turns JSON Pointers into places of the two sources. */
  readonly locateBefore?: (pointer: string) => FindingPlace;
  readonly locateAfter?: (pointer: string) => FindingPlace;
}

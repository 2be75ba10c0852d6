import { option } from "@wirewright/runtime";
import { waitChecks, type WaitOptions } from "./wait-options.js";

/**
 * Limits how many variables are read. Containers share the budget, so that a large one does not
 * starve its neighbours.
 */
export interface VariableBudget extends WaitOptions {
  /** Maximum number of variables, including nested ones. Default: 200. */
  readonly items?: number;
  /** Maximum depth of variables; 1 reads only the variables directly in the scopes. Default: 2. */
  readonly depth?: number;
  /** Maximum total size of names, values and types, in bytes of UTF-8. Default: 65,536. */
  readonly bytes?: number;
  /**
   * Maximum size of a single name, value or type, in bytes. Longer strings are shortened. Default:
   * 1,024.
   */
  readonly valueBytes?: number;
  /**
   * Whether to read scopes that are marked as expensive, and variables that the adapter computes on
   * demand. Default: false.
   */
  readonly expensive?: boolean;
}

/** Options for `snapshot`. */
export interface SnapshotOptions extends VariableBudget {
  /** Maximum number of stack frames. Default: 20. */
  readonly frames?: number;
  /** Number of stack frames, from the top, whose variables are read. Default: 1. */
  readonly framesWithVariables?: number;
  /** The thread whose stack frames are read. Default: the thread that has stopped. */
  readonly threadId?: number;
}

/**
 * Why a part is missing: a limit of the budget was reached (`time` stands for `timeoutMs`), the
 * part is expensive to read, or the adapter refused to return it.
 */
export type CutReason = "frames" | "items" | "depth" | "bytes" | "time" | "expensive" | "failed";

/** Describes what is missing from a part of a snapshot. */
export interface Cut {
  readonly reason: CutReason;
  /** Number of missing parts, if known. */
  readonly count?: number;
  /** The error message, if the reason is `failed`. */
  readonly message?: string;
}

/** A variable, along with the variables inside it that were read. */
export interface VariableSnapshot {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /**
   * A reference for `variables` requests, valid until the program resumes, or 0 if the variable has
   * no children.
   */
  readonly variablesReference: number;
  /** Whether the name, the value or the type has been shortened. */
  readonly isShortened?: true;
  variables?: VariableSnapshot[];
  /** Set if some children are missing from `variables`. */
  cut?: Cut;
}

/** A scope in a stack frame, and its variables. */
export interface ScopeSnapshot {
  readonly name: string;
  readonly variablesReference: number;
  readonly variables: VariableSnapshot[];
  /** Set if some of the scope's variables are missing from `variables`. */
  cut?: Cut;
}

/** A stack frame and its scopes. */
export interface FrameSnapshot {
  readonly id: number;
  readonly name: string;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly scopes: ScopeSnapshot[];
  /** Set if some of the frame's scopes are missing from `scopes`. */
  cut?: Cut;
}

/** A part of a snapshot that may be incomplete. */
export type SnapshotPart = FrameSnapshot | ScopeSnapshot | VariableSnapshot;

/** A stopped thread, as plain data that can be sent as JSON. */
export interface StopSnapshot {
  readonly threadId: number;
  readonly frames: FrameSnapshot[];
  /** Set if some of the thread's frames are missing from `frames`. */
  readonly cut?: Cut;
  /**
   * Reads more of a part of this snapshot, starting where the budget ran out, and adds it to that
   * part. Resolves to the part. Once everything has been read, its `cut` is undefined.
   *
   * @throws Rejects with TypeError for a copy of a part, or with the signal's abort reason if it is
   * aborted.
   */
  expand<Part extends SnapshotPart>(part: Part, budget?: VariableBudget): Promise<Part>;
}

export const budgetChecks = (): option.OptionChecks<VariableBudget> => ({
  ...waitChecks(),
  items: option.count,
  depth: option.count,
  bytes: option.count,
  valueBytes: option.count,
  expensive: option.flag,
});

export const snapshotChecks = (): option.OptionChecks<SnapshotOptions> => ({
  ...budgetChecks(),
  frames: option.count,
  framesWithVariables: option.count,
  threadId: option.integer,
});

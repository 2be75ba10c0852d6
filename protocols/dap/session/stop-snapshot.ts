import { option } from "../../../generated/dap/runtime/index.js";
import { waitChecks, type WaitOptions } from "./wait-options.js";

/** How many variables to read. The budget is shared: a large container leaves its neighbours their part. */
export interface VariableBudget extends WaitOptions {
  /** Variables, those inside others included. Default: 200. */
  readonly items?: number;
  /** Levels of variables: 1 is those of the scopes. Default: 2. */
  readonly depth?: number;
  /** Bytes of names, values and types in UTF-8. Default: 65,536. */
  readonly bytes?: number;
  /** Bytes of one name, value or type. Longer ones are shortened. Default: 1,024. */
  readonly valueBytes?: number;
  /** Also reads scopes that are expensive to read, and variables that the adapter computes on demand. Default: false. */
  readonly expensive?: boolean;
}

/** Options of `snapshot`. */
export interface SnapshotOptions extends VariableBudget {
  /** Stack frames. Default: 20. */
  readonly frames?: number;
  /** Frames whose variables are read, from the top. Default: 1. */
  readonly framesWithVariables?: number;
  /** Default: the thread that has stopped. */
  readonly threadId?: number;
}

/**
 * Why something is missing: the limit of the budget that was reached (`time` is that of
 * `timeoutMs`); it is expensive to read; or the adapter refused to give it.
 */
export type CutReason = "frames" | "items" | "depth" | "bytes" | "time" | "expensive" | "failed";

/** Descriptions of the missing parts. */
export interface Cut {
  readonly reason: CutReason;
  /** How many, if that is known. */
  readonly count?: number;
  /** Why it failed. */
  readonly message?: string;
}

/** A variable, with the variables inside it as far as they were read. */
export interface VariableSnapshot {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** To ask the adapter for more, until the program resumes; 0 if there is nothing inside. */
  readonly variablesReference: number;
  /** The name, the value or the type has been shortened. */
  readonly isShortened?: true;
  variables?: VariableSnapshot[];
  /** Set unless `variables` has everything that is inside. */
  cut?: Cut;
}

/** A scope of a frame with its variables. */
export interface ScopeSnapshot {
  readonly name: string;
  readonly variablesReference: number;
  readonly variables: VariableSnapshot[];
  /** Set unless `variables` has all variables of the scope. */
  cut?: Cut;
}

/** A frame of the stack with its scopes. */
export interface FrameSnapshot {
  readonly id: number;
  readonly name: string;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly scopes: ScopeSnapshot[];
  /** Set unless `scopes` has all scopes of the frame. */
  cut?: Cut;
}

/** A part of a snapshot that may be cut. */
export type SnapshotPart = FrameSnapshot | ScopeSnapshot | VariableSnapshot;

/** A stopped thread, as plain data that can be sent as JSON. */
export interface StopSnapshot {
  readonly threadId: number;
  readonly frames: FrameSnapshot[];
  /** Set unless `frames` has all frames of the thread. */
  readonly cut?: Cut;
  /**
   * Reads more of a part of this snapshot, from where the budget has ended, and adds it to that part.
   * Resolves to the part. `cut` is unset when everything has been read.
   *
   * @throws TypeError, as a rejection, for a copy of a part. The reason of the signal, if it is
   *   aborted.
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

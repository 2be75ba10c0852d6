import type { LintedProtocol } from "wirewright";
import type { AdapterTarget } from "./adapter-target.js";
import type { Language, Programs } from "./programs.js";

/**
 * How to attach to a running program. In strings, `${program}`, `${port}` and `${pid}` are
 * replaced.
 */
export interface AttachSettings {
  /** Command that starts the program. Default: one defined for the language. */
  readonly command?: readonly string[];
  /** Whether the program itself is an adapter that listens on `${port}`. */
  readonly isAdapter?: boolean;
  /** Arguments of `attach`. */
  readonly arguments: object;
}

export interface SuiteOptions {
  readonly target: AdapterTarget;
  /** Language of the programs to debug: one of `languages()`. */
  readonly language: string;
  readonly request?: "launch" | "attach";
  /**
   * Arguments for `launch` or `attach`, replacing the language's arguments. In their strings,
   * `${program}`, `${source}`, `${folder}` and `${port}` (a free port) are replaced.
   */
  readonly launch?: object;
  /** The `adapterID` to send in `initialize`. Default: the language's name. */
  readonly adapterId?: string;
  /** Shortest deadline for a step, in milliseconds. It grows for slow adapters. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Whether the adapter debugs the program in a child session, as js-debug does. */
  readonly isInChild?: boolean;
  /** Whether the adapter always stops at the beginning of the program, for whatever reason. */
  readonly stopsFirst?: boolean;
  /** Additional `launch` arguments that make the adapter request a terminal from the client. */
  readonly terminal?: object;
  /** How to attach to a running program. */
  readonly attach?: AttachSettings;
  /**
   * Folder for the recordings of cases: `CASE.jsonl` for the first connection, and `CASE-2.jsonl`
   * for the second.
   */
  readonly recordings?: string;
  /** A custom language, along with the folder that contains its programs. */
  readonly own?: { readonly language: Language; readonly folder: string };
}

/** Options that have a default. */
type Decided = "request" | "launch" | "adapterId" | "timeoutMs" | "isInChild" | "stopsFirst";

/** State shared by all cases in a run. */
export interface Suite
  extends Omit<SuiteOptions, "language" | "own" | Decided>, Required<Pick<SuiteOptions, Decided>> {
  readonly programs: Programs;
  readonly protocol: LintedProtocol;
  /** Folder that contains the suite's programs and probes. */
  readonly fixtures: string;
}

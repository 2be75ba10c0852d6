import type { StateGroup } from "../../judge/table/rule-table.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { ShownCapabilities } from "../exchanges/shown-state.js";

export { groupOf } from "../../judge/finding-shape.js";

/**
 * The data of the inspector's page, written by the generator and read by the page. A page either
 * contains its data or, while a session is running, receives it block by block.
 */

/**
 * The kinds of rows on the page. `other` is a message of unknown kind. `text` is text printed by
 * one of the sides.
 */
export const rowKinds = [
  "request",
  "response",
  "event",
  "other",
  "noise",
  "fault",
  "text",
  "end",
] as const;
export type RowKind = (typeof rowKinds)[number];

export const severities = ["error", "warning", "info"] as const;
export type PageSeverity = (typeof severities)[number];

/** Information about the recording as a whole. */
export interface PageHead {
  /** Version of this format. */
  readonly form: 1;
  /** The recording's name. */
  readonly title: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** The host for which the recording was checked. */
  readonly host?: string;
  /** The two sides, beginning with the one that opens the session. */
  readonly roles: readonly [string, string];
  /** How messages change a session's state. */
  readonly state: PageStateTable;
  /** The line that begins every recording of this protocol, without its line ending. */
  readonly recordingHead: string;
  /** Sentences to show to the user, such as a note about omitted messages. */
  readonly notes: readonly string[];
  /** Whether the session is still running. */
  readonly isLive?: true;
}

/** How messages change a session's state, and which fields contain the messages' payloads. */
export interface PageStateTable {
  readonly groups: readonly StateGroup[];
  readonly capabilities: readonly ShownCapabilities[];
  readonly payloads: Readonly<Record<"request" | "response" | "event", string>>;
  /** Names of requests that never receive a response. */
  readonly unanswered: readonly string[];
}

/**
 * A tuple for a message that stops (1) or resumes (0) the program: this number, the thread, and the
 * row that caused it. The thread is null unless only one thread is affected.
 */
export type RowMove = readonly [isStop: 0 | 1, thread: number | string | null, since: number];

/**
 * Consecutive rows, stored as columns. A row's values have the same index in every column. Rows are
 * numbered from 0 throughout the recording, including those that the page does not contain.
 */
export interface RowColumns {
  /** Number of the first row. */
  readonly first: number;
  /** Index into `rowKinds`. */
  readonly kind: readonly number[];
  /** Index into the roles, or -1 if the sender is unknown. */
  readonly from: readonly number[];
  /** Index into the combined `names` of all blocks so far, or -1 if the row has no name. */
  readonly name: readonly number[];
  /** Number of the row's session within the recording, or 0 if there is only one session. */
  readonly session: readonly number[];
  /**
   * The message's number within its session, starting at 1. For an entry that is not a message, the
   * number of the previous message.
   */
  readonly index: readonly number[];
  /** The message's id. For a response, the id of its request. Empty if there is none. */
  readonly id: readonly (number | string)[];
  /** 1 for the response to a request that failed. */
  readonly failed: readonly (0 | 1)[];
  /** Milliseconds since the session began. Null if unknown. */
  readonly time: readonly (number | null)[];
  /** Milliseconds since the request. Null if the row is not a response or the time is unknown. */
  readonly latency: readonly (number | null)[];
  /**
   * For a response, the row of the request that it answers. -1 for all other rows, or if the
   * request is unknown.
   */
  readonly answers: readonly number[];
  /** Size of the message as JSON, in bytes. */
  readonly size: readonly number[];
  /** Line number in the recording, or 0 if the recording is not made up of lines. */
  readonly line: readonly number[];
  /** A short summary of the most important values. */
  readonly summary: readonly string[];
  /**
   * JSON Pointers to the parts that are omitted from a log, by index into these columns. Rows
   * without omitted parts have no entry.
   */
  readonly unknown: Readonly<Record<number, readonly string[]>>;
  /** Messages that stop or resume the program, by index into these columns. */
  readonly moves: Readonly<Record<number, RowMove>>;
}

/**
 * Rows, along with the names that first occur in them. The messages are stored separately, as a
 * string with one line of JSON per row.
 */
export interface RowBlock {
  readonly rows: RowColumns;
  readonly names: readonly string[];
}

/** A finding reported by a rule. */
export interface PageFinding {
  /** The finding's row, or -1 if it has none. */
  readonly row: number;
  readonly rule: string;
  readonly severity: PageSeverity;
  /** The effect on the host. */
  readonly outcome?: string;
  /** The role that sent the message. Absent if unknown. */
  readonly from?: string;
  /** A description of the message, such as `response 3 next`. */
  readonly label: string;
  /** JSON Pointer to a location in the message. */
  readonly pointer: string;
  readonly message: string;
}

/** A group of identical findings that do not fit on the page. The page contains only their rows. */
export interface UnlistedFindings {
  /** The group to which the findings belong, as returned by `groupOf`. */
  readonly group: string;
  readonly rule: string;
  readonly severity: PageSeverity;
  readonly count: number;
  /**
   * Rows of the findings, each stored as its difference from the previous row. There may be more
   * findings than rows.
   */
  readonly rows: readonly number[];
}

/**
 * A second recording that the page shows next to its own. Its messages are in separate elements of
 * the page.
 */
export interface PageComparison {
  readonly other: PageData;
  /**
   * Requests and events of both recordings, aligned. Each entry consists of the row in the first
   * recording, the row in the second, and a sum that says how they differ: 1 for the messages, 2
   * for their responses, 4 for their positions. A row is -1 if that recording has no counterpart.
   */
  readonly pairs: readonly (readonly [left: number, right: number, differs: number])[];
}

/** The contents of a page, apart from the messages. */
export interface PageData {
  readonly comparison?: PageComparison;
  readonly head: PageHead;
  readonly blocks: readonly RowBlock[];
  readonly findings: readonly PageFinding[];
  /** Number of findings, by severity. */
  readonly counts: Readonly<Record<PageSeverity, number>>;
  /** Findings that are too numerous to list on the page. */
  readonly unlisted: readonly UnlistedFindings[];
  readonly sessions: readonly TreeSession[];
  /** The description of each rule. */
  readonly rules: Readonly<Record<string, string>>;
}

/** An update to a live page: new rows with their messages, and new findings. */
export interface LiveUpdate {
  readonly block: RowBlock;
  /** The messages, as one line of JSON per row. */
  readonly messages: readonly string[];
  readonly findings: readonly PageFinding[];
  readonly sessions: readonly TreeSession[];
}

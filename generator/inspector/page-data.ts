import type { TreeSession } from "../exchanges/session-tree.js";
import type { ShownCapabilities } from "../exchanges/shown-state.js";
import type { StateGroup } from "../lint/table/rule-table.js";

export { groupOf } from "../lint/finding-shape.js";

/**
 * The data of the inspector's page. The generator writes this data and the page reads it. A page
 * contains its data, or receives it block by block while a session is running.
 */

/**
 * The kinds of rows on the page. `other` is a message of an unknown kind. `text` is text that a
 * side printed.
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

/** Facts about the whole recording. */
export interface PageHead {
  /** Version of this format. */
  readonly form: 1;
  /** The name of the recording. */
  readonly title: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** The host that the recording was checked for. */
  readonly host?: string;
  /** The two sides. The first one opens the session. */
  readonly roles: readonly [string, string];
  /** How messages change the state of a session. */
  readonly state: PageStateTable;
  /** First line of a recording of this protocol, without its line end. */
  readonly recordingHead: string;
  /** Sentences to show to the user, for example about omitted messages. */
  readonly notes: readonly string[];
  /** Whether the session is still running. */
  readonly isLive?: true;
}

/** How messages change the state of a session, and the fields that contain their payloads. */
export interface PageStateTable {
  readonly groups: readonly StateGroup[];
  readonly capabilities: readonly ShownCapabilities[];
  readonly payloads: Readonly<Record<"request" | "response" | "event", string>>;
  /** Names of requests that have no response. */
  readonly unanswered: readonly string[];
}

/**
 * A tuple for a message that stops (1) or resumes (0) the program. It contains this number, the
 * thread, and the row that caused it. The thread is null unless only one thread is affected.
 */
export type RowMove = readonly [isStop: 0 | 1, thread: number | string | null, since: number];

/**
 * Rows in order, stored as columns. The values of a row have the same index in every column. Rows
 * are numbered from 0 through the whole recording, including rows that the page does not contain.
 */
export interface RowColumns {
  /** Number of the first row. */
  readonly first: number;
  /** Index in `rowKinds`. */
  readonly kind: readonly number[];
  /** Index in the roles. -1 if the sender is unknown. */
  readonly from: readonly number[];
  /** Index in the `names` of all blocks so far. -1 if the row has no name. */
  readonly name: readonly number[];
  /** Number of the row's session in the recording. 0 if there is only one session. */
  readonly session: readonly number[];
  /**
   * Number of the message in its session, starting at 1. An entry that is not a message has the
   * number of the previous message.
   */
  readonly index: readonly number[];
  /** Id of the message. For a response, the id of its request. Empty if there is no id. */
  readonly id: readonly (number | string)[];
  /** 1 for a response to a request that failed. */
  readonly failed: readonly (0 | 1)[];
  /** Milliseconds since the start of the session. Null if unknown. */
  readonly time: readonly (number | null)[];
  /**
   * Milliseconds since the request. Null if the row is not a response, or if the time is unknown.
   */
  readonly latency: readonly (number | null)[];
  /**
   * Row of the request that the row answers. -1 if the row is not a response, or if the request is
   * unknown.
   */
  readonly answers: readonly number[];
  /** Size of the message's JSON in bytes. */
  readonly size: readonly number[];
  /** Line in the recording. 0 if the recording has no lines. */
  readonly line: readonly number[];
  /** A short summary of the most important values. */
  readonly summary: readonly string[];
  /**
   * JSON Pointers of the parts that a log omits, by index in these columns. Rows without omitted
   * parts have no entry.
   */
  readonly unknown: Readonly<Record<number, readonly string[]>>;
  /** Messages that stop or resume the program, by index in these columns. */
  readonly moves: Readonly<Record<number, RowMove>>;
}

/**
 * Rows, and the names that occur in them for the first time. The messages are stored separately, as
 * a string with one line of JSON per row.
 */
export interface RowBlock {
  readonly rows: RowColumns;
  readonly names: readonly string[];
}

/** A finding that a rule reported. */
export interface PageFinding {
  /** Row of the finding. -1 if it has no row. */
  readonly row: number;
  readonly rule: string;
  readonly severity: PageSeverity;
  /** The effect on the host. */
  readonly outcome?: string;
  /** Role that sent the message. Absent if unknown. */
  readonly from?: string;
  /** A description of the message, such as `response 3 next`. */
  readonly label: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * The findings that exceed the maximum for a page and are identical. The page contains only their
 * rows.
 */
export interface UnlistedFindings {
  /** Group of the findings, by `groupOf`. */
  readonly group: string;
  readonly rule: string;
  readonly severity: PageSeverity;
  readonly count: number;
  /**
   * Rows of the findings, each stored as the difference from the previous row. There may be more
   * findings than rows.
   */
  readonly rows: readonly number[];
}

/**
 * A second recording that the page shows next to its own recording. Its messages are in separate
 * elements of the page.
 */
export interface PageComparison {
  readonly other: PageData;
  /**
   * Requests and events of both recordings, aligned. Each entry has the row in the first recording,
   * the row in the second recording, and the sum of their differences: 1 for the messages, 2 for
   * their responses, 4 for their positions. A row is -1 if its recording has no counterpart.
   */
  readonly pairs: readonly (readonly [left: number, right: number, differs: number])[];
}

/** The contents of a page without the messages. */
export interface PageData {
  readonly comparison?: PageComparison;
  readonly head: PageHead;
  readonly blocks: readonly RowBlock[];
  readonly findings: readonly PageFinding[];
  /** Number of findings of each severity. */
  readonly counts: Readonly<Record<PageSeverity, number>>;
  /** Findings that the page does not list, because there are too many. */
  readonly unlisted: readonly UnlistedFindings[];
  readonly sessions: readonly TreeSession[];
  /** The description of each rule. */
  readonly rules: Readonly<Record<string, string>>;
}

/** An update of a live page: new rows with their messages, and new findings. */
export interface LiveUpdate {
  readonly block: RowBlock;
  /** The messages, with one line of JSON per row. */
  readonly messages: readonly string[];
  readonly findings: readonly PageFinding[];
  readonly sessions: readonly TreeSession[];
  /** Sentences about messages that were lost since the last update. */
  readonly notes: readonly string[];
}

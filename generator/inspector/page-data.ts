import type { TreeSession } from "../exchanges/session-tree.js";
import type { ShownCapabilities } from "../exchanges/shown-state.js";
import type { StateGroup } from "../lint/table/rule-table.js";

export { groupOf } from "../lint/finding-shape.js";

/**
 * The data of the inspector's page. The generator writes it, and the page reads it: as data of the
 * page itself, or block by block while a session continues.
 */

/** Kinds of rows of the page. `other` is a message of unknown kind; `text` is output of a side. */
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

/** Facts of the page about the whole recording. */
export interface PageHead {
  /** Version of this form. */
  readonly form: 1;
  /** The name of the recording. */
  readonly title: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** Host for whose behaviour the recording was checked. */
  readonly host?: string;
  /** The two sides. The first one opens the session. */
  readonly roles: readonly [string, string];
  /** How messages change the state of a session. */
  readonly state: PageStateTable;
  /** First line of a recording of this protocol, without its line end. */
  readonly recordingHead: string;
  /** Notes for readers, such as omissions, as sentences. */
  readonly notes: readonly string[];
  /** Whether the session is still running. */
  readonly isLive?: true;
}

/** How messages change the state of a session, and the fields that hold their payloads. */
export interface PageStateTable {
  readonly groups: readonly StateGroup[];
  readonly capabilities: readonly ShownCapabilities[];
  readonly payloads: Readonly<Record<"request" | "response" | "event", string>>;
  /** Names of requests that nothing answers. */
  readonly unanswered: readonly string[];
}

/**
 * A message that stops (1) or resumes (0) the program, with the only affected thread or null, and
 * the row that caused it.
 */
export type RowMove = readonly [isStop: 0 | 1, thread: number | string | null, since: number];

/**
 * Rows in order, as columns: the values of a row have the same index in each. Rows are numbered
 * from 0 through the whole recording, including rows that the page does not have.
 */
export interface RowColumns {
  /** Number of the first row. */
  readonly first: number;
  /** Index in `rowKinds`. */
  readonly kind: readonly number[];
  /** Index in the roles; -1 if the sender is unknown. */
  readonly from: readonly number[];
  /** Index in `names` of all blocks so far; -1 if it has no name. */
  readonly name: readonly number[];
  /** Number of its session in the recording; 0 if there is only one. */
  readonly session: readonly number[];
  /**
   * Number of the message in its session, from 1; for other entries, that of the previous message.
   */
  readonly index: readonly number[];
  /** Id of the message. For a response, the id of its request. Empty if there is no id. */
  readonly id: readonly (number | string)[];
  /** 1 for a response to a request that failed. */
  readonly failed: readonly (0 | 1)[];
  /** Milliseconds since the session began; null if unknown. */
  readonly time: readonly (number | null)[];
  /** Milliseconds since its request; null if it is not a response or that is unknown. */
  readonly latency: readonly (number | null)[];
  /** Row of the request that it answers; -1 if it is not a response or that is unknown. */
  readonly answers: readonly number[];
  /** Bytes of its JSON. */
  readonly size: readonly number[];
  /** Line of the recording; 0 if it has no lines. */
  readonly line: readonly number[];
  /** A short summary of its most important values. */
  readonly summary: readonly string[];
  /**
   * JSON Pointers of the parts that a log omits, by index in these columns; other rows have none.
   */
  readonly unknown: Readonly<Record<number, readonly string[]>>;
  /** Messages that stop or resume the program, by index in these columns. */
  readonly moves: Readonly<Record<number, RowMove>>;
}

/**
 * Rows, with the names that occur in them for the first time. Their messages are a string with one
 * line of JSON for each row.
 */
export interface RowBlock {
  readonly rows: RowColumns;
  readonly names: readonly string[];
}

/** A finding of a rule. */
export interface PageFinding {
  /** Row of the finding; -1 if it has none. */
  readonly row: number;
  readonly rule: string;
  readonly severity: PageSeverity;
  /** The effect on the host. */
  readonly outcome?: string;
  /** Role that sent the message; absent if unknown. */
  readonly from?: string;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly message: string;
}

/** Equal findings, for which a page has only the rows. */
export interface UnlistedFindings {
  /** Group of the findings, by `groupOf`. */
  readonly group: string;
  readonly rule: string;
  readonly severity: PageSeverity;
  readonly count: number;
  /** Rows of the findings, each as the difference from the previous row. There may be more findings than rows. */
  readonly rows: readonly number[];
}

/** Another recording next to the one of the page. Its messages are in separate elements. */
export interface PageComparison {
  readonly other: PageData;
  /**
   * Requests and events of both, aligned: the row in the first recording, the row in the second,
   * and the sum of their differences: 1 for their meanings, 2 for their responses, 4 for their
   * positions. A row is -1 if one recording has no counterpart.
   */
  readonly pairs: readonly (readonly [left: number, right: number, differs: number])[];
}

/** The contents of a page without the messages. */
export interface PageData {
  readonly comparison?: PageComparison;
  readonly head: PageHead;
  readonly blocks: readonly RowBlock[];
  readonly findings: readonly PageFinding[];
  /** Number of all findings of each severity. */
  readonly counts: Readonly<Record<PageSeverity, number>>;
  /** Findings that are not listed because there are too many. */
  readonly unlisted: readonly UnlistedFindings[];
  readonly sessions: readonly TreeSession[];
  /** The description of each rule. */
  readonly rules: Readonly<Record<string, string>>;
}

/** An update of a live page: new rows with their messages, and new findings. */
export interface LiveUpdate {
  readonly block: RowBlock;
  /** A line of JSON for each row. */
  readonly messages: readonly string[];
  readonly findings: readonly PageFinding[];
  readonly sessions: readonly TreeSession[];
  /** Sentences about losses since the last update. */
  readonly notes: readonly string[];
}

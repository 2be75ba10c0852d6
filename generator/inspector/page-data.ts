import type { TreeSession } from "../exchanges/session-tree.js";
import type { ShownCapabilities } from "../exchanges/shown-state.js";
import type { StateGroup } from "../lint/table/rule-table.js";

export { groupOf } from "../lint/finding-shape.js";

/**
 * The data of the inspector's page. The generator writes it, and the page reads it: as data of the
 * page itself, or block by block while a session continues.
 */

/** Kinds of rows of the page. `other` is a message of no kind; `text` is output of a side. */
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

/** Texts of the page about the recording as a whole. */
export interface PageHead {
  /** Version of this form. */
  readonly form: 1;
  /** The name of the recording. */
  readonly title: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** Host that it was judged by. */
  readonly host?: string;
  /** The two sides. The first one opens the session. */
  readonly roles: readonly [string, string];
  /** How messages change the state of a session. */
  readonly state: PageStateTable;
  /** First line of a recording of this protocol, without its line end. */
  readonly recordingHead: string;
  /** Notes for readers, such as omissions, as sentences. */
  readonly notes: readonly string[];
  /** The page belongs to a session that continues. */
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
 * A message by which the program stops (1) or runs again (0): the only thread that does, or null; and the row since
 * which it is so.
 */
export type RowMove = readonly [isStop: 0 | 1, thread: number | string | null, since: number];

/**
 * Rows in their order, as columns: the value of a row is at the same place in each. Rows are numbered from 0 through
 * the recording, also those that the page was not given.
 */
export interface RowColumns {
  /** Number of the first row. */
  readonly first: number;
  /** Place in `rowKinds`. */
  readonly kind: readonly number[];
  /** Place in the roles. */
  readonly from: readonly number[];
  /** Place in `names` of all blocks so far; -1 if it has no name. */
  readonly name: readonly number[];
  /** Which session of the recording; 0 if it has one only. */
  readonly session: readonly number[];
  /**
   * Number of the message in its session, from 1; for other entries, that of the message before it.
   */
  readonly index: readonly number[];
  /** Its number on the wire, or the one that it answers; empty if it has none. */
  readonly id: readonly (number | string)[];
  /** 1 for a response that says that the request failed. */
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
  /** Its most important values, in a few words. */
  readonly summary: readonly string[];
  /**
   * JSON Pointers of the parts that a log omits, by place in these columns; other rows have none.
   */
  readonly unknown: Readonly<Record<number, readonly string[]>>;
  /** Messages by which the program stops or runs again, by place in these columns. */
  readonly moves: Readonly<Record<number, RowMove>>;
}

/** Rows, with names that they are the first to have. Their messages are a text of one line of JSON for each row. */
export interface RowBlock {
  readonly rows: RowColumns;
  readonly names: readonly string[];
}

/** Something that a rule found. */
export interface PageFinding {
  /** Row that it is about; -1 if it is about none. */
  readonly row: number;
  readonly rule: string;
  readonly severity: PageSeverity;
  /** The effect on the host. */
  readonly outcome?: string;
  readonly from: string;
  /** The message in words: `response 3 next`. */
  readonly label: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly message: string;
}

/** Findings that say the same, of which a page has only the rows. */
export interface UnlistedFindings {
  /** Their group, by `groupOf`. */
  readonly group: string;
  readonly rule: string;
  readonly severity: PageSeverity;
  readonly count: number;
  /** Their rows, each as the difference to the one before. There may be more of them. */
  readonly rows: readonly number[];
}

/** Another recording beside the one of the page. Its messages are in elements of their own. */
export interface PageComparison {
  readonly other: PageData;
  /**
   * Requests and events of both, aligned: row of the one, row of the other, and their differences,
   * as a sum: 1 for their meanings, 2 for their answers, 4 for their places. A row is -1 if one
   * recording has no counterpart.
   */
  readonly pairs: readonly (readonly [left: number, right: number, differs: number])[];
}

/** The contents of a page, besides the messages. */
export interface PageData {
  readonly comparison?: PageComparison;
  readonly head: PageHead;
  readonly blocks: readonly RowBlock[];
  readonly findings: readonly PageFinding[];
  /** Number of all findings of each severity. */
  readonly counts: Readonly<Record<PageSeverity, number>>;
  /** Findings that are not listed, because there are too many. */
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

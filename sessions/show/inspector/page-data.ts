import type { StateGroup } from "../../judge/table/rule-table.js";
import type { ProgramMove } from "../exchanges/program-moves.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { ShownCapabilities } from "../exchanges/shown-state.js";
import type { AlignedPair } from "./align-sessions.js";

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
 * A row of the page. Properties are absent if they are unknown, or do not apply to rows of this
 * kind.
 */
export interface PageRow {
  /**
   * Rows are numbered from 0 throughout the recording, including those that the page does not
   * contain.
   */
  readonly number: number;
  readonly kind: RowKind;
  /** Index into the roles. */
  readonly from?: 0 | 1;
  /** The message's name, or an empty string. */
  readonly name: string;
  /** Number of the row's session within the recording, or 0 if there is only one session. */
  readonly session: number;
  /**
   * The message's number within its session, starting at 1. For an entry that is not a message, the
   * number of the previous message.
   */
  readonly index: number;
  /** The message's id. For a response, the id of its request. Empty if there is none. */
  readonly id: number | string;
  /** Whether the row is the response to a request that failed. */
  readonly hasFailed: boolean;
  /** Milliseconds since the session began. */
  readonly time?: number;
  /** For a response, milliseconds since the request, and the request's row. */
  readonly latency?: number;
  readonly answers?: number;
  /** Size of the message as JSON, in bytes. */
  readonly size: number;
  /** Line number in the recording, if the recording is made up of lines. */
  readonly line?: number;
  /** A short summary of the most important values. */
  readonly summary: string;
  /** JSON Pointers to the parts that are omitted from a log. */
  readonly unknown?: readonly string[];
  /**
   * Set if the message stopped or resumed the program or one of its threads. `since` is the row that
   * caused it.
   */
  readonly move?: ProgramMove;
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

/**
 * A second recording that the page shows next to its own. Its messages are in separate elements of
 * the page.
 */
export interface PageComparison {
  readonly other: PageData;
  /** Requests and events of both recordings, aligned. */
  readonly pairs: readonly AlignedPair[];
}

/**
 * The contents of a page, apart from the messages, which are stored block by block, as one line of
 * JSON per row.
 */
export interface PageData {
  readonly comparison?: PageComparison;
  readonly head: PageHead;
  /** The rows in blocks. The rows of a block have consecutive numbers. */
  readonly blocks: readonly (readonly PageRow[])[];
  readonly findings: readonly PageFinding[];
  /** Number of findings, including those about rows that the page does not contain. */
  readonly found: number;
  readonly sessions: readonly TreeSession[];
  /** The description of each rule. */
  readonly rules: Readonly<Record<string, string>>;
}

/** An update to a live page: new rows with their messages, and new findings. */
export interface LiveUpdate {
  readonly rows: readonly PageRow[];
  /** The messages, as one line of JSON per row. */
  readonly messages: readonly string[];
  readonly findings: readonly PageFinding[];
  /** All sessions, if there are new ones. */
  readonly sessions: readonly TreeSession[];
}

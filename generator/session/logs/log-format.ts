import type { Protocol } from "../../model/protocol.js";
import type { EntryHandler, EntryReader } from "../entries/recorded-entry.js";

/** A format in which a tool logs the messages of a session. */
export interface LogFormat {
  /** Name for selecting the format. */
  readonly name: string;
  /** The tool that writes such logs, and how to enable them, in Markdown. */
  readonly title: string;
  /** Describes the parts of messages that such logs omit. Undefined if they omit nothing. */
  readonly omits?: string;
  /** Whether messages may be out of order, because the tool logs the two sides separately. */
  readonly isOrderLoose?: true;
  /** Matches lines that identify a log of this format. */
  readonly sign: RegExp;
  open(protocol: Protocol, handle: EntryHandler): EntryReader;
}

/** The two sides of a session, independent of the names of the roles. */
export type Side = "client" | "server";

/**
 * The line of a log that announces a message, and the facts that the line states about the message.
 */
export interface LoggedHead {
  readonly side?: Side | undefined;
  /**
   * The arrow in the line, if the format does not define what its arrows mean. Messages with a
   * known sender show the direction of an arrow.
   */
  readonly arrow?: string;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
  /**
   * The text in which the JSON of the message begins. It may begin up to two lines later, and may
   * continue on the next lines.
   */
  readonly text: string;
  /** Extracts the message from the JSON value. Default: the value is the message. */
  readonly read?: (value: unknown) => LoggedMessage | undefined;
}

/**
 * A message, with facts about it from the log. If a fact is absent, the fact in the head applies.
 */
export interface LoggedMessage {
  readonly message: object;
  readonly unknown?: readonly string[];
  readonly side?: Side | undefined;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
}

/** Reads a line of a log. Undefined if the line does not announce a message. */
export type HeadReader = (line: string) => LoggedHead | LoggedMessage | undefined;

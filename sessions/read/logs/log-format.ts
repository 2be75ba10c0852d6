import type { Protocol } from "../../../generator/model/protocol.js";
import type { EntryHandler, EntryReader } from "../recorded-entry.js";

/** A format in which some tool logs the messages of a session. */
export interface LogFormat {
  /** Name by which the format can be selected. */
  readonly name: string;
  /** The tool that writes such logs and how to enable them, in Markdown. */
  readonly title: string;
  /** Describes the parts of messages that such logs omit. Undefined if nothing is omitted. */
  readonly omits?: string;
  /** Whether messages may be out of order, because the tool logs the two sides separately. */
  readonly isOrderLoose?: true;
  /** Matches lines that identify a log as having this format. */
  readonly sign: RegExp;
  open(protocol: Protocol, handle: EntryHandler): EntryReader;
}

/** The two sides of a session, regardless of what their roles are called. */
export type Side = "client" | "server";

/** A log line that announces a message, along with the details that it gives about that message. */
export interface LoggedHead {
  readonly side?: Side | undefined;
  /**
   * The arrow on the line, if the format does not define what its arrows mean. Messages whose
   * sender is known then reveal an arrow's direction.
   */
  readonly arrow?: string;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
  /**
   * The text in which the message's JSON begins. The JSON may begin up to two lines later, and may
   * continue on the lines that follow.
   */
  readonly text: string;
  /** Extracts the message from the JSON value. Default: the value itself is the message. */
  readonly read?: (value: unknown) => LoggedMessage | undefined;
}

/** A message, along with details from the log. Any that are absent are taken from the head. */
export interface LoggedMessage {
  readonly message: object;
  readonly unknown?: readonly string[];
  readonly side?: Side | undefined;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
}

/** Reads a line of a log. Returns undefined if it does not announce a message. */
export type HeadReader = (line: string) => LoggedHead | LoggedMessage | undefined;

import type { Protocol } from "../../model/protocol.js";
import type { EntryHandler, EntryReader } from "../entries/recorded-entry.js";

/** A format in which some tool logs the messages of a session. */
export interface LogFormat {
  /** Name to choose it by. */
  readonly name: string;
  /** The tool that writes it, and how to enable that, in markdown. */
  readonly title: string;
  /** The parts of messages that such a log omits, in words; undefined if there are none. */
  readonly omits?: string;
  /** Whether the two sides are logged separately, so that messages may be out of order. */
  readonly isOrderLoose?: true;
  /** Matches lines that identify a log of this format. */
  readonly sign: RegExp;
  open(protocol: Protocol, handle: EntryHandler): EntryReader;
}

/** The two ends of a session, for any names of roles. */
export type Side = "client" | "server";

/** The announcement of a message in a log, with all facts except the message itself. */
export interface LoggedHead {
  readonly side?: Side | undefined;
  /**
   * The arrow of formats that do not define its direction. Messages with a known sender show it.
   */
  readonly arrow?: string;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
  /**
   * The first part of its JSON text. The rest follows on the next lines. The text may start up to
   * two lines later.
   */
  readonly text: string;
  /** Reads the message from the JSON value. Default: the value is the message. */
  readonly read?: (value: unknown) => LoggedMessage | undefined;
}

/** A message and its facts in the log; absent ones are as in the head. */
export interface LoggedMessage {
  readonly message: object;
  readonly unknown?: readonly string[];
  readonly side?: Side | undefined;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
}

/** Reads the line of a log. Undefined if the line announces no message. */
export type HeadReader = (line: string) => LoggedHead | LoggedMessage | undefined;

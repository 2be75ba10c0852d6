import type { Protocol } from "../../model/protocol.js";
import type { EntryHandler, EntryReader } from "../entries/recorded-entry.js";

/** A format in which some tool logs the messages of a session. */
export interface LogFormat {
  /** Name to choose it by. */
  readonly name: string;
  /** Which tool writes it, and how to make it do so, in markdown. */
  readonly title: string;
  /** The parts of messages that such a log omits, in words; undefined if there are none. */
  readonly omits?: string;
  /** The two sides are logged apart, so that a message may be after one that came after it. */
  readonly isOrderLoose?: true;
  /** Lines by which a log of this format is recognised. */
  readonly sign: RegExp;
  open(protocol: Protocol, handle: EntryHandler): EntryReader;
}

/** The two ends of a session, for any names of roles. */
export type Side = "client" | "server";

/** Where a log announces a message, and its facts besides the message itself. */
export interface LoggedHead {
  readonly side?: Side | undefined;
  /**
   * The arrow of formats that do not define its direction. The messages whose sender is known show
   * it.
   */
  readonly arrow?: string;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
  /** The first part of its JSON text; the rest is on the lines that follow. Two may be before it. */
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

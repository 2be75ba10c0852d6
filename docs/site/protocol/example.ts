/**
 * A message in an example. Messages that are only listed to show the order do not have any content.
 */
export interface ExampleStep {
  /** The role that sent the message. */
  readonly from: string;
  readonly kind: "request" | "response" | "event";
  /** Name of the request or event; for a response, the name of the request that it answers. */
  readonly name: string;
  readonly message?: object;
  /** The message in its sender's notation, if the notation is not JSON. */
  readonly text?: string;
}

/** Either a request with its response and the messages that follow, or an event. */
export type Example = readonly ExampleStep[];

/** Examples of a protocol's messages, taken from recorded sessions. */
export interface Examples {
  /** Describes the programs in the sessions, such as `real adapters`. */
  readonly programs: string;
  /** Examples by message, such as `request next`. */
  readonly byMessage: Readonly<Record<string, Example>>;
}

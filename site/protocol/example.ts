/** A message of an example. Messages that are only listed for their order have no content. */
export interface ExampleStep {
  /** Role that sent the message. */
  readonly from: string;
  readonly kind: "request" | "response" | "event";
  /** Name of the request or event; for a response, the name of its request. */
  readonly name: string;
  readonly message?: object;
  /** The message in its sender's notation, if the notation is not JSON. */
  readonly text?: string;
}

/** A request with its response and the messages after it, or an event. */
export type Example = readonly ExampleStep[];

/** Examples of a protocol, from recorded sessions. */
export interface Examples {
  /** The programs in the sessions, such as `real adapters`. */
  readonly programs: string;
  /** Examples by message, such as `request next`. */
  readonly byMessage: Readonly<Record<string, Example>>;
}

/** A message of an example. Messages that only show the order have no content. */
export interface ExampleStep {
  /** Role that sent it. */
  readonly from: string;
  readonly kind: "request" | "response" | "event";
  /** Name of the request or event; of a response, that of its request. */
  readonly name: string;
  readonly message?: object;
}

/** A request with its response and what followed, or an event, from a recorded session. */
export type Example = readonly ExampleStep[];

/** Examples by message, such as `request next`. */
export type Examples = Readonly<Record<string, Example>>;

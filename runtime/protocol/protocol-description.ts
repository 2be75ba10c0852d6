/**
 * How messages are delimited in a byte stream.
 *
 * - `content-length`: a header with the length precedes each message
 * - `lines`: one message per line
 * - `nul`: each message ends with a zero byte; over a WebSocket, each message is one frame
 * - `decimal-nul`: the number of bytes in decimal, a zero byte, the message, and another zero byte
 * - `uint32-be`, `uint32-le`, `uint64-be`, `uint64-le`: the number of bytes precedes each message,
 *   as a 4- or 8-byte binary number in big-endian (`be`) or little-endian (`le`) order
 * - `xml-concat`: consecutive XML documents
 */
export type Framing = JsonFraming | "xml-concat";

/** How JSON messages are delimited in a byte stream. */
export type JsonFraming = "content-length" | "lines" | "nul" | LengthPrefix;

/** How messages are delimited when a length precedes them. */
export type LengthPrefix = "decimal-nul" | "uint32-be" | "uint32-le" | "uint64-be" | "uint64-le";

/**
 * Conditions on top-level fields. A field must equal the given string, be present (true), or be
 * absent (false).
 */
export type WhenTable = { readonly [field: string]: string | boolean };

export interface NamedArmTable {
  readonly when: WhenTable;
  /** Field that holds the message's name. */
  readonly name: string;
  /** Field that holds the message's parameters. */
  readonly payload: string;
}

export interface ResponseArmTable {
  readonly when: WhenTable;
  /** Field that repeats the request's name; absent if responses carry no name. */
  readonly name?: string;
  /**
   * Boolean field that distinguishes success from failure. If absent, any response with the error
   * field is a failure.
   */
  readonly success?: string;
  readonly result: string;
  readonly error: string;
  /** Field that holds a short error message. */
  readonly errorText?: string;
}

/** The top-level fields that hold the parts of a message, for protocols without ids. */
export interface NamedEnvelopeTable {
  /** Fields that have the same value in every message. */
  readonly constants: { readonly [field: string]: string };
  readonly request: NamedArmTable;
  readonly event: NamedArmTable;
}

/** The top-level fields that hold the parts of a message. */
export interface EnvelopeTable extends NamedEnvelopeTable {
  readonly id: string;
  readonly replyTo: string;
  /** Other fields that any message may have. A response repeats the values from its request. */
  readonly fields?: readonly string[];
  readonly response: ResponseArmTable;
}

/** The parts of a protocol that generic code depends on. */
export interface ProtocolDescription {
  readonly name: string;
  readonly version: string;
  /** The two roles, starting with the one that opens the conversation. */
  readonly roles: readonly [string, string];
  readonly envelope: EnvelopeTable | NamedEnvelopeTable;
  /** Framing used by each role. */
  readonly framing: { readonly [role: string]: Framing };
  /** Known deviations of actual programs from the protocol, by name. */
  readonly dialects: { readonly [name: string]: DialectTable };
  /** How requests are cancelled and refused, and how each side announces its capabilities. */
  readonly conversation?: ConversationTable;
}

/** A protocol whose messages are JSON objects with ids. */
export interface JsonProtocolDescription extends ProtocolDescription {
  readonly envelope: EnvelopeTable;
  readonly framing: { readonly [role: string]: JsonFraming };
}

/** How a dialect deviates from its protocol. */
export interface DialectTable {
  readonly docs: string;
  /** Conversions for incoming messages. */
  readonly reads: readonly DialectSwitch[];
  /** Conversions for outgoing messages. */
  readonly writes: readonly DialectSwitch[];
  /** The dialect's envelope, if it differs from the protocol's. */
  readonly envelope?: EnvelopeTable;
  /** The error to use for a failure that does not contain one. */
  readonly unexplained?: { readonly [field: string]: unknown };
  /** Names of messages in this dialect, keyed by their names in the protocol. */
  readonly names?: { readonly [name: string]: string };
}

/**
 * One way in which a dialect differs.
 *
 * - `forgiving`: invalid values are ignored where the protocol allows it
 * - `ids-as-text`: the id in a response arrives as a string
 * - `ids-on-all-messages`: events and responses also have an id, which is 0
 * - `null-for-no-body`: an event without a payload carries null
 * - `names-in-any-case`: property names are case-insensitive, and so are the values that
 *   distinguish message kinds
 * - `null-for-absent`: null stands for an absent property
 * - `numbers-for-names`: enum values are written as numbers
 */
export type DialectSwitch =
  | "forgiving"
  | "ids-as-text"
  | "ids-on-all-messages"
  | "names-in-any-case"
  | "null-for-absent"
  | "null-for-no-body"
  | "numbers-for-names";

/** Whether a part of a message is never, sometimes or always present. */
export type Presence = "none" | "optional" | "required";

/** Facts about a message that are available at run time. */
export interface MessageFacts {
  readonly name: string;
  /** The role that sends the message, or `both`. */
  readonly sender: string;
  readonly direction: string;
  /** The capability that the receiver must have announced. */
  readonly capability: string | undefined;
  /** The message's group, if the protocol has groups. */
  readonly set?: string;
  /** Whether this is a request that never gets a response. */
  readonly unanswered?: true;
  readonly payload: Presence;
  /** Whether the response to a request has a result. Absent for events. */
  readonly result?: Presence;
}

/** Facts about the messages in a map, by name. */
export type MessageTable<Messages extends object> = {
  readonly [Name in keyof Messages]: MessageFacts & {
    readonly name: Name;
  } & Readonly<
      Pick<Messages[Name], ("sender" | "direction" | "capability") & keyof Messages[Name]>
    >;
};

/**
 * A row of a package's message table, with the sender, the payload and the result encoded as
 * numbers.
 */
type MessageRow = readonly [
  /** Index of the role, or 2 for both roles. */
  sender: number,
  /** Index into the array `none`, `optional`, `required`. */
  payload: number,
  /**
   * Name of the capability. 0 means none. 1 means the usual name: `supports`, the message name and
   * `Request`, as in `supportsCancelRequest`.
   */
  capability?: string | 0 | 1,
  /** For a request: index for the presence of its result, like `payload`. */
  result?: number | undefined,
  set?: string | undefined,
  /** Whether this is a request that never gets a response. */
  unanswered?: true,
];

/** The rows of a package's message table, by name. */
export type MessageRows<Messages extends object> = {
  readonly [Name in keyof Messages]: MessageRow;
};

const presences: readonly Presence[] = ["none", "optional", "required"];

/** Returns the usual name of a request's capability. */
export function usualCapability(name: string): string {
  return `supports${name.slice(0, 1).toUpperCase()}${name.slice(1)}Request`;
}

/** Converts the rows of a message table into facts about the messages. */
export function readMessageTable<Messages extends object>(
  roles: readonly [string, string],
  rows: { readonly [name: string]: MessageRow },
): MessageTable<Messages> {
  const entries = Object.entries(rows);
  const facts = entries.map(([name, [sender, payload, capability, result, set, unanswered]]) => {
    const from = roles[sender] ?? "both";
    const fact: MessageFacts = {
      name,
      sender: from,
      direction: from === "both" ? from : `${from}-to-${roles[1 - sender]!}`,
      capability: capability === 1 ? usualCapability(name) : capability || undefined,
      ...(set === undefined ? {} : { set }),
      ...(unanswered === undefined ? {} : { unanswered }),
      payload: presences[payload]!,
      ...(result === undefined ? {} : { result: presences[result]! }),
    };
    return [name, fact] as const;
  });
  return Object.fromEntries(facts) as unknown as MessageTable<Messages>;
}

/** How requests are cancelled and refused, and how each side announces its capabilities. */
export interface ConversationTable {
  readonly cancel?: {
    /**
     * Name of the request or event that cancels another request, and of the parameter that holds
     * that request's id.
     */
    readonly message: string;
    readonly id: string;
  };
  /** Event that a role sends after the response to the opening request. */
  readonly ready?: string;
  /**
   * Events by name, with the requests that delay them. While such a request is being handled, the
   * event is held back until the response.
   */
  readonly follows?: { readonly [event: string]: readonly string[] };
  /** Requests and events that resume the program. */
  readonly resumes?: readonly string[];
  readonly failures: {
    /** JSON Pointers to the error message, in order of preference. */
    readonly text: readonly string[];
    /**
     * JSON Pointer to the error message's variables, which are next to the first location of the
     * message.
     */
    readonly variables?: string;
    /** Response templates for requests that are unknown, have failed or were cancelled. */
    readonly unknown: FailureFields;
    readonly failed: FailureFields;
    /** Response template for requests with invalid parameters. Default: `failed`. */
    readonly invalid?: FailureFields;
    readonly cancelled: FailureFields;
  };
  /** How each role announces its capabilities. */
  readonly capabilities: {
    readonly [role: string]: {
      /** Request whose parameters or result contain the capabilities. */
      readonly request: string;
      readonly part: "payload" | "result";
      /**
       * Field that holds the capabilities. If absent, the parameters or the result are the
       * capabilities.
       */
      readonly field?: string;
      /** Event that updates the capabilities, and the parameter that holds the changes. */
      readonly update?: { readonly event: string; readonly field: string };
    };
  };
}

/** A template for a failure response, in whose strings `$name` and `$text` are replaced. */
export interface FailureFields {
  readonly [field: string]: unknown;
}

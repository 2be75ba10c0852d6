/**
 * How messages are delimited in a byte stream.
 *
 * - `content-length`: each is preceded by a header with its length
 * - `lines`: one message per line
 * - `nul`: each message ends with a zero byte. Over a WebSocket, each message is one frame.
 * - `decimal-nul`: the number of bytes in decimal, a zero byte, the message, and another zero byte
 * - `uint32-be`, `uint32-le`, `uint64-be`, `uint64-le`: the number of bytes precedes each message,
 *   as a binary number of 4 or 8 bytes, in big-endian (`be`) or little-endian (`le`) order
 * - `xml-concat`: consecutive XML documents
 */
export type Framing = JsonFraming | "xml-concat";

/** How JSON messages are delimited in a byte stream. */
export type JsonFraming = "content-length" | "lines" | "nul" | LengthPrefix;

/** How messages are delimited if a length precedes them. */
export type LengthPrefix = "decimal-nul" | "uint32-be" | "uint32-le" | "uint64-be" | "uint64-le";

/** Conditions on top-level fields: equal to a string, present (true) or absent (false). */
export type WhenTable = { readonly [field: string]: string | boolean };

export interface NamedArmTable {
  readonly when: WhenTable;
  /** Field that holds the name of the message. */
  readonly name: string;
  /** Field that holds its parameters. */
  readonly payload: string;
}

export interface ResponseArmTable {
  readonly when: WhenTable;
  /** Field that repeats the name of the request. Absent if responses have no name. */
  readonly name?: string;
  /**
   * Boolean field that distinguishes success from failure. If absent, a response with the error
   * field is a failure.
   */
  readonly success?: string;
  readonly result: string;
  readonly error: string;
  /** Field with a short error message. */
  readonly errorText?: string;
}

/** The top-level fields of the parts of a message, for protocols without ids. */
export interface NamedEnvelopeTable {
  /** Fields that have the same value in every message. */
  readonly constants: { readonly [field: string]: string };
  readonly request: NamedArmTable;
  readonly event: NamedArmTable;
}

/** The top-level fields of the parts of a message. */
export interface EnvelopeTable extends NamedEnvelopeTable {
  readonly id: string;
  readonly replyTo: string;
  /** Other fields that every message may have. A response repeats those of its request. */
  readonly fields?: readonly string[];
  readonly response: ResponseArmTable;
}

/** The facts about a protocol that generic code needs. */
export interface ProtocolDescription {
  readonly name: string;
  readonly version: string;
  /** The two sides. The first one starts the conversation. */
  readonly roles: readonly [string, string];
  readonly envelope: EnvelopeTable | NamedEnvelopeTable;
  /** Framing used by each role. */
  readonly framing: { readonly [role: string]: Framing };
  /** Known deviations of real programs from the protocol, by name. */
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
  /** The envelope of the dialect, if it differs. */
  readonly envelope?: EnvelopeTable;
  /** The error to use for a failure without one. */
  readonly unexplained?: { readonly [field: string]: unknown };
  /** Names of messages in this dialect. */
  readonly names?: { readonly [name: string]: string };
}

/**
 * One way in which a dialect differs.
 *
 * - `forgiving`: invalid values are ignored where the protocol allows it
 * - `ids-as-text`: the id in a response arrives as a string
 * - `ids-on-all-messages`: events and responses also have an id, which is 0
 * - `names-in-any-case`: property names are case-insensitive, and so are the values that
 *   distinguish kinds of messages
 * - `null-for-absent`: null stands for an absent property
 * - `numbers-for-names`: an enum value is written as its number
 */
export type DialectSwitch =
  | "forgiving"
  | "ids-as-text"
  | "ids-on-all-messages"
  | "names-in-any-case"
  | "null-for-absent"
  | "numbers-for-names";

/** Whether a part of a message is never, sometimes or always present. */
export type Presence = "none" | "optional" | "required";

/** The facts about a message at run time. */
export interface MessageFacts {
  readonly name: string;
  /** Role that sends it, or `both`. */
  readonly sender: string;
  readonly direction: string;
  /** Capability that the receiver must have announced. */
  readonly capability: string | undefined;
  /** Group that it belongs to, if the protocol has groups. */
  readonly set?: string;
  /** For requests: it has no response. */
  readonly unanswered?: true;
  readonly payload: Presence;
  /** For requests: its result. */
  readonly result?: Presence;
}

/** Facts about the messages of a map, by name. */
export type MessageTable<Messages extends object> = {
  readonly [Name in keyof Messages]: MessageFacts & {
    readonly name: Name;
  } & Readonly<
      Pick<Messages[Name], ("sender" | "direction" | "capability") & keyof Messages[Name]>
    >;
};

/** A message in a table of a package: sender, payload and result are numbers. */
export type MessageRow = readonly [
  /** Index in the roles, or 2 for both. */
  sender: number,
  /** Index in `none`, `optional`, `required`. */
  payload: number,
  /** 0: none. 1: `supports`, the name, `Request`, as in `supportsCancelRequest`. */
  capability?: string | 0 | 1,
  /** For requests, like `payload`. */
  result?: number | undefined,
  set?: string | undefined,
  /** For requests: it has no response. */
  unanswered?: true,
];

/** The messages of a map as a package lists them. */
export type MessageRows<Messages extends object> = {
  readonly [Name in keyof Messages]: MessageRow;
};

const presences: readonly Presence[] = ["none", "optional", "required"];

/** The name that most capabilities of requests have. */
export function usualCapability(name: string): string {
  return `supports${name.slice(0, 1).toUpperCase()}${name.slice(1)}Request`;
}

/** Writes the rows of a table out. */
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
    /** Request or event that cancels, and its parameter that holds the request id. */
    readonly message: string;
    readonly id: string;
  };
  /** Event that a role sends after the response to the opening request. */
  readonly ready?: string;
  /**
   * Events by name, with the requests that delay them: while such a request is being handled, the
   * event waits for the response.
   */
  readonly follows?: { readonly [event: string]: readonly string[] };
  /** Requests and events that resume the program. */
  readonly resumes?: readonly string[];
  readonly failures: {
    /** JSON Pointers to the error message, in order of preference. */
    readonly text: readonly string[];
    /** JSON Pointer to the variables of the error message, at the first of these places. */
    readonly variables?: string;
    /** Fields of the response to a request that is unknown, failed or was cancelled. */
    readonly unknown: FailureFields;
    readonly failed: FailureFields;
    readonly cancelled: FailureFields;
  };
  /** How each role announces its capabilities. */
  readonly capabilities: {
    readonly [role: string]: {
      /** Request whose parameters or result hold the capabilities. */
      readonly request: string;
      readonly part: "payload" | "result";
      /** Field of that part with the capabilities. Absent: the part itself contains them. */
      readonly field?: string;
      /** Event that updates them, and its parameter. */
      readonly update?: { readonly event: string; readonly field: string };
    };
  };
}

/** A template: `$name` and `$text` in its strings are replaced. */
export interface FailureFields {
  readonly [field: string]: unknown;
}

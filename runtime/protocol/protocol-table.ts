/**
 * How messages are cut out of a byte stream.
 *
 * - `content-length`: a header with the length in front of each
 * - `lines`: one on each line
 * - `xml-concat`: XML documents one behind the other
 */
export type Framing = "content-length" | "lines" | "xml-concat";

/** Conditions on top-level fields: equal to a text, present (true) or absent (false). */
export type WhenTable = { readonly [field: string]: string | boolean };

export interface NamedArmTable {
  readonly when: WhenTable;
  /** Field with the name of the message. */
  readonly name: string;
  /** Field with its parameters. */
  readonly payload: string;
}

export interface ResponseArmTable {
  readonly when: WhenTable;
  /** Field that repeats the name of the request. Absent: a response carries no name. */
  readonly name?: string;
  /** Boolean field that tells success from failure. Absent: a response with the error field is a failure. */
  readonly success?: string;
  readonly result: string;
  readonly error: string;
  /** Field with a short error text. */
  readonly errorText?: string;
}

/** Which top-level field of a message carries which part, where messages have no ids. */
export interface NamedEnvelopeTable {
  /** Fields with one value in every message. */
  readonly constants: { readonly [field: string]: string };
  readonly request: NamedArmTable;
  readonly event: NamedArmTable;
}

/** Which top-level field of a message carries which part. */
export interface EnvelopeTable extends NamedEnvelopeTable {
  readonly id: string;
  readonly replyTo: string;
  readonly response: ResponseArmTable;
}

/** What generic code needs to know about a protocol. */
export interface ProtocolTable {
  readonly name: string;
  readonly version: string;
  /** The two sides; the first one opens the conversation. */
  readonly roles: readonly [string, string];
  readonly envelope: EnvelopeTable | NamedEnvelopeTable;
  /** Framing of what each role sends. */
  readonly framing: { readonly [role: string]: Framing };
  /** Departures from the protocol that real programs make, by name. */
  readonly dialects: { readonly [name: string]: DialectTable };
  /** How requests are cancelled and refused, and where each side says what it can do. */
  readonly conversation?: ConversationTable;
}

/** A protocol whose messages are JSON objects with ids. */
export interface JsonProtocolTable extends ProtocolTable {
  readonly envelope: EnvelopeTable;
  readonly framing: { readonly [role: string]: "content-length" | "lines" };
}

/** How a dialect departs from its protocol. */
export interface DialectTable {
  readonly docs: string;
  /** What arrives is turned into what the protocol says. */
  readonly reads: readonly DialectSwitch[];
  /** What leaves is turned into what the dialect says. */
  readonly writes: readonly DialectSwitch[];
  /** How it spells a message, if otherwise. */
  readonly envelope?: EnvelopeTable;
  /** What stands for the error of a failure that gives none. */
  readonly unexplained?: { readonly [field: string]: unknown };
  /** Names of messages, as this dialect has them. */
  readonly names?: { readonly [name: string]: string };
}

/**
 * One thing that a dialect writes differently.
 *
 * - `forgiving`: values that the protocol lets a reader pass over
 * - `ids-as-text`: the number of an answered message comes as a text
 * - `names-in-any-case`: names of properties in any case
 * - `null-for-absent`: null for a property that is not there
 * - `numbers-for-names`: the number of a listed value instead of its name
 */
export type DialectSwitch =
  "forgiving" | "ids-as-text" | "names-in-any-case" | "null-for-absent" | "numbers-for-names";

/** Whether a part of a message is there: never, perhaps, or always. */
export type Presence = "none" | "optional" | "required";

/** What is known of a message at run time. */
export interface MessageFacts {
  readonly name: string;
  /** Role that sends it, or `both`. */
  readonly sender: string;
  readonly direction: string;
  /** Flag that the receiver must have announced. */
  readonly capability: string | undefined;
  /** Set that it belongs to, if the protocol has sets. */
  readonly set?: string;
  readonly payload: Presence;
  /** Of a request. */
  readonly result?: Presence;
}

/** Facts by message name. */
export type MessageTable<Name extends string> = {
  readonly [Each in Name]: MessageFacts & { readonly name: Each };
};

/** How requests are cancelled and refused, and where each side says what it can do. */
export interface ConversationTable {
  readonly cancel?: {
    /** Request or event that cancels, and its parameter with the number of the request. */
    readonly message: string;
    readonly id: string;
  };
  readonly failures: {
    /** Places of the text that says what went wrong, the best one first, by JSON Pointer. */
    readonly text: readonly string[];
    /** Place of the variables of the first of them. */
    readonly variables?: string;
    /** Fields of the response to a request that nobody handles, that failed, or that was cancelled. */
    readonly unknown: FailureFields;
    readonly failed: FailureFields;
    readonly cancelled: FailureFields;
  };
  /** Where each role announces its flags. */
  readonly capabilities: {
    readonly [role: string]: {
      /** Request whose parameters or result are the flags. */
      readonly request: string;
      readonly part: "payload" | "result";
      /** Event whose parameter changes them. */
      readonly update?: { readonly event: string; readonly field: string };
    };
  };
}

/** Fields with `$name` and `$text` in their texts. */
export interface FailureFields {
  readonly [field: string]: unknown;
}

import type {
  ConversationTable,
  DialectSwitch,
  DialectTable,
  Framing,
  NamedArmTable,
  ResponseArmTable,
  WhenTable,
} from "../../runtime/protocol/protocol-description.js";
import type { Configurations } from "./configurations.js";
import type { CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";
import type { CommandSpelling, ElementSpelling, Notation } from "./notation.js";
import type { Definition, Gate, Type } from "./types.js";

export type { DialectSwitch, Framing };

/**
 * One version of a protocol, as data for code generation and `diff`.
 *
 * Consists of plain, readonly data. Two models of the same schema are deeply equal.
 */
export interface Protocol {
  readonly kind: "protocol";
  readonly name: string;
  readonly title: string;
  /** Version of the schema, or `custom` if the source does not state one. */
  readonly version: string;
  readonly packageName: string;
  readonly packageVersion: string;
  /** The two sides. The first one opens the session. */
  readonly roles: readonly [string, string];
  readonly envelope: Envelope;
  readonly framing: Readonly<Record<string, Framing>>;
  /**
   * How messages that are not JSON are spelled, keyed by sender role. Absent if all messages are
   * JSON.
   */
  readonly notations?: Readonly<Record<string, Notation>>;
  /** How answers are matched to commands. Set only if messages have no ids. */
  readonly lanes?: Lanes;
  /**
   * How a session proceeds, and how requests are cancelled and refused. Absent if the description
   * does not state it.
   */
  readonly conversation?: Conversation;
  /** Requests that contain a launch configuration. */
  readonly configured?: readonly string[];
  /** The launch configurations of the adapter that the package was made for. */
  readonly configurations?: Configurations;
  /** All messages, in schema order. */
  readonly messages: readonly Message[];
  /** All definitions, in schema order. */
  readonly definitions: readonly Definition[];
  /** The base definitions that messages extend. */
  readonly bases: Bases;
  readonly capabilities: readonly RoleCapabilities[];
  /** Kinds of references, such as threads, sources and requests. */
  readonly references?: readonly ReferenceKind[];
  /**
   * Values to show in message summaries. The keys are `request NAME`, `success NAME` for responses,
   * and `event NAME`.
   */
  readonly summaries?: Readonly<Record<string, readonly SummaryPlace[]>>;
  readonly compatibility?: Compatibility;
  /**
   * Known differences between real programs and the protocol, by dialect. A dialect applies only if
   * requested.
   */
  readonly dialects: readonly Dialect[];
  /** Messages that every session needs. */
  readonly essential: readonly string[];
  /**
   * Facts that the source cannot state. Their absence therefore has no meaning. Undefined if the
   * source can state all facts.
   */
  readonly unstated?: readonly Fact[];
}

/**
 * A fact that some sources cannot state.
 *
 * - `integers`: whether a number is an integer
 * - `ranges`: bounds and formats of values
 * - `extras`: whether an object accepts other properties
 * - `docs`: documentation as in the schema
 * - `deprecation`: which parts are deprecated
 * - `discriminators`: the values that distinguish messages
 * - `open-values`: the known values of an open enum
 * - `gates`: the capabilities that messages require
 */
export type Fact =
  | "integers"
  | "ranges"
  | "extras"
  | "docs"
  | "deprecation"
  | "discriminators"
  | "open-values"
  | "gates";

export interface Dialect extends Omit<DialectTable, "envelope"> {
  readonly name: string;
  /** The dialect's envelope, if it differs from the protocol's. */
  readonly envelope?: Envelope;
  /** Elements that the dialect spells differently, keyed by definition. */
  readonly elements?: Readonly<Record<string, readonly ElementSpelling[]>>;
}

/**
 * The lanes of a protocol whose messages have no ids. Within a lane, answers arrive in the order of
 * the commands.
 */
export type Lanes = Omit<LaneTable, "commands">;

/** How a session proceeds, and how requests are cancelled and refused. */
export interface Conversation extends Pick<
  ConversationTable,
  "cancel" | "failures" | "ready" | "follows" | "resumes"
> {
  /** Request that opens the session. */
  readonly opening?: string;
  /** Other messages that may be sent before the response to that request. */
  readonly duringOpening?: readonly string[];
  /** Property of the response to that request that contains the session's protocol version. */
  readonly version?: string;
  /** Error codes by name. */
  readonly errorCodes?: Readonly<Record<string, number>>;
  /** Request whose response ends the session. */
  readonly closing?: string;
  /** Events that report that the program has stopped. */
  readonly stops?: readonly string[];
}

export type Message = RequestMessage | EventMessage;

/** A request and its response. */
export interface RequestMessage {
  readonly kind: "request";
  readonly name: string;
  /** Role that sends the request, or `both`. */
  readonly sender: string;
  /** Definition of the request on the wire. */
  readonly definition: string;
  /** Definition of the response on the wire. Absent if answers are separate messages. */
  readonly responseDefinition?: string;
  /** How the request is spelled on a line. Absent if it is JSON. */
  readonly spelling?: CommandSpelling;
  /** Which messages answer the request. Set only if messages have no ids. */
  readonly answers?: CommandAnswers;
  /** The request's command set, if the protocol has command sets. */
  readonly set?: string;
  readonly payload?: Payload;
  readonly result?: Payload;
  /** Whether the request has no response. */
  readonly unanswered?: true;
  /** Definition of partial results, which may be sent before the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
  readonly gate?: Gate;
  readonly senderGate?: Gate;
  readonly registration?: Registration;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly pointer?: string;
}

/** A message without a response. */
export interface EventMessage {
  readonly kind: "event";
  readonly name: string;
  readonly sender: string;
  readonly definition: string;
  readonly set?: string;
  readonly payload?: Payload;
  /** Capability that the receiver must have announced. */
  readonly gate?: Gate;
  /** Capability that the sender announces if it uses the message. */
  readonly senderGate?: Gate;
  readonly registration?: Registration;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly pointer?: string;
}

/**
 * How the receiver of a message can register for it later, instead of announcing a capability at
 * the start.
 */
export interface Registration {
  /** Name under which the message is registered, which is usually the message name. */
  readonly method: string;
  /** Definition of the registration options. */
  readonly options?: string;
}

/** The content of a message inside its envelope. */
export interface Payload {
  readonly type: Type;
  readonly required: boolean;
}

/**
 * How messages are represented as objects: which top-level field contains which part. If messages
 * have no ids, answers are events, and `response` is absent.
 */
export interface Envelope {
  readonly constants: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly idTypes: readonly ("integer" | "string" | "null")[];
  readonly replyTo?: string;
  /** The types that an id in a response may have, if they include more than those of other ids. */
  readonly replyTypes?: readonly ("integer" | "string" | "null")[];
  /** Other fields that every message may have. A response repeats the fields of its request. */
  readonly fields?: readonly string[];
  readonly request: NamedArm;
  readonly event: NamedArm;
  readonly response?: ResponseArm;
}

/**
 * Conditions on top-level fields. A field must equal the given string, be present (true), or be
 * absent (false).
 */
export type When = WhenTable;

export interface NamedArm extends NamedArmTable {
  readonly noun: string;
  /** The role that sends all messages of this kind, even undefined ones. */
  readonly sender?: string;
}

export type ResponseArm = ResponseArmTable;

/**
 * The definitions that all messages of each kind extend, and the definition of the failure
 * response.
 */
export interface Bases {
  readonly request: string;
  readonly event: string;
  readonly response?: string;
  readonly error?: string;
}

/** A kind of object that values in messages can refer to. */
export interface ReferenceKind {
  readonly name: string;
  readonly docs: string;
  /** The value that means "no reference". */
  readonly except?: string | number;
  /** Whether the reference becomes invalid when the program runs and stops again. */
  readonly expires?: true;
}

/** The location of a value to show in a message summary. */
export interface SummaryPlace {
  /** Label to print with the value. */
  readonly label?: string;
  /**
   * Paths from the payload to the value, as arrays of keys. `*` stands for every item of an array.
   * The first path that exists is used.
   */
  readonly paths: readonly (readonly string[])[];
}

/** The capabilities that a role can announce, which are the properties of a definition. */
export interface RoleCapabilities {
  readonly role: string;
  readonly definition: string;
  /** Name of the event that announces changes. */
  readonly update?: string;
  /**
   * How the role registers for messages later instead of announcing capabilities at the start, and
   * how it unregisters.
   */
  readonly register?: RegistrationRequest;
  readonly unregister?: RegistrationRequest;
  /**
   * Property inside a message's capability. The other role sets it to show that it accepts
   * registrations for the message.
   */
  readonly registrationConsent?: string;
}

/** A request that contains an array of registrations. */
export interface RegistrationRequest {
  readonly request: string;
  /** The request parameter that contains the array of registrations. */
  readonly each: string;
  /** The registration property that names the message. */
  readonly name: string;
}

/** A published package of declarations that users may be migrating from. */
export interface Compatibility {
  readonly namespace: string;
  readonly package: string;
  /**
   * A package that contains the same declarations and can be installed under the published name.
   * `file` is the path of its declarations.
   */
  readonly replacement?: { readonly name: string; readonly file: string };
}

import type {
  ConversationTable,
  DialectSwitch,
  DialectTable,
  Framing,
  NamedArmTable,
  ResponseArmTable,
  WhenTable,
} from "../../runtime/protocol/protocol-table.js";
import type { CommandAnswers, Lanes } from "./lanes.js";
import type { CommandSpelling, ElementSpelling, Notation } from "./notation.js";
import type { Definition, Gate, Type } from "./types.js";

export type { DialectSwitch, Framing };

/**
 * A protocol in one version: everything that emitters and the differ know about it.
 *
 * Plain, readonly data without identities: two models of the same schema are deeply equal.
 */
export interface Protocol {
  readonly kind: "protocol";
  readonly name: string;
  readonly title: string;
  /** Version of the schema, or `custom` where the source does not tell. */
  readonly version: string;
  readonly packageName: string;
  readonly packageVersion: string;
  /** The two sides; the first one opens the conversation. */
  readonly roles: readonly [string, string];
  readonly envelope: Envelope;
  readonly framing: Readonly<Record<string, Framing>>;
  /** How a role spells its messages, where that is not JSON. */
  readonly notations?: Readonly<Record<string, Notation>>;
  /** How answers find their commands where messages have no ids. */
  readonly lanes?: Lanes;
  /** How requests are cancelled and refused; absent where nobody says. */
  readonly conversation?: Conversation;
  /** In schema order. */
  readonly messages: readonly Message[];
  /** In schema order. */
  readonly definitions: readonly Definition[];
  /** Name of the definitions that play a part in every message. */
  readonly bases: Bases;
  readonly capabilities: readonly CapabilitySource[];
  /** What values can refer to: threads, sources, other requests. */
  readonly references?: readonly ReferenceKind[];
  readonly compatibility?: Compatibility;
  /** Departures from the protocol that real programs make; none applies unless asked for. */
  readonly dialects: readonly Dialect[];
  /** Hand-written modules that the package carries and exports besides what is generated. */
  readonly modules?: readonly Module[];
  /** Messages that a session cannot do without. */
  readonly essential: readonly string[];
  /** Facts of which the source says nothing, so that their absence means nothing. Absent: it could state all. */
  readonly unstated?: readonly Fact[];
}

/**
 * A fact that some sources cannot state.
 *
 * - `integers`: whether a number is an integer
 * - `ranges`: bounds and formats of values
 * - `extras`: whether an object takes further properties
 * - `docs`: texts as the schema has them
 * - `deprecation`: what is deprecated
 * - `discriminators`: the values by which messages are told apart
 * - `open-values`: the known values of a text that takes others too
 */
export type Fact =
  "integers" | "ranges" | "extras" | "docs" | "deprecation" | "discriminators" | "open-values";

/** A TypeScript file. */
export interface Module {
  /** Such as `bridge`. */
  readonly name: string;
  readonly text: string;
}

export interface Dialect extends Omit<DialectTable, "envelope"> {
  readonly name: string;
  /** How it spells a message, if otherwise. */
  readonly envelope?: Envelope;
  /** Elements that it spells differently, by definition. */
  readonly elements?: Readonly<Record<string, readonly ElementSpelling[]>>;
}

/** How requests are cancelled and refused. */
export interface Conversation extends Pick<ConversationTable, "cancel" | "failures"> {
  /** Request that opens it: before its response nothing else is said. */
  readonly opening?: string;
  /** Events that say that the program has stopped, and messages that let it run on. */
  readonly stops?: readonly string[];
  readonly resumes?: readonly string[];
}

export type Message = RequestMessage | EventMessage;

/** A request with its response. */
export interface RequestMessage {
  readonly kind: "request";
  readonly name: string;
  /** Role that sends the request, or `both`. */
  readonly sender: string;
  /** Definitions of the two wire messages. */
  readonly definition: string;
  /** Absent where answers are messages of their own. */
  readonly responseDefinition?: string;
  /** How it is spelled on a line, where that is not JSON. */
  readonly spelling?: CommandSpelling;
  /** Which messages answer it, where messages have no ids. */
  readonly answers?: CommandAnswers;
  /** Set that it belongs to, if the protocol has sets. */
  readonly set?: string;
  readonly payload?: Payload;
  readonly result?: Payload;
  readonly gate?: Gate;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly at?: string;
}

/** A message that nobody answers. */
export interface EventMessage {
  readonly kind: "event";
  readonly name: string;
  readonly sender: string;
  readonly definition: string;
  readonly set?: string;
  readonly payload?: Payload;
  readonly gate?: Gate;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly at?: string;
}

/** What a message carries besides its envelope. */
export interface Payload {
  readonly type: Type;
  readonly required: boolean;
}

/**
 * How a message is spelled as an object: which top-level field carries which part. Where messages have no ids,
 * answers are events, and there is no response.
 */
export interface Envelope {
  readonly constants: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly idTypes: readonly ("integer" | "string" | "null")[];
  readonly replyTo?: string;
  readonly request: NamedArm;
  readonly event: NamedArm;
  readonly response?: ResponseArm;
}

/** Fields that must have a text, be present (true) or be absent (false). */
export type When = WhenTable;

export interface NamedArm extends NamedArmTable {
  readonly noun: string;
}

export type ResponseArm = ResponseArmTable;

/** Definitions that every message of a kind extends, and the failure response. */
export interface Bases {
  readonly request: string;
  readonly event: string;
  readonly response?: string;
  readonly error?: string;
}

/** Something that values refer to. */
export interface ReferenceKind {
  readonly name: string;
  readonly docs: string;
  /** A value that refers to nothing. */
  readonly except?: string | number;
  /** It means nothing any more once the program has stopped again. */
  readonly expires?: true;
}

/** Where a role announces its flags. */
export interface CapabilitySource {
  readonly role: string;
  readonly definition: string;
  /** Event that announces changed flags. */
  readonly update?: string;
}

/** A published package of declarations that code may come from. */
export interface Compatibility {
  readonly namespace: string;
  readonly package: string;
  /** A package of the same declarations, to be installed under its name, and the path of its file there. */
  readonly replacement?: { readonly name: string; readonly file: string };
}

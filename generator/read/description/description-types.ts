import type { AnswerPattern } from "../../model/lanes.js";
import type {
  Compatibility,
  Conversation,
  DialectSwitch,
  Framing,
  ResponseArm,
  When,
} from "../../model/protocol.js";
import type { Json } from "../../model/types.js";
import type { ForgivingKeywords } from "../schema/schema-file.js";

/** A checked `protocol.json`. Its JSON Schema, `schema/protocol.schema.json`, documents each part. */
export interface Description {
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion?: string;
  readonly roles: readonly [string, string];
  readonly schema: {
    readonly format: "json-schema";
    readonly current: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly annotations?: readonly string[];
    readonly forgives?: ForgivingKeywords;
    /** `omit` leaves the texts of the schema out. */
    readonly texts?: "omit";
    /** Definitions that are of no use, such as the unions of all messages. */
    readonly omit?: readonly string[];
  };
  readonly messages: MessagesByInheritance | MessagesByTable | MessagesByMethod;
  readonly directions: {
    readonly requests: string;
    readonly events: string;
    readonly exceptions?: Readonly<Record<string, string>>;
  };
  readonly envelope: DescribedEnvelope;
  readonly framing: Readonly<Record<string, Framing>>;
  readonly notation?: Readonly<Record<string, DescribedNotation>>;
  readonly lanes?: DescribedLanes;
  readonly conversation?: Conversation;
  readonly references?: Readonly<Record<string, DescribedReference>>;
  /** TypeScript files that the package carries and exports, relative to this description. */
  readonly include?: readonly string[];
  readonly capabilities?: Readonly<
    Record<string, { readonly type: string; readonly update?: string }>
  >;
  readonly gates?: Gates;
  readonly defaults?: Readonly<Record<string, Json>>;
  readonly extensible?: readonly string[];
  readonly essential?: readonly string[];
  readonly compatibility?: Compatibility;
  readonly dialects?: Readonly<Record<string, DescribedDialect>>;
}

export interface DescribedEnvelope {
  readonly constants?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  readonly replyTo?: string;
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: ResponseArm;
}

/** How a role spells its messages, where that is not JSON. */
export type DescribedNotation =
  | { readonly kind: "command-line"; readonly refuses?: readonly string[] }
  | {
      readonly kind: "xml-element";
      readonly text?: string;
      readonly elements: ElementTemplates;
    };

/** Templates by definition. */
export type ElementTemplates = Readonly<Record<string, string | readonly string[]>>;

export interface DescribedLanes {
  readonly lanes: Readonly<
    Record<string, { readonly docs: string; readonly waits: boolean; readonly separator?: string }>
  >;
  readonly stops?: readonly string[];
  readonly notes?: readonly AnswerPattern[];
  readonly breakdown?: AnswerPattern;
  readonly unknown?: AnswerPattern & { readonly lane?: string };
}

/** Where something is referred to. */
export interface DescribedReference {
  readonly docs: string;
  /** Properties of that name, wherever they stand. */
  readonly properties?: readonly string[];
  /** Single properties, written `Definition/property`. */
  readonly places?: readonly string[];
  /** Definitions whose objects stand for it. */
  readonly definitions?: readonly string[];
  readonly except?: string | number;
  readonly expires?: true;
}

/** How a command is spelled on its line. */
export interface DescribedLine {
  readonly words: readonly string[];
  readonly arguments?: string;
  readonly anyCase?: true;
  readonly refuses?: readonly string[];
}

/** How a command is answered, where messages have no ids. */
export interface DescribedAnswers {
  readonly lane: string;
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  readonly each?: string;
  readonly silentWith?: Readonly<Record<string, Json>>;
  readonly silentWithout?: string;
  readonly isText?: true;
  readonly resumes?: true;
}

export interface DescribedDialect {
  readonly docs: string;
  readonly reads?: readonly DialectSwitch[];
  readonly writes?: readonly DialectSwitch[];
  readonly envelope?: DescribedEnvelope;
  readonly unexplained?: Readonly<Record<string, Json>>;
  /** Names of messages, as this dialect has them. */
  readonly names?: Readonly<Record<string, string>>;
  /** Elements that it spells differently. */
  readonly elements?: ElementTemplates;
}

export interface DescribedArm {
  readonly noun?: string;
  readonly when: When;
  readonly name: string;
  readonly payload: string;
}

export interface MessagesByInheritance {
  readonly by: "inheritance";
  readonly root: string;
  readonly request: string;
  readonly event: string;
  readonly response: string;
  readonly error: string;
  readonly pair: { readonly request: string; readonly response: string };
}

export interface MessagesByTable {
  readonly by: "table";
  readonly error?: string;
  /** What each set of messages is, by its name. */
  readonly sets?: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, DescribedRequest>>;
  readonly events: Readonly<Record<string, DescribedEvent>>;
}

/** Messages are the definitions that name a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keywords of the schema: the method, and the side. */
  readonly method: string;
  readonly side: string;
  /** Who sends what a side handles. */
  readonly senders: Readonly<Record<string, string>>;
  readonly error?: string;
  /** How definitions are called, and how their payloads are to be called. */
  readonly rename: Readonly<
    Record<"request" | "response" | "event", { readonly from: string; readonly to: string }>
  >;
  /** What each method is about, in words. */
  readonly docs: Readonly<Record<string, string>>;
}

/** A description that adds to another one. */
export interface Extension {
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion: string;
  /** Description to add to, relative to this one. */
  readonly extends: string;
  /** Overlays with what is added, relative to this description. */
  readonly overlays: readonly string[];
  /** TypeScript files that the package carries and exports, relative to this description. */
  readonly include?: readonly string[];
  readonly dialects?: Readonly<Record<string, DescribedDialect>>;
}

export interface DescribedRequest extends DescribedEvent {
  readonly result?: string;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}

export interface DescribedEvent {
  readonly docs: string;
  /** Name of a definition; `?` at the end makes the payload optional. */
  readonly params?: string;
  readonly deprecated?: string;
  readonly set?: string;
}

/** Flags by message name and by property address, written `role.flag`. */
export interface Gates {
  readonly messages?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
}

/** A checked overlay: definitions and the parts of a description that belong to them. */
export interface Overlay {
  readonly definitions?: Readonly<Record<string, Json>>;
  readonly directions?: { readonly exceptions?: Readonly<Record<string, string>> };
  readonly messages?: {
    readonly requests?: Readonly<Record<string, DescribedRequest>>;
    readonly events?: Readonly<Record<string, DescribedEvent>>;
  };
  readonly gates?: Gates;
  readonly defaults?: Readonly<Record<string, Json>>;
  readonly extensible?: readonly string[];
}

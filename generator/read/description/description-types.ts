// Generated from schema/protocol.schema.json, extension.schema.json and overlay.schema.json. Do not edit: run `npm run
// generate:description`.

import type { Json } from "../../model/types.js";

export type DescribedNotation = CommandLines | XmlElements;

/** Everything about a protocol that its message schema does not say: who speaks, how messages are spelled and framed, which way each travels, and what each side must have announced. */
export interface Description {
  readonly $schema?: string;
  /** Name of the protocol and of its folder. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Whether it is meant where no protocol is named; of the bundled ones, one is. */
  readonly default?: boolean;
  /** Name of the npm package that is generated. */
  readonly package: string;
  /** Version of that package. Default: the version of the schema. */
  readonly packageVersion?: string;
  /**
   * The two sides; the first one opens the conversation.
   *
   * @minItems 2
   * @maxItems 2
   */
  readonly roles: readonly [string, string];
  /** Where the types are. */
  readonly schema: {
    /** Schema language. */
    readonly format: "json-schema";
    /** The version that is generated unless another one is asked for. */
    readonly current: string;
    /** File of each version, relative to this description. */
    readonly versions: {
      readonly [k: string]: string;
    };
    /** Keywords of the schema that carry no structure and are passed over. */
    readonly annotations?: readonly string[];
    /** Keywords of properties in which a forgiving reader goes on with something else: `errors` with the default or nothing where a value is wrong, `items` without the wrong items of a list, `nulls` with the default or nothing instead of null. */
    readonly forgives?: {
      readonly errors?: string;
      readonly items?: string;
      readonly nulls?: string;
    };
    /** `omit` leaves the texts of the schema out. */
    readonly texts?: "omit";
    /** Definitions that are of no use, such as the unions of all messages. */
    readonly omit?: readonly string[];
  };
  /** How messages are found. */
  readonly messages: MessagesByInheritance | MessagesByTable | MessagesByMethod;
  /** Which role sends what. `both` means either. */
  readonly directions: {
    /** Sender of requests that are not listed. */
    readonly requests: string;
    /** Sender of events that are not listed. */
    readonly events: string;
    readonly exceptions?: Senders;
  };
  readonly envelope: DescribedEnvelope;
  /** How messages are cut out of the byte stream, by sending role. */
  readonly framing: {
    readonly [k: string]: "content-length" | "lines" | "xml-concat";
  };
  /** How a role spells its messages, where that is not JSON. */
  readonly notation?: {
    readonly [k: string]: DescribedNotation;
  };
  readonly lanes?: DescribedLanes;
  /** How requests are cancelled and refused. With it, the package has typed connections. */
  readonly conversation?: {
    /** Request that opens it: before its response nothing else is said. */
    readonly opening?: string;
    /** Events that say that the program has stopped. */
    readonly stops?: readonly string[];
    /** Requests and events that let it run on. */
    readonly resumes?: readonly string[];
    readonly cancel?: {
      /** Request or event that cancels a request. */
      readonly message: string;
      /** Its parameter with the number of the request. */
      readonly id: string;
    };
    readonly failures: {
      /** Places of the text that says what went wrong, the best one first, by JSON Pointer into the response. */
      readonly text: readonly string[];
      /** Place of the variables of the first of these texts. */
      readonly variables?: string;
      /** Fields of the response to a request that nobody handles. `$name` in a text is the request, `$text` the reason. */
      readonly unknown: {
        readonly [k: string]: Json;
      };
      /** Fields of the response to a request that failed. */
      readonly failed: {
        readonly [k: string]: Json;
      };
      /** Fields of the response to a request that was cancelled. */
      readonly cancelled: {
        readonly [k: string]: Json;
      };
    };
  };
  /** What values refer to, by its name. With it, the package has visitors of these values. */
  readonly references?: {
    readonly [k: string]: DescribedReference;
  };
  /** Where each role announces what it can do. */
  readonly capabilities?: {
    readonly [k: string]: {
      /** Definition that holds the flags. */
      readonly type: string;
      /** Event that announces changed flags. */
      readonly update?: string;
    };
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Definitions to which implementations add properties of their own. */
  readonly extensible?: readonly string[];
  /** Messages without which a session cannot go on: removing one breaks peers, whatever they ignore. */
  readonly essential?: readonly string[];
  /** A published package of declarations that code may come from: the same names are generated in a namespace of that name. */
  readonly compatibility?: {
    readonly namespace: string;
    readonly package: string;
    /** A package of the same declarations alone, to be installed under the name of the published one. */
    readonly replacement?: {
      readonly name: string;
      /** Where the published package has its declarations, without an extension: people import that path, too. */
      readonly file: string;
    };
  };
  /** TypeScript files of one's own that the package carries and exports, relative to this file; one that imports `node:` modules is exported from `./node`. */
  readonly include?: readonly string[];
  /** Named departures from the protocol that real programs make. All are off unless asked for. */
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
/** Messages are the definitions that extend a base; each pins its name with a single-valued enum. */
export interface MessagesByInheritance {
  readonly by: "inheritance";
  /** Definition at the root of all messages. */
  readonly root: string;
  /** Base of requests. */
  readonly request: string;
  /** Base of events. */
  readonly event: string;
  /** Base of responses. */
  readonly response: string;
  /** Definition of the failure response. */
  readonly error: string;
  /** Names of a request and its response, `*` standing for the part they share. */
  readonly pair: {
    readonly request: string;
    readonly response: string;
  };
}
/** Messages are listed here; the schema holds only the types of their payloads. */
export interface MessagesByTable {
  readonly by: "table";
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Sets that messages belong to, with what they are; a message names its set. */
  readonly sets?: {
    readonly [k: string]: string;
  };
  readonly requests: RequestTable;
  readonly events: EventTable;
}
export interface RequestTable {
  readonly [k: string]: DescribedRequest;
}
export interface DescribedRequest {
  readonly docs: string;
  /** Definition of the payload; a question mark at the end makes it optional. */
  readonly params?: string;
  /** Definition of the payload; a question mark at the end makes it optional. */
  readonly result?: string;
  readonly deprecated?: string;
  /** Set that the message belongs to. */
  readonly set?: string;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}
/** How a command is spelled. In templates, `{name}` or `{name:form}` is a field, and `(...)?` is there only with all its fields. */
export interface DescribedLine {
  /** What the command can begin with; the first one, with all its optional parts, is written. */
  readonly words: readonly string[];
  /** Template of what follows. A text field has the form `word` if it has no blanks, `place` if it has none at its end, `code` if its line ends are escaped. */
  readonly arguments?: string;
  /** Whether upper and lower case are the same in its words. */
  readonly anyCase?: true;
  /** Texts with which the other side cannot cope in this command. */
  readonly refuses?: readonly string[];
}
/** How a command is answered. */
export interface DescribedAnswers {
  readonly lane: string;
  /** Messages that say that it was carried out. None: nothing does. */
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  /** Argument with a list: an answer comes for each of its items. */
  readonly each?: string;
  /** Arguments with which no answer comes. */
  readonly silentWith?: {
    readonly [k: string]: Json;
  };
  /** Argument without which no answer comes. */
  readonly silentWithout?: string;
  /** Answered by text of any length. */
  readonly isText?: true;
  /** Lets the program run on. */
  readonly resumes?: true;
}
/** A message by its name, and by how its text begins or what a part of its body is. */
export interface AnswerPattern {
  readonly name: string;
  readonly begins?: readonly string[];
  /** Values by JSON Pointer into the body. */
  readonly where?: {
    readonly [k: string]: Json;
  };
  /** JSON Pointer of the text in the body. Default: /text. */
  readonly says?: string;
  readonly lane?: string;
}
export interface EventTable {
  readonly [k: string]: DescribedEvent;
}
export interface DescribedEvent {
  readonly docs: string;
  /** Definition of the payload; a question mark at the end makes it optional. */
  readonly params?: string;
  readonly deprecated?: string;
  /** Set that the message belongs to. */
  readonly set?: string;
}
/** Messages are the definitions that name a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keyword with the method. */
  readonly method: string;
  /** Keyword with the side that handles it. */
  readonly side: string;
  /** Who sends what a side handles. */
  readonly senders: {
    readonly [k: string]: string;
  };
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** How definitions are called, and how their payloads are to be called; `*` stands for the rest of the name. */
  readonly rename: {
    readonly request: Renaming;
    readonly response: Renaming;
    readonly event: Renaming;
  };
  /** What each method is about. */
  readonly docs: {
    readonly [k: string]: string;
  };
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
/** Sender of single messages, by name: reverse requests, for example. */
export interface Senders {
  readonly [k: string]: string;
}
/** How a message is spelled as an object: the top-level fields that carry its parts. */
export interface DescribedEnvelope {
  /** Fields with one fixed value in every message. */
  readonly constants?: {
    readonly [k: string]: string;
  };
  /** Field with the number of the message. Where messages have none, answers are events, and `lanes` say which command they answer. */
  readonly id?: string;
  /** What an id may be. Default: integer. */
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  /** Field of a response with the id of its request. */
  readonly replyTo?: string;
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    /** Field that repeats the name of the request, if there is one. */
    readonly name?: string;
    /** Boolean field that tells success from failure. Without it, a response with the error field is a failure. */
    readonly success?: string;
    /** Field with the result. */
    readonly result: string;
    /** Field with the error. May be the same as the one with the result. */
    readonly error: string;
    /** Field with a short error text. */
    readonly errorText?: string;
  };
}
export interface DescribedArm {
  /** What the protocol calls this kind, if not by the usual word. */
  readonly noun?: "notification" | "command" | "element";
  readonly when: When;
  /** Field with the name of the message. */
  readonly name: string;
  /** Field with the parameters. */
  readonly payload: string;
}
/** How to recognise the kind: each field must have the given text, be present (true) or be absent (false). */
export interface When {
  readonly [k: string]: string | boolean;
}
/** A command on each line. Each message has its spelling in `line`. */
export interface CommandLines {
  readonly kind: "command-line";
  /** Texts with which the other side cannot cope in a line that is no known command. */
  readonly refuses?: readonly string[];
}
/** XML elements, one document behind the other. */
export interface XmlElements {
  readonly kind: "xml-element";
  /** Message that stands for text between elements. Its definition has one field. */
  readonly text?: string;
  readonly elements: ElementTemplates;
}
/** How each definition is spelled. Of several templates the first one is written whose fields are all there. `{name}` is a field, `{name:raw}` one that is not escaped, `(...)?` is there only with all its fields. */
export interface ElementTemplates {
  readonly [k: string]: string | readonly string[];
}
/** Where messages have no ids: lanes in which answers keep the order of their commands. */
export interface DescribedLanes {
  readonly lanes: {
    readonly [k: string]: {
      readonly docs: string;
      /** Whether its commands wait while the program runs. */
      readonly waits: boolean;
      /** What separates several commands of it on one line; with a backslash in front it does not. */
      readonly separator?: string;
    };
  };
  /** Messages that come without being asked for, when the program stops. */
  readonly stops?: readonly string[];
  /** Messages that belong to nothing. */
  readonly notes?: readonly AnswerPattern[];
  readonly breakdown?: AnswerPattern1;
  readonly unknown?: AnswerPattern2;
}
/** A message by its name, and by how its text begins or what a part of its body is. */
export interface AnswerPattern1 {
  readonly name: string;
  readonly begins?: readonly string[];
  /** Values by JSON Pointer into the body. */
  readonly where?: {
    readonly [k: string]: Json;
  };
  /** JSON Pointer of the text in the body. Default: /text. */
  readonly says?: string;
  readonly lane?: string;
}
/** A message by its name, and by how its text begins or what a part of its body is. */
export interface AnswerPattern2 {
  readonly name: string;
  readonly begins?: readonly string[];
  /** Values by JSON Pointer into the body. */
  readonly where?: {
    readonly [k: string]: Json;
  };
  /** JSON Pointer of the text in the body. Default: /text. */
  readonly says?: string;
  readonly lane?: string;
}
export interface DescribedReference {
  readonly docs: string;
  /** Properties of that name, wherever they stand. */
  readonly properties?: readonly string[];
  /** Single properties, written `Definition/property`. */
  readonly places?: readonly string[];
  /** Definitions whose objects stand for it. */
  readonly definitions?: readonly string[];
  /** A value that refers to nothing. */
  readonly except?: string | number;
  /** It means nothing any more once the program has stopped again. */
  readonly expires?: true;
}
/** What may be used only if a role has announced a flag, written `role.flag`. */
export interface Gates {
  /** Flag by message name. */
  readonly messages?: {
    readonly [k: string]: string;
  };
  /** Flag by property, written `Definition/property`. */
  readonly properties?: {
    readonly [k: string]: string;
  };
}
/** What an absent property means, by property, written `Definition/property`. */
export interface Defaults {
  readonly [k: string]: string | number | boolean | null;
}
export interface DescribedDialect {
  readonly docs: string;
  /** What is made of values that arrive: what this dialect writes differently is turned into what the protocol says. */
  readonly reads?: readonly (
    "forgiving" | "ids-as-text" | "names-in-any-case" | "null-for-absent" | "numbers-for-names"
  )[];
  /** What is done to values that leave. */
  readonly writes?: readonly "numbers-for-names"[];
  readonly envelope?: DescribedEnvelope1;
  /** What stands for the error of a failure that gives none. */
  readonly unexplained?: {
    readonly [k: string]: Json;
  };
  /** Names of messages, as this dialect has them. */
  readonly names?: {
    readonly [k: string]: string;
  };
  readonly elements?: ElementTemplates1;
}
/** How a message is spelled as an object: the top-level fields that carry its parts. */
export interface DescribedEnvelope1 {
  /** Fields with one fixed value in every message. */
  readonly constants?: {
    readonly [k: string]: string;
  };
  /** Field with the number of the message. Where messages have none, answers are events, and `lanes` say which command they answer. */
  readonly id?: string;
  /** What an id may be. Default: integer. */
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  /** Field of a response with the id of its request. */
  readonly replyTo?: string;
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    /** Field that repeats the name of the request, if there is one. */
    readonly name?: string;
    /** Boolean field that tells success from failure. Without it, a response with the error field is a failure. */
    readonly success?: string;
    /** Field with the result. */
    readonly result: string;
    /** Field with the error. May be the same as the one with the result. */
    readonly error: string;
    /** Field with a short error text. */
    readonly errorText?: string;
  };
}
/** How each definition is spelled. Of several templates the first one is written whose fields are all there. `{name}` is a field, `{name:raw}` one that is not escaped, `(...)?` is there only with all its fields. */
export interface ElementTemplates1 {
  readonly [k: string]: string | readonly string[];
}
export interface Extension {
  readonly $schema?: string;
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion: string;
  /** Folder or protocol.json of the protocol to add to, relative to this file. */
  readonly extends: string;
  /** Overlays with what is added, relative to this file. */
  readonly overlays: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
  /** TypeScript files of one's own that the package carries and exports, relative to this file; one that imports `node:` modules is exported from `./node`. */
  readonly include?: readonly string[];
}
/** Additions of an implementation to a protocol: new definitions in the language of its schema, further properties of existing ones, and what the protocol's description would say about them. */
export interface Overlay {
  readonly $schema?: string;
  /** New definitions, and existing ones with just what is added to them. */
  readonly definitions?: {
    readonly [k: string]: {
      readonly [k: string]: Json;
    };
  };
  readonly directions?: {
    readonly exceptions?: Senders;
  };
  /** Further messages of a protocol that lists its messages. */
  readonly messages?: {
    readonly requests?: RequestTable;
    readonly events?: EventTable;
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Definitions to which implementations add properties of their own. */
  readonly extensible?: readonly string[];
}

// Generated from schema/protocol.schema.json, extension.schema.json and overlay.schema.json. Do not edit: run `npm run
// generate:description`.

import type { Json } from "../../model/types.js";

export type DescribedNotation = CommandLines | XmlElements | CommandOptions | XMLDocuments;

/** Everything about a protocol that its message schema does not define: roles, envelope, framing, the direction of each message, and required capabilities. */
export interface Description {
  readonly $schema?: string;
  /** Name of the protocol and of its folder. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Whether this is the protocol to use if none is named. Exactly one bundled protocol has it. */
  readonly default?: boolean;
  /** Name of the npm package that is generated. */
  readonly package: string;
  /** Version of that package. Default: the version of the schema. */
  readonly packageVersion?: string;
  /**
   * The two sides. The first one starts the conversation.
   *
   * @minItems 2
   * @maxItems 2
   *
   * Items: Lower-case words with hyphens between them.
   */
  readonly roles: readonly [string, string];
  /** The files with the types. */
  readonly schema: {
    /** Schema language: `json-schema`, `lsp-metamodel`, `cdp`, or a module that reads another one, as a path relative to this description. */
    readonly format: string;
    /** The version to generate by default. */
    readonly current?: string;
    /** File of each version, relative to this description, or several that belong together. Without versions, the user gives the schema. */
    readonly versions?: {
      readonly [k: string]: string | readonly string[];
    };
    /** Where users get the schema, if it does not come with the description. */
    readonly obtain?: string;
    /** File with the older versions, relative to this description. It holds the differences of each version from the next one. See history.schema.json. */
    readonly history?: string;
    /** Keywords of the schema that are annotations and can be ignored. */
    readonly annotations?: readonly string[];
    /** `any` reads `oneOf` as `anyOf`, for schemas whose alternatives overlap. By default, exactly one of them must hold. */
    readonly oneOf?: "one" | "any";
    /** With `exact`, keywords about properties or items in a schema without `type` apply only to objects or lists, and values of other types are valid. By default, such a schema accepts only objects or lists. */
    readonly untyped?: "meant" | "exact";
    /** Whether texts must have the form that `format` names: date, time, date-time, email, hostname, ipv4, uri, uri-reference, uuid or json-pointer. By default, `format` is only an annotation. */
    readonly formats?: boolean;
    /** Keywords of properties whose invalid values a forgiving reader ignores: `errors` replaces an invalid value by the default or drops it, `items` drops invalid list items, `nulls` treats null like an invalid value. */
    readonly forgives?: {
      readonly errors?: string;
      readonly items?: string;
      readonly nulls?: string;
    };
    /** `omit` drops the descriptions in the schema. */
    readonly texts?: "omit";
    /** Definitions to ignore, such as unions of all messages. Definitions that lead only to these are ignored, too. */
    readonly omit?: readonly string[];
  };
  /** How messages are found. */
  readonly messages:
    MessagesByInheritance | MessagesByTable | MessagesByMethod | MessagesByConst | MessagesByFormat;
  /** The sender of each message. `both` means either role. */
  readonly directions: {
    /** Sender of requests that are not listed. */
    readonly requests: string;
    /** Sender of events that are not listed. */
    readonly events: string;
    readonly exceptions?: Senders;
  };
  readonly envelope: DescribedEnvelope;
  /** How messages are delimited in the byte stream, by sending role. */
  readonly framing: {
    readonly [k: string]:
      | "content-length"
      | "lines"
      | "nul"
      | "decimal-nul"
      | "uint32-be"
      | "uint32-le"
      | "uint64-be"
      | "uint64-le"
      | "xml-concat";
  };
  /** The notation of a role's messages, if they are not JSON. */
  readonly notation?: {
    readonly [k: string]: DescribedNotation;
  };
  readonly lanes?: DescribedLanes;
  /** Requests that carry a configuration that users write, such as a launch.json. Their arguments can be read from the package.json of an extension. */
  readonly configured?: readonly string[];
  /** How requests are cancelled and refused. With it, the package has typed connections. */
  readonly conversation?: {
    /** The opening request. Before its response, only the messages of `duringOpening` are sent. */
    readonly opening?: string;
    /** Messages that may be sent before the response to the opening request. Default: none. */
    readonly duringOpening?: readonly string[];
    /** The request whose response ends the session. */
    readonly closing?: string;
    /** Events that report that the program has stopped. */
    readonly stops?: readonly string[];
    /** Requests and events that resume the program. */
    readonly resumes?: readonly string[];
    /** Event that follows the response to the opening request. */
    readonly ready?: string;
    /** Events that are sent only after the responses to these requests, if they are being handled. */
    readonly follows?: {
      readonly [k: string]: readonly string[];
    };
    /** Numbers of errors by name. They become the constant `errorCodes`. */
    readonly errorCodes?: {
      readonly [k: string]: number;
    };
    readonly cancel?: {
      /** Request or event that cancels a request. */
      readonly message: string;
      /** Parameter of the message that holds the request id. */
      readonly id: string;
    };
    readonly failures: {
      /** JSON Pointers to the error message in the response, in order of preference. */
      readonly text: readonly string[];
      /** JSON Pointer to the variables of the error message, at the first of these places. */
      readonly variables?: string;
      /** Fields of the response to an unknown request. `$name` in a string stands for the request, `$text` for the reason, `$role` for the side that answers. */
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
  /** Kinds of references, by name. With it, the package has visitors for referring values. */
  readonly references?: {
    readonly [k: string]: DescribedReference;
  };
  /** Where each role announces its capabilities. */
  readonly capabilities?: {
    readonly [k: string]: {
      /** Definition of the capabilities. */
      readonly type: string;
      /** Event that updates the capabilities. */
      readonly update?: string;
      /** How the role asks for messages later, instead of announcing capabilities. */
      readonly register?: RegistrationRequest;
      /** How the role withdraws registrations. */
      readonly unregister?: RegistrationRequest;
      /** Flag inside the capability of a message. With this flag, the other role accepts registrations of the message. */
      readonly registrationConsent?: string;
    };
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  readonly summaries?: Summaries;
  /** Definitions that implementations may extend with properties. */
  readonly extensible?: readonly string[];
  /** Messages that every session needs. Removing one breaks peers, however tolerant they are. */
  readonly essential?: readonly string[];
  /** A published package of type declarations. The generated package is compatible with it, and contains its names in a namespace. */
  readonly compatibility?: {
    readonly namespace: string;
    /** Name of an npm package. */
    readonly package: string;
    /** A package that contains only the same declarations. Users install it under the name of the published package. */
    readonly replacement?: {
      /** Name of an npm package. */
      readonly name: string;
      /** Path of the declarations in the published package, without an extension. Some programs import this path. */
      readonly file: string;
    };
  };
  /** Overlays that belong to the protocol, relative to this description: the parts that its schema leaves out. */
  readonly overlays?: readonly string[];
  readonly code?: Code;
  /** Named sets of deviations that real programs have from the protocol. All are off by default. */
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
/** Messages are the definitions that extend a base; each has its name as the only value of an enum. */
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
  /** Names of a request and its response. `*` stands for the part that they share. */
  readonly pair: {
    readonly request: string;
    readonly response: string;
  };
}
/** Messages are listed here. The schema defines only the types of their payloads. */
export interface MessagesByTable {
  readonly by: "table";
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Groups of messages, with descriptions. A message names its group. */
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
  /** Definition of the payload. A trailing question mark makes it optional. */
  readonly params?: string;
  /** Definition of the payload. A trailing question mark makes it optional. */
  readonly result?: string;
  /** Definition of the parts of a result that may be sent ahead of the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the definition of the message on the wire. Default: made from the name of the message. */
  readonly definition?: string;
  /** Name of the definition of the response on the wire. */
  readonly response?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
  /** The request has no response. It is sent with `notify`; `request` rejects it. */
  readonly unanswered?: true;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}
/** The receiver can ask for the message later, instead of announcing a capability at the start. */
export interface DescribedRegistration {
  /** Name under which it is registered. Default: that of the message. */
  readonly method?: string;
  /** Definition of the options of a registration. */
  readonly options?: string;
}
/** How a command is written. In templates, `{name}` or `{name:form}` is a field, and `(...)?` is written only if all its fields are present. */
export interface DescribedLine {
  /** The words that can start the command. The first one, with all its optional parts, is used for writing. */
  readonly words: readonly string[];
  /** Template of its arguments. A text field has the form `word` if it contains no spaces, `place` if it contains none after its last colon, dot or hash, `code` if its line ends are escaped, and `base64` if it is written in Base64. */
  readonly arguments?: string;
  /** Whether the words of the command are case-insensitive. */
  readonly anyCase?: true;
  /** Texts that the peer cannot handle in this command. */
  readonly refuses?: readonly string[];
}
/** How a command is answered. */
export interface DescribedAnswers {
  readonly lane: string;
  /** Messages that report success. Empty if nothing does. */
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  /** Argument that is a list: one answer arrives for each of its items. */
  readonly each?: string;
  /** Argument values for which no answer arrives. */
  readonly silentWith?: {
    readonly [k: string]: Json;
  };
  /** Argument without which no answer arrives. */
  readonly silentWithout?: string;
  /** Whether the answer is text of any length. */
  readonly isText?: true;
  /** Whether the command resumes the program. */
  readonly resumes?: true;
}
/** A message by its name, and optionally by the beginning of its text or by values in its body. */
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
  /** Definition of the payload. A trailing question mark makes it optional. */
  readonly params?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the definition of the message on the wire. Default: made from the name of the message. */
  readonly definition?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
}
/** Messages are the definitions that name a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keyword with the method. */
  readonly method: string;
  /** Keyword with the side that handles it. */
  readonly side: string;
  /** The sender of the messages that each side handles. */
  readonly senders: {
    /** Lower-case words with hyphens between them. */
    readonly [k: string]: string;
  };
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Patterns for the names of definitions, and the names of their payloads. `*` stands for the rest of the name. */
  readonly rename: {
    readonly request: Renaming;
    readonly response: Renaming;
    readonly event: Renaming;
  };
  /** Documentation of each method. */
  readonly docs: {
    readonly [k: string]: string;
  };
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
/** Messages are the definitions that unions of the sides list. Each has its name as a constant property. */
export interface MessagesByConst {
  readonly by: "const";
  /** The unions of messages, by the role that sends them. */
  readonly unions: {
    readonly [k: string]: DescribedUnions;
  };
  /** Names of a request, of its result and of the response on the wire. `*` stands for the part that they share. */
  readonly results?: {
    readonly request: string;
    readonly result: string;
    readonly response: string;
    /** Definition of the result of requests that have no result with such a name. */
    readonly otherwise: string;
  };
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Definitions of the failure response, by their names in different versions. If the schema has no definition `error`, the error inside this response becomes that definition. */
  readonly failures?: readonly string[];
}
export interface DescribedUnions {
  /** Union of the requests. */
  readonly requests?: string;
  /** Union of the messages without a response. */
  readonly events?: string;
}
/** The schema itself lists its messages. That is possible in every format except `json-schema`. */
export interface MessagesByFormat {
  readonly by: "format";
  /** Definition of the error of a failed request. */
  readonly error?: string;
}
/** Sender of individual messages, by name. For example reverse requests. */
export interface Senders {
  /** Lower-case words with hyphens between them. */
  readonly [k: string]: string;
}
/** The envelope of messages: which top-level field carries which part. */
export interface DescribedEnvelope {
  /** Fields that have the same value in every message. */
  readonly constants?: {
    readonly [k: string]: string;
  };
  /** Field with the id of the message. If messages have no ids, answers are events, and `lanes` define which command they answer. */
  readonly id?: string;
  /** The types of an id. Default: integer. */
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  /** Field of a response with the id of its request. */
  readonly replyTo?: string;
  /** The types of an id in a response, if it allows more than other ids: null answers an unreadable message. */
  readonly replyTypes?: readonly ("integer" | "string" | "null")[];
  /** Other fields that every message may have, with a text. A response repeats those of its request. */
  readonly fields?: {
    readonly [k: string]: string;
  };
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    /** Field that repeats the name of the request, if there is one. */
    readonly name?: string;
    /** Boolean field that distinguishes success from failure. Without it, a response with the error field is a failure. */
    readonly success?: string;
    /** Field with the result. */
    readonly result: string;
    /** Field with the error. May be the same field as the result. */
    readonly error: string;
    /** Field with a short error message. */
    readonly errorText?: string;
  };
}
export interface DescribedArm {
  /** The protocol's name for this kind of message, if not the usual one. */
  readonly noun?: "notification" | "command" | "element";
  readonly when: When;
  /** Field with the name of the message. */
  readonly name: string;
  /** Field with the parameters. */
  readonly payload: string;
}
/** How to recognise the kind: each field must equal the given string, be present (true) or be absent (false). */
export interface When {
  readonly [k: string]: string | boolean;
}
/** One command per line. Each message defines its spelling in `line`. */
export interface CommandLines {
  readonly kind: "command-line";
  /** Texts that the peer cannot handle in an undefined command. */
  readonly refuses?: readonly string[];
}
/** Consecutive XML elements. */
export interface XmlElements {
  readonly kind: "xml-element";
  /** The message that represents text between elements. Its definition has one field. */
  readonly text?: string;
  readonly elements: ElementTemplates;
}
/** How each definition is written. If there are several templates, the first one whose fields are all present is used. `{name}` is a field, `{name:raw}` a field that is not escaped, and `(...)?` is written only if all its fields are present. */
export interface ElementTemplates {
  readonly [k: string]: string | readonly string[];
}
/** Commands with options in any order, such as `NAME -i ID -n VALUE -- DATA`. Each message defines its spelling in `line`: ` -n {name}( -v {value})? -- {data:base64}`. */
export interface CommandOptions {
  readonly kind: "command-options";
  /** The option that holds the id of a command. */
  readonly id: string;
}
/** XML documents of one element each, which the framing separates. */
export interface XMLDocuments {
  readonly kind: "xml-document";
  readonly elements: ElementTemplates;
  /** The element of responses, whose attributes hold the name and the id of the request. The results of requests and `error` of the messages have templates in `elements`. */
  readonly responses?: {
    /** Name of the element. */
    readonly tag: string;
    /** The attribute with the name of the request. */
    readonly name: string;
    /** The attribute with the id of the request. */
    readonly id: string;
  };
}
/** For protocols without ids: within a lane, answers keep the order of their commands. */
export interface DescribedLanes {
  readonly lanes: {
    readonly [k: string]: {
      readonly docs: string;
      /** Whether the commands of the lane wait while the program runs. */
      readonly waits: boolean;
      /** Separator between commands on one line. After a backslash, it does not separate them. */
      readonly separator?: string;
    };
  };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops?: readonly string[];
  /** Notes, which answer no command. */
  readonly notes?: readonly AnswerPattern[];
  /** Reports that the peer failed while it ran a command. A second message of that name follows with details. */
  readonly breakdown?: AnswerPattern;
  /** The answer to an unknown command, and its lane. */
  readonly unknown?: AnswerPattern;
}
export interface DescribedReference {
  readonly docs: string;
  /** Names of properties, in any definition. */
  readonly properties?: readonly string[];
  /** Single properties, written `Definition/property`. */
  readonly places?: readonly string[];
  /** Definitions whose objects are references of this kind. */
  readonly definitions?: readonly string[];
  /** A value that is not a reference. */
  readonly except?: string | number;
  /** Whether the reference becomes invalid when the program stops again. */
  readonly expires?: true;
}
/** Features that may be used only if a role has announced a capability, written `role.flag`. */
export interface Gates {
  /** Flag of the receiver by message name. */
  readonly messages?: {
    readonly [k: string]: string;
  };
  /** Flag that the sender announces if it uses a message, by message name. */
  readonly senders?: {
    readonly [k: string]: string;
  };
  /** Flag by property, written `Definition/property`. */
  readonly properties?: {
    readonly [k: string]: string;
  };
}
/** The meaning of an absent property, by property, written `Definition/property`. The wire profile accepts a message that lacks a required one. */
export interface Defaults {
  readonly [k: string]: string | number | boolean | null;
}
/** Values to show in summaries of messages: by `request NAME`, `success NAME` (a response) or `event NAME`, the places of the values in its payload. A place is a path with slashes, where `*` stands for every item of a list; `a|b` is the first of them that exists. A word before a place is printed with its value. */
export interface Summaries {
  readonly [k: string]: readonly string[];
}
/** Hand-written TypeScript that the package contains: the files of `entries`, and those that they import. */
export interface Code {
  /** Folder of the files, relative to this file. The package has them at the same paths. */
  readonly folder: string;
  /** Folder of the generated package that the files import where they are written, relative to this file. The folder need not exist. */
  readonly package: string;
  /** Entry points with hand-written code, each with the file that it exports: `session` is imported as `PACKAGE/session`, and `index` as the package itself. A function `define<Role>` takes the place of the generated one. */
  readonly entries: {
    readonly [k: string]: string;
  };
}
export interface DescribedDialect {
  readonly docs: string;
  /** Conversions for incoming values, from this dialect to the protocol. */
  readonly reads?: readonly (
    "forgiving" | "ids-as-text" | "names-in-any-case" | "null-for-absent" | "numbers-for-names"
  )[];
  /** Conversions for outgoing values. */
  readonly writes?: readonly ("ids-on-all-messages" | "numbers-for-names")[];
  /** The envelope of this dialect, if it differs. */
  readonly envelope?: DescribedEnvelope;
  /** The error to use for a failure that has none. */
  readonly unexplained?: {
    readonly [k: string]: Json;
  };
  /** Names of messages in this dialect. */
  readonly names?: {
    readonly [k: string]: string;
  };
  /** Elements that this dialect writes differently. */
  readonly elements?: ElementTemplates;
}
/** A request with a list of messages to register. */
export interface RegistrationRequest {
  /** Name of the request. */
  readonly request: string;
  /** Parameter of the request that lists the registrations. */
  readonly each: string;
  /** The property of a registration that names the message. */
  readonly name: string;
}
export interface Extension {
  readonly $schema?: string;
  /** Lower-case words with hyphens between them. */
  readonly name: string;
  readonly title: string;
  /** Name of an npm package. */
  readonly package: string;
  readonly packageVersion: string;
  /** Folder or protocol.json of the protocol to extend, relative to this file. */
  readonly extends: string;
  /** Overlays with the additions, relative to this file. */
  readonly overlays: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
  readonly code?: Code;
}
/** Additions to a protocol: new definitions in its schema language, additional properties of existing definitions, and their part of the protocol's description. */
export interface Overlay {
  readonly $schema?: string;
  /** New definitions, and additions to existing ones. */
  readonly definitions?: {
    readonly [k: string]: {
      readonly [k: string]: Json;
    };
  };
  readonly directions?: {
    readonly exceptions?: Senders;
  };
  /** Additional messages of a protocol that lists its messages. */
  readonly messages?: {
    readonly requests?: RequestTable;
    readonly events?: EventTable;
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Definitions that implementations may extend with properties. */
  readonly extensible?: readonly string[];
  /** Keywords of the schema, or of this overlay, that are annotations and can be ignored. */
  readonly annotations?: readonly string[];
}

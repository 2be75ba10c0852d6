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
  /** Whether this protocol is used if the user does not name a protocol. Exactly one bundled protocol sets this. */
  readonly default?: boolean;
  /** Name of the generated npm package. */
  readonly package: string;
  /** Version of the generated npm package. Default: the version of the schema. */
  readonly packageVersion?: string;
  /**
   * The names of the two sides. The first role opens the session.
   *
   * @minItems 2
   * @maxItems 2
   *
   * Items: Lower-case words with hyphens between them.
   */
  readonly roles: readonly [string, string];
  /** The schema with the types: its files, and how to read them. */
  readonly schema: {
    /** Schema language: `json-schema`, `lsp-metamodel` or `cdp`. For another language, the path of a module that reads it, relative to this description. */
    readonly format: string;
    /** The version to generate by default. */
    readonly current?: string;
    /** The file of each version, relative to this description, or an array of files that belong together. Without versions, the user must supply the schema. */
    readonly versions?: {
      readonly [k: string]: string | readonly string[];
    };
    /** Where users can get the schema, if it does not come with the description. */
    readonly obtain?: string;
    /** The file with the older versions, relative to this description. It contains the differences of each version from the next version. See history.schema.json. */
    readonly history?: string;
    /** Keywords of the schema that are annotations and can be ignored. */
    readonly annotations?: readonly string[];
    /** `any` reads `oneOf` as `anyOf`, for schemas with overlapping alternatives. By default, a value must match exactly one alternative. */
    readonly oneOf?: "one" | "any";
    /** How to read keywords about properties or items in a schema without `type`. With `exact`, they apply only to objects or arrays, and values of other types are valid. By default, such a schema accepts only objects or arrays. */
    readonly untyped?: "meant" | "exact";
    /** Whether strings must match their `format`: date, time, date-time, email, hostname, ipv4, uri, uri-reference, uuid or json-pointer. By default, `format` is only an annotation. */
    readonly formats?: boolean;
    /** Keywords that mark properties with invalid values that a lenient reader ignores. `errors` replaces an invalid value with the default, or drops it. `items` drops invalid array items. `nulls` treats null like an invalid value. */
    readonly forgives?: {
      readonly errors?: string;
      readonly items?: string;
      readonly nulls?: string;
    };
    /** `omit` removes the descriptions from the schema. */
    readonly texts?: "omit";
    /** Definitions to ignore, such as unions of all messages. Definitions that refer only to these are also ignored. */
    readonly omit?: readonly string[];
  };
  /** How to find the messages. */
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
  /** How messages are delimited in the byte stream, by the role that sends them. */
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
  /** The notation of messages that are not JSON, by the role that sends them. */
  readonly notation?: {
    readonly [k: string]: DescribedNotation;
  };
  readonly lanes?: DescribedLanes;
  /** Requests with arguments that users configure, for example in a launch.json. The types of these arguments can be read from the package.json of a VS Code extension. */
  readonly configured?: readonly string[];
  /** The course of a session, and how requests are cancelled and refused. If present, the package has typed connections. */
  readonly conversation?: {
    /** The opening request. Before its response, only the messages in `duringOpening` may be sent. */
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
    /** Events that wait for responses. While one of the listed requests is being handled, the event is sent only after the response to that request. */
    readonly follows?: {
      readonly [k: string]: readonly string[];
    };
    /** Error codes by name. They become the constant `errorCodes`. */
    readonly errorCodes?: {
      readonly [k: string]: number;
    };
    readonly cancel?: {
      /** Request or event that cancels a request. */
      readonly message: string;
      /** Parameter of that message with the id of the request to cancel. */
      readonly id: string;
    };
    readonly failures: {
      /** JSON Pointers to the error message in the response, in order of preference. */
      readonly text: readonly string[];
      /** JSON Pointer to the variables of the error message. They are used only if the message is at the first pointer in `text`. */
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
  /** Kinds of references, by name. If present, the package has visitors for values that are references. */
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
      /** How the role registers for messages later, instead of announcing capabilities. */
      readonly register?: RegistrationRequest;
      /** How the role withdraws registrations. */
      readonly unregister?: RegistrationRequest;
      /** Flag inside the capability of a message. If the other role sets this flag, it accepts registrations of the message. */
      readonly registrationConsent?: string;
    };
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  readonly summaries?: Summaries;
  /** Definitions to which implementations may add properties. */
  readonly extensible?: readonly string[];
  /** Messages that every session needs. Removing one breaks peers, however tolerant they are. */
  readonly essential?: readonly string[];
  /** A published package of type declarations. The generated package is compatible with it, and has its names in a namespace. */
  readonly compatibility?: {
    readonly namespace: string;
    /** Name of an npm package. */
    readonly package: string;
    /** A package that contains only these declarations. Users install it under the name of the published package. */
    readonly replacement?: {
      /** Name of an npm package. */
      readonly name: string;
      /** Path of the declarations in the published package, without an extension. Some programs import this path. */
      readonly file: string;
    };
  };
  /** Paths of the protocol's overlays, relative to this description. They add the parts that the schema leaves out. */
  readonly overlays?: readonly string[];
  readonly code?: Code;
  /** Named sets of differences between real programs and the protocol. All are off by default. */
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
/** Messages are the definitions that extend a base. In each of them, the name of the message is the only value of an enum. */
export interface MessagesByInheritance {
  readonly by: "inheritance";
  /** Definition at the root of all messages. */
  readonly root: string;
  /** Definition that all requests extend. */
  readonly request: string;
  /** Definition that all events extend. */
  readonly event: string;
  /** Definition that all responses extend. */
  readonly response: string;
  /** Definition of the failure response. */
  readonly error: string;
  /** Name patterns of a request and its response. `*` stands for the part that they share. */
  readonly pair: {
    readonly request: string;
    readonly response: string;
  };
}
/** The description lists the messages. The schema defines only the types of their payloads. */
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
  /** Name of the payload's definition. A trailing question mark makes the payload optional. */
  readonly params?: string;
  /** Name of the payload's definition. A trailing question mark makes the payload optional. */
  readonly result?: string;
  /** Definition of partial results, which may be sent before the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the definition of the message on the wire. Default: derived from the name of the message. */
  readonly definition?: string;
  /** Name of the definition of the response on the wire. */
  readonly response?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
  /** Whether the request has no response. Such a request is sent with `notify`, and `request` rejects it. */
  readonly unanswered?: true;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}
/** Set if the receiver can register for the message later, instead of announcing a capability at the start. */
export interface DescribedRegistration {
  /** Name under which the message is registered. Default: the name of the message. */
  readonly method?: string;
  /** Definition of the options of a registration. */
  readonly options?: string;
}
/** How a command is written. In templates, `{name}` and `{name:form}` are fields, and `(...)?` is written only if all its fields are present. */
export interface DescribedLine {
  /** The words that can start the command. A command is written with the first of them, including its optional parts. */
  readonly words: readonly string[];
  /** Template of the arguments. A string field has one of these forms: `word` contains no spaces, `place` contains no spaces after its last colon, dot or hash, `code` has escaped line ends, and `base64` is written in Base64. */
  readonly arguments?: string;
  /** Whether the words of the command are case-insensitive. */
  readonly anyCase?: true;
  /** Strings that the peer cannot handle in this command. */
  readonly refuses?: readonly string[];
}
/** How a command is answered. */
export interface DescribedAnswers {
  readonly lane: string;
  /** Messages that report success. Empty if no message does. */
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  /** Name of an argument that is an array. One answer arrives for each of its items. */
  readonly each?: string;
  /** Argument values for which no answer arrives. */
  readonly silentWith?: {
    readonly [k: string]: Json;
  };
  /** Name of an argument. If this argument is absent, no answer arrives. */
  readonly silentWithout?: string;
  /** Whether the answer is plain text of any length. */
  readonly isText?: true;
  /** Whether the command resumes the program. */
  readonly resumes?: true;
}
/** Selects a message by its name, and optionally by the beginning of its text or by values in its body. */
export interface AnswerPattern {
  readonly name: string;
  readonly begins?: readonly string[];
  /** Required values in the body, by JSON Pointer. */
  readonly where?: {
    readonly [k: string]: Json;
  };
  /** JSON Pointer to the text in the body. Default: /text. */
  readonly says?: string;
  readonly lane?: string;
}
export interface EventTable {
  readonly [k: string]: DescribedEvent;
}
export interface DescribedEvent {
  readonly docs: string;
  /** Name of the payload's definition. A trailing question mark makes the payload optional. */
  readonly params?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the definition of the message on the wire. Default: derived from the name of the message. */
  readonly definition?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
}
/** Messages are the definitions that specify a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keyword with the method. */
  readonly method: string;
  /** Keyword with the side that handles the message. */
  readonly side: string;
  /** The sender of the messages that each side handles. */
  readonly senders: {
    /** Lower-case words with hyphens between them. */
    readonly [k: string]: string;
  };
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Patterns for the names of definitions, and new names for them as payloads. `*` stands for any part of the name. */
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
/** Messages are the members of unions. Each role has its own unions. The name of a message is a constant property of the message. */
export interface MessagesByConst {
  readonly by: "const";
  /** The unions of messages, by the role that sends them. */
  readonly unions: {
    readonly [k: string]: DescribedUnions;
  };
  /** Name patterns of a request, of its result and of its response on the wire. `*` stands for the part that they share. */
  readonly results?: {
    readonly request: string;
    readonly result: string;
    readonly response: string;
    /** Definition to use as the result of a request if no definition has the name that `result` gives. */
    readonly otherwise: string;
  };
  /** Definition of the error of a failed request. */
  readonly error?: string;
  /** Names of the failure response's definition in different versions. If the schema does not define `error`, the error in the failure response becomes that definition. */
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
/** Senders of individual messages, such as reverse requests, by name. */
export interface Senders {
  /** Lower-case words with hyphens between them. */
  readonly [k: string]: string;
}
/** The envelope of messages: which top-level field contains which part. */
export interface DescribedEnvelope {
  /** Fields that have the same value in every message. */
  readonly constants?: {
    readonly [k: string]: string;
  };
  /** Field with the id of the message. If messages have no ids, answers are events, and `lanes` defines which command they answer. */
  readonly id?: string;
  /** The types that an id may have. Default: integer. */
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  /** Field of a response with the id of its request. */
  readonly replyTo?: string;
  /** The types that an id in a response may have, if there are more than for other ids. For example, null in the response to an unreadable message. */
  readonly replyTypes?: readonly ("integer" | "string" | "null")[];
  /** Other fields that every message may have, with a description of each. A response repeats the fields of its request. */
  readonly fields?: {
    readonly [k: string]: string;
  };
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    /** Field that repeats the name of the request, if there is one. */
    readonly name?: string;
    /** Boolean field that distinguishes success from failure. If absent, a response that has the error field is a failure. */
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
  /** The protocol's own word for this kind of message, if there is one. */
  readonly noun?: "notification" | "command" | "element";
  readonly when: When;
  /** Field with the name of the message. */
  readonly name: string;
  /** Field with the parameters. */
  readonly payload: string;
}
/** How to recognise this kind of message: each field must equal the given string, be present (true) or be absent (false). */
export interface When {
  readonly [k: string]: string | boolean;
}
/** One command per line. Each message defines its spelling in `line`. */
export interface CommandLines {
  readonly kind: "command-line";
  /** Strings that the peer cannot handle in an undefined command. */
  readonly refuses?: readonly string[];
}
/** Consecutive XML elements. */
export interface XmlElements {
  readonly kind: "xml-element";
  /** The message that represents text between elements. Its definition has one field. */
  readonly text?: string;
  readonly elements: ElementTemplates;
}
/** How each definition is written. If there are several templates, the first one with all its fields present is used. `{name}` is a field, and `{name:raw}` is a field that is not escaped. `(...)?` is written only if all its fields are present. */
export interface ElementTemplates {
  readonly [k: string]: string | readonly string[];
}
/** Commands with options in any order, such as `NAME -i ID -n VALUE -- DATA`. Each message defines its spelling in `line`: ` -n {name}( -v {value})? -- {data:base64}`. */
export interface CommandOptions {
  readonly kind: "command-options";
  /** The option with the id of a command. */
  readonly id: string;
}
/** XML documents, each with a single root element. The framing separates them. */
export interface XMLDocuments {
  readonly kind: "xml-document";
  readonly elements: ElementTemplates;
  /** The element of responses, with attributes for the name and the id of the request. `elements` has templates for the results of requests and for the `error` of the messages. */
  readonly responses?: {
    /** Name of the element. */
    readonly tag: string;
    /** The attribute with the name of the request. */
    readonly name: string;
    /** The attribute with the id of the request. */
    readonly id: string;
  };
}
/** How answers are matched to commands in a protocol without ids. Within a lane, answers arrive in the order of the commands. */
export interface DescribedLanes {
  readonly lanes: {
    readonly [k: string]: {
      readonly docs: string;
      /** Whether the commands of the lane wait while the program runs. */
      readonly waits: boolean;
      /** Separator between commands on one line. A separator after a backslash is part of the command. */
      readonly separator?: string;
    };
  };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops?: readonly string[];
  /** Messages that do not answer a command. */
  readonly notes?: readonly AnswerPattern[];
  /** Reports that the peer failed while it ran a command. A second message with the same name follows, with details. */
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
  /** Definitions of objects that are references of this kind. */
  readonly definitions?: readonly string[];
  /** A value that means "no reference", such as 0. */
  readonly except?: string | number;
  /** Whether the reference becomes invalid when the program stops again. */
  readonly expires?: true;
}
/** Messages and properties that require a capability, written `role.flag`. They may be used only if the role has announced it. */
export interface Gates {
  /** Capability that the receiver must have announced, by message name. */
  readonly messages?: {
    readonly [k: string]: string;
  };
  /** Capability that the sender announces if it uses a message, by message name. */
  readonly senders?: {
    readonly [k: string]: string;
  };
  /** Capability that a property requires. Properties are written `Definition/property`. */
  readonly properties?: {
    readonly [k: string]: string;
  };
}
/** The value that an absent property stands for. Properties are written `Definition/property`. The wire profile accepts a message without the property, even if it is required. */
export interface Defaults {
  readonly [k: string]: string | number | boolean | null;
}
/** Values to show in summaries of messages. The keys are `request NAME`, `success NAME` (a response) or `event NAME`. Each value is given by its path in the payload, with slashes. `*` stands for every item of an array. `a|b` is the first of the two paths that exists. A word before the path is printed with the value. */
export interface Summaries {
  readonly [k: string]: readonly string[];
}
/** Hand-written TypeScript that the package contains: the files in `entries`, and the files that they import. */
export interface Code {
  /** Folder of the files, relative to this file. In the package, the files have the same paths. */
  readonly folder: string;
  /** Folder of the generated package, relative to this file. The hand-written files import the package from there. The folder need not exist. */
  readonly package: string;
  /** Entry points with hand-written code, each with the file that it exports. `session` is imported as `PACKAGE/session`, and `index` as the package itself. A function `define<Role>` replaces the generated one. */
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
  /** The envelope of this dialect, if it differs from the envelope of the protocol. */
  readonly envelope?: DescribedEnvelope;
  /** The error to use for a failure response that contains no error. */
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
/** A request with an array of registrations. */
export interface RegistrationRequest {
  /** Name of the request. */
  readonly request: string;
  /** Parameter of the request with the array of registrations. */
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
  /** Path of the folder or protocol.json of the protocol to extend, relative to this file. */
  readonly extends: string;
  /** Paths of the overlays with the additions, relative to this file. */
  readonly overlays: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
  readonly code?: Code;
}
/** Additions to a protocol: new definitions in its schema language, additional properties of existing definitions, and the description of both. */
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
  /** Additional messages, for a protocol whose description lists its messages. */
  readonly messages?: {
    readonly requests?: RequestTable;
    readonly events?: EventTable;
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Definitions to which implementations may add properties. */
  readonly extensible?: readonly string[];
  /** Keywords of the schema, or of this overlay, that are annotations and can be ignored. */
  readonly annotations?: readonly string[];
}

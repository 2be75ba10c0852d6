// Generated from schema/formats/protocol.schema.json, extension.schema.json and overlay.schema.json. Do not edit: run `npm run
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
  /** Whether this protocol is used if the user does not name one. Exactly one bundled protocol sets this. */
  readonly default?: boolean;
  /** Name of the generated npm package. */
  readonly package: string;
  /** Version of the generated npm package. Default: the schema's version. */
  readonly packageVersion?: string;
  /**
   * The names of the two sides. The first role opens the session.
   *
   * @minItems 2
   * @maxItems 2
   *
   * Items: Lower-case words separated by hyphens.
   */
  readonly roles: readonly [string, string];
  /** The schema that defines the types: its files, and how to read them. */
  readonly schema: {
    /** Schema language: `json-schema`, `lsp-metamodel` or `cdp`. For any other language, the path to a module that reads it, relative to this description. */
    readonly format: string;
    /** The version to generate by default. */
    readonly current?: string;
    /** The path to each version's file, relative to this description, or an array of paths to files that belong together. If no versions are listed, the user must supply the schema. */
    readonly versions?: {
      readonly [k: string]: string | readonly string[];
    };
    /** Where users can get the schema, if it is not included with the description. */
    readonly obtain?: string;
    /** The path to the file with the older versions, relative to this description. It stores how each version differs from the next. See history.schema.json. */
    readonly history?: string;
    /** Schema keywords that are only annotations and can be ignored. */
    readonly annotations?: readonly string[];
    /** `any` treats `oneOf` like `anyOf`, for schemas whose alternatives overlap. By default, a value must match exactly one alternative. */
    readonly oneOf?: "one" | "any";
    /** How to read property and item keywords in a schema without `type`. With `exact`, they apply only to objects or arrays, and values of other types are valid. By default, such a schema accepts only objects or arrays. */
    readonly untyped?: "meant" | "exact";
    /** Whether strings must match their `format`: date, time, date-time, email, hostname, ipv4, uri, uri-reference, uuid or json-pointer. By default, `format` is only an annotation. */
    readonly formats?: boolean;
    /** Keywords that mark properties for which a lenient reader ignores invalid values. `errors` replaces an invalid value with the default, or drops it. `items` drops invalid array items. `nulls` treats null like an invalid value. */
    readonly forgives?: {
      readonly errors?: string;
      readonly items?: string;
      readonly nulls?: string;
    };
    /** `omit` removes the descriptions from the schema. */
    readonly texts?: "omit";
    /** The names of types for definitions whose own names are not identifiers, or are already taken. Default: a name made from the definition's own. */
    readonly names?: {
      readonly [k: string]: string;
    };
    /** Definitions to ignore, such as unions of all messages. Definitions that reference only these are also ignored. */
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
  /** How messages are delimited in the byte stream, keyed by sender role. */
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
  /** The notation used for messages that are not JSON, keyed by sender role. */
  readonly notation?: {
    readonly [k: string]: DescribedNotation;
  };
  readonly lanes?: DescribedLanes;
  /** Requests whose arguments users configure, for example in a launch.json. The types of these arguments can be read from a VS Code extension's package.json. */
  readonly configured?: readonly string[];
  /** How a session proceeds, and how requests are cancelled and refused. If present, the package includes typed connections. */
  readonly conversation?: {
    /** The request that opens the session. Before its response, only the messages in `duringOpening` may be sent. */
    readonly opening?: string;
    /** Messages that may be sent before the response to the opening request. Default: none. */
    readonly duringOpening?: readonly string[];
    /** Property of the response to the opening request that contains the protocol version of the session. */
    readonly version?: string;
    /** The request whose response ends the session. */
    readonly closing?: string;
    /** Events that report that the program has stopped. */
    readonly stops?: readonly string[];
    /** Requests and events that resume the program. */
    readonly resumes?: readonly string[];
    /** Event that follows the response to the opening request. */
    readonly ready?: string;
    /** Events that wait for responses, each with a list of requests. While one of these requests is being handled, the event is held back until the response has been sent. */
    readonly follows?: {
      readonly [k: string]: readonly string[];
    };
    /** Error codes by name, which the package exports as the constant `errorCodes`. */
    readonly errorCodes?: {
      readonly [k: string]: number;
    };
    readonly cancel?: {
      /** Request or event that cancels a request. */
      readonly message: string;
      /** The parameter of that message that contains the id of the request to cancel. */
      readonly id: string;
    };
    readonly failures: {
      /** JSON Pointers to the error message in the response, in order of preference. */
      readonly text: readonly string[];
      /** JSON Pointer to the error message's variables. They are used only if the message is at the first pointer in `text`. */
      readonly variables?: string;
      /** Fields of the response to an unknown request. `$name` in a string stands for the request, `$text` for the reason, `$role` for the side that answers. */
      readonly unknown: {
        readonly [k: string]: Json;
      };
      /** Fields of the response to a failed request. */
      readonly failed: {
        readonly [k: string]: Json;
      };
      /** Fields of the response to a request with invalid parameters. Default: `failed`. */
      readonly invalid?: {
        readonly [k: string]: Json;
      };
      /** Fields of the response to a cancelled request. */
      readonly cancelled: {
        readonly [k: string]: Json;
      };
    };
  };
  /** Kinds of references, by name. If present, the package includes visitors for values that are references. */
  readonly references?: {
    readonly [k: string]: DescribedReference;
  };
  /** Where each role announces its capabilities, keyed by role. */
  readonly capabilities?: {
    readonly [k: string]: {
      /** The definition whose properties are the capabilities. */
      readonly type: string;
      /** Event that updates the capabilities. */
      readonly update?: string;
      /** How the role registers for messages later instead of announcing capabilities at the start. */
      readonly register?: RegistrationRequest;
      /** How the role withdraws registrations. */
      readonly unregister?: RegistrationRequest;
      /** Flag inside a message's capability. The other role sets this flag to show that it accepts registrations for the message. */
      readonly registrationConsent?: string;
    };
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Limits of numbers that the specification states only in words. Properties are written `Definition/property`. Properties that a version lacks are skipped. */
  readonly limits?: {
    readonly [k: string]: {
      readonly minimum?: number;
      readonly maximum?: number;
    };
  };
  readonly summaries?: Summaries;
  /** Definitions to which implementations may add properties. */
  readonly extensible?: readonly string[];
  /** Messages that every session needs. Removing one breaks even the most tolerant peers. */
  readonly essential?: readonly string[];
  /** A published package of type declarations. The generated package is compatible with it, and exports its names in a namespace. */
  readonly compatibility?: {
    readonly namespace: string;
    /** Name of an npm package. */
    readonly package: string;
    /** A package that contains only these declarations, and that users install under the published package's name. */
    readonly replacement?: {
      /** Name of an npm package. */
      readonly name: string;
      /** Path of the declarations in the published package, without the file extension. Some programs import this path. */
      readonly file: string;
    };
  };
  /** Paths to the protocol's overlays, relative to this description. They add the parts that the schema leaves out. */
  readonly overlays?: readonly string[];
  /** Named sets of differences between real programs and the protocol. None of them applies by default. */
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
/** Messages are the definitions that extend a base. In each of these definitions, the message name is the only value of an enum. */
export interface MessagesByInheritance {
  readonly by: "inheritance";
  /** Definition that all messages extend. */
  readonly root: string;
  /** Definition that all requests extend. */
  readonly request: string;
  /** Definition that all events extend. */
  readonly event: string;
  /** Definition that all responses extend. */
  readonly response: string;
  /** Definition of the failure response. */
  readonly error: string;
  /** Name patterns for a request and its response. `*` stands for the part that they share. */
  readonly pair: {
    readonly request: string;
    readonly response: string;
  };
}
/** The description lists the messages. The schema defines only the types of their payloads. */
export interface MessagesByTable {
  readonly by: "table";
  /** Definition of the error in a failed request. */
  readonly error?: string;
  /** Message groups with their descriptions. Each message names its group. */
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
  /** Name of the payload's definition. A trailing question mark means that the payload is optional. */
  readonly params?: string;
  /** Name of the payload's definition. A trailing question mark means that the payload is optional. */
  readonly result?: string;
  /** Definition of partial results, which may be sent before the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the message's definition on the wire. Default: derived from the message name. */
  readonly definition?: string;
  /** Name of the response's definition on the wire. */
  readonly response?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
  /** Whether the request has no response. Such a request is sent with `notify`, and `request` rejects it. */
  readonly unanswered?: true;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}
/** Present if the receiver can register for the message later instead of announcing a capability at the start. */
export interface DescribedRegistration {
  /** Name under which the message is registered. Default: the message name. */
  readonly method?: string;
  /** Definition of the registration options. */
  readonly options?: string;
}
/** How a command is written. In templates, `{name}` and `{name:form}` stand for fields, and `(...)?` is written only if all its fields are present. */
export interface DescribedLine {
  /** The words that can start the command. When a command is written, the first of them is used, including its optional parts. */
  readonly words: readonly string[];
  /** Template for the arguments. A string field has one of these forms: `word` contains no spaces, `place` contains no spaces after its last colon, dot or hash, `code` has escaped line endings, and `base64` is written in Base64. */
  readonly arguments?: string;
  /** Whether the command's words are case-insensitive. */
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
  /** Name of an argument. If the command lacks it, no answer arrives. */
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
  /** Name of the payload's definition. A trailing question mark means that the payload is optional. */
  readonly params?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  /** Name of the message's definition on the wire. Default: derived from the message name. */
  readonly definition?: string;
  /** Group that the message belongs to. */
  readonly set?: string;
}
/** Messages are the definitions that specify a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keyword that specifies the method. */
  readonly method: string;
  /** Keyword that specifies the side that handles the message. */
  readonly side: string;
  /** The sender of the messages that each side handles. */
  readonly senders: {
    /** Lower-case words separated by hyphens. */
    readonly [k: string]: string;
  };
  /** Definition of the error in a failed request. */
  readonly error?: string;
  /** Patterns for definition names, each with a new name for the definition as a payload. `*` stands for any part of the name. */
  readonly rename: {
    readonly request: Renaming;
    readonly response: Renaming;
    readonly event: Renaming;
  };
  /** Documentation for each method. */
  readonly docs: {
    readonly [k: string]: string;
  };
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
/** Messages are the members of unions, or listed definitions. Each role has its own. A constant property of each message contains the message name. */
export interface MessagesByConst {
  readonly by: "const";
  /** The message unions, keyed by sender role. */
  readonly unions: {
    readonly [k: string]: DescribedUnions;
  };
  /** Name patterns for a request, its result, and its response on the wire. `*` stands for the part that they share. */
  readonly results?: {
    readonly request: string;
    readonly result: string;
    readonly response?: string;
    /** Definition to use as a request's result if no definition has the name that `result` produces. */
    readonly otherwise: string;
  };
  /** Definition of the error in a failed request. */
  readonly error?: string;
  /** Names that the failure response's definition has in different versions. If the schema does not define `error`, the error in the failure response becomes that definition. */
  readonly failures?: readonly string[];
}
export interface DescribedUnions {
  /** Union of the requests. If the schema has none, the definitions of all requests. */
  readonly requests?: string | readonly string[];
  /** Union of the messages that have no response, or all of their definitions. */
  readonly events?: string | readonly string[];
}
/** The schema itself lists its messages. That is possible in every format except `json-schema`. */
export interface MessagesByFormat {
  readonly by: "format";
  /** Definition of the error in a failed request. */
  readonly error?: string;
}
/** Senders of individual messages, such as reverse requests, keyed by message name. */
export interface Senders {
  /** Lower-case words separated by hyphens. */
  readonly [k: string]: string;
}
/** The message envelope: which top-level field contains which part. */
export interface DescribedEnvelope {
  /** Fields that have the same value in every message. */
  readonly constants?: {
    readonly [k: string]: string;
  };
  /** Field that contains the message id. If messages have no ids, answers are events, and `lanes` defines which commands they answer. */
  readonly id?: string;
  /** The types that an id may have. Default: integer. */
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  /** Field of a response that contains the id of its request. */
  readonly replyTo?: string;
  /** The types that an id in a response may have, if they include more than those of other ids. For example, the response to an unreadable message may have the id null. */
  readonly replyTypes?: readonly ("integer" | "string" | "null")[];
  /** Other fields that every message may have, each with a description. A response repeats the fields of its request. */
  readonly fields?: {
    readonly [k: string]: string;
  };
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    /** Field that repeats the request name, if there is one. */
    readonly name?: string;
    /** Boolean field that distinguishes success from failure. If absent, a response that has the error field is a failure. */
    readonly success?: string;
    /** Field that contains the result. */
    readonly result: string;
    /** Field that contains the error. It may be the same field as the result. */
    readonly error: string;
    /** Field that contains a short error message. */
    readonly errorText?: string;
  };
}
export interface DescribedArm {
  /** The protocol's own term for this kind of message, if it has one. */
  readonly noun?: "notification" | "command" | "element";
  /** The role that sends all messages of this kind, even those that the schema does not define. */
  readonly sender?: string;
  readonly when: When;
  /** Field that contains the message name. */
  readonly name: string;
  /** Field that contains the parameters. */
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
  /** The message that represents text between elements. Its definition must have exactly one field, which contains the text. */
  readonly text?: string;
  readonly elements: ElementTemplates;
}
/** How each definition is written. If there are several templates, the first one whose fields are all present is used. `{name}` stands for a field, and `{name:raw}` for a field that is not escaped. `(...)?` is written only if all its fields are present. */
export interface ElementTemplates {
  readonly [k: string]: string | readonly string[];
}
/** Commands whose options may be in any order, such as `NAME -i ID -n VALUE -- DATA`. Each message defines its spelling in `line`: ` -n {name}( -v {value})? -- {data:base64}`. */
export interface CommandOptions {
  readonly kind: "command-options";
  /** The option that contains the command id. */
  readonly id: string;
}
/** XML documents, each with a single root element. The framing separates them. */
export interface XMLDocuments {
  readonly kind: "xml-document";
  readonly elements: ElementTemplates;
  /** The response element, with attributes for the name and id of the request. `elements` contains templates for request results and for the `error` that `messages` specifies. */
  readonly responses?: {
    /** Name of the element. */
    readonly tag: string;
    /** The attribute that contains the request name. */
    readonly name: string;
    /** The attribute that contains the request id. */
    readonly id: string;
  };
}
/** How answers are matched to commands in a protocol without ids. Within a lane, answers arrive in the order of the commands. */
export interface DescribedLanes {
  readonly lanes: {
    readonly [k: string]: {
      readonly docs: string;
      /** Whether the lane's commands wait while the program runs. */
      readonly waits: boolean;
      /** Separator between commands on one line. A separator preceded by a backslash is part of the command. */
      readonly separator?: string;
    };
  };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops?: readonly string[];
  /** Messages that do not answer a command. */
  readonly notes?: readonly AnswerPattern[];
  /** Reports that the peer failed while running a command. A second message with the same name follows, with the details. */
  readonly breakdown?: AnswerPattern;
  /** The answer to an unknown command, and its lane. */
  readonly unknown?: AnswerPattern;
}
export interface DescribedReference {
  readonly docs: string;
  /** Names of properties, in any definition, that are references of this kind. */
  readonly properties?: readonly string[];
  /** Single properties, written `Definition/property`. */
  readonly places?: readonly string[];
  /** Definitions whose objects are references of this kind. */
  readonly definitions?: readonly string[];
  /** A value that means "no reference", such as 0. */
  readonly except?: string | number;
  /** Whether the reference becomes invalid when the program stops again. */
  readonly expires?: true;
}
/** Messages and properties that require a capability, which is written `role.flag`. They may be used only if the role has announced that capability. */
export interface Gates {
  /** Capability that the receiver must have announced, keyed by message name. */
  readonly messages?: {
    readonly [k: string]: string;
  };
  /** Capability that the sender announces if it uses a message, keyed by message name. */
  readonly senders?: {
    readonly [k: string]: string;
  };
  /** Capability that each property requires. Properties are written `Definition/property`. */
  readonly properties?: {
    readonly [k: string]: string;
  };
}
/** The value that applies if a property is absent. Properties are written `Definition/property`. The wire profile accepts a message that lacks the property, even if the schema requires it. */
export interface Defaults {
  readonly [k: string]: string | number | boolean | null;
}
/** Values to show in message summaries. The keys are `request NAME`, `success NAME` (a response) or `event NAME`. Each value is specified by its slash-separated path in the payload. `*` stands for every item of an array. `a|b` means the first of the two paths that exists. A word before the path is printed with the value. */
export interface Summaries {
  readonly [k: string]: readonly string[];
}
export interface DescribedDialect {
  readonly docs: string;
  /** Conversions for incoming values, from this dialect to the protocol. */
  readonly reads?: readonly (
    "forgiving" | "ids-as-text" | "names-in-any-case" | "null-for-absent" | "numbers-for-names"
  )[];
  /** Conversions for outgoing values. */
  readonly writes?: readonly ("ids-on-all-messages" | "null-for-no-body" | "numbers-for-names")[];
  /** The dialect's envelope, if it differs from the protocol's. */
  readonly envelope?: DescribedEnvelope;
  /** The error to use for a failure response that contains no error. */
  readonly unexplained?: {
    readonly [k: string]: Json;
  };
  /** Message names in this dialect. */
  readonly names?: {
    readonly [k: string]: string;
  };
  /** Elements that this dialect writes differently. */
  readonly elements?: ElementTemplates;
}
/** A request that contains an array of registrations. */
export interface RegistrationRequest {
  /** Name of the request. */
  readonly request: string;
  /** The request parameter that contains the array of registrations. */
  readonly each: string;
  /** The registration property that names the message. */
  readonly name: string;
}
export interface Extension {
  readonly $schema?: string;
  /** Lower-case words separated by hyphens. */
  readonly name: string;
  readonly title: string;
  /** Name of an npm package. */
  readonly package: string;
  /** Version of the generated npm package. Default: the schema's version. */
  readonly packageVersion?: string;
  /** Name of a bundled protocol, or path to the folder or protocol.json of the protocol to extend, relative to this file. */
  readonly extends: string;
  /** Paths to the overlays that contain the additions, relative to this file. */
  readonly overlays: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
/** Additions to a protocol: new definitions in its schema language, additional properties for existing definitions, and the description of both. */
export interface Overlay {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  /** Ignored, as is the root of a protocol's schema. */
  readonly type?: "object";
  /** New definitions and additions to existing ones. */
  readonly definitions?: {
    readonly [k: string]: {} | boolean;
  };
  /** The same as `definitions`. */
  readonly $defs?: {
    readonly [k: string]: {} | boolean;
  };
  readonly directions?: {
    readonly exceptions?: Senders;
  };
  /** Additional messages. Allowed only if the protocol's description lists its messages. */
  readonly messages?: {
    readonly requests?: RequestTable;
    readonly events?: EventTable;
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  /** Definitions to which implementations may add properties. */
  readonly extensible?: readonly string[];
  /** Keywords in the schema or in this overlay that are only annotations and can be ignored. */
  readonly annotations?: readonly string[];
}

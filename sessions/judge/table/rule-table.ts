// Generated from schema/formats/session-rules.schema.json. Do not edit: run `npm run generate`.

/** One path, or an array of paths of which the first one present is used. */
export type Paths = string | readonly string[];
export type CapabilityTest =
  | (true | false | "default")
  | {
      readonly is: readonly string[];
    }
  | {
      readonly isNot: readonly string[];
    };
/** One message, or an array of messages of which any may match. */
export type Messages = string | readonly string[];
/** A number, a request parameter, another property, or the size of an array (in items) or of a string (in UTF-16 code units) next to the tested property. If both a parameter and a size are given, they are added. */
export type Operand =
  | number
  | {
      /** If there are several parameters, the first one present is used. */
      readonly asked?: Paths;
      /** If there are several properties, the first one present is used. */
      readonly size?: Paths;
      /** Another property next to the tested one, whose number is used. */
      readonly value?: string;
    };
export type IdPart =
  | string
  | {
      readonly asked: string;
    };
/** Name of an entity. If its ids have two parts, `with` is the location of the first part. */
export type IdKind =
  | string
  | {
      readonly kind: string;
      /** First part of the id: a property next to the tested one, or a parameter of the answered request. */
      readonly with: IdPart;
    };

/** A protocol's session rules: which messages may occur only once, in what order messages occur, and what ids mean. */
export interface RuleTable {
  readonly $schema?: string;
  /** Objects that have a lifetime within a session, by name. */
  readonly entities?: {
    readonly [k: string]: EntityTable;
  };
  /** Tests of parameters and results, by path. If any of them passes, only part of the program resumes. */
  readonly partial?: PropertyTests;
  /** Messages, by name, that do not require their own capability if the given tests of other capabilities pass. */
  readonly ungated?: {
    readonly [k: string]: {
      readonly [k: string]: CapabilityTest;
    };
  };
  /** The request and the argument that contain the adapter's name. */
  readonly adapter?: {
    /** Name of a request. */
    readonly request: string;
    /** The request argument that contains the name. */
    readonly argument: string;
  };
  /** JSON Pointers to the text in messages that programs have printed. */
  readonly outputs?: readonly string[];
  readonly state?: StateTable;
  readonly rules: readonly TableRule[];
}
/** Objects whose ids are valid for only part of the session. */
export interface EntityTable {
  readonly begins: readonly Turn[];
  readonly ends?: readonly Turn[];
  /** If `true`, the ids become invalid when the whole program has resumed. If `partly`, they become invalid when any part of it has resumed. */
  readonly expires?: true | "partly";
  readonly members?: MemberTable;
}
/** Messages that introduce or end objects. Exactly one of `id`, `own` and `reference` locates their ids. */
export interface Turn {
  /** Messages that introduce or end the objects. Default: all messages. */
  readonly message?: Messages;
  /** Role that sends these messages. Default: any role. */
  readonly from?: string;
  readonly if?: PropertyTests;
  /** Property that contains an array of the objects. By default, the payload is the only object. */
  readonly each?: string;
  /** Tests that each object must pass in order to count. */
  readonly whose?: PropertyTests;
  /** Tests on the request parameters. With `each`, they apply to the request's array item that has the same index as the response's item. */
  readonly asked?: {
    /** Parameter that contains the array. */
    readonly each?: string;
    readonly whose: PropertyTests;
  };
  /** Property that contains the id (a name or a slash-separated path), or a request parameter. If empty, the item itself is the id. */
  readonly id?:
    | string
    | {
        readonly asked: string;
      };
  /** First part of the id: a property of the result, or a request parameter. */
  readonly with?: IdPart;
  /** The objects of each response replace those of the response before. With a parameter, they replace those of the response to the latest request with the same value. */
  readonly replaces?:
    | true
    | {
        readonly asked: Paths;
      };
  /** Top-level field of the message that contains the id. */
  readonly own?: string;
  /** A kind of reference, as named in the description. All values of this kind are ids. */
  readonly reference?: string;
  /** The message ends the objects that its array does not contain. */
  readonly unlisted?: true;
}
/** Property tests. All of them must pass. Path segments are separated by slashes. The empty path refers to the value itself. */
export interface PropertyTests {
  readonly [k: string]: PropertyTest;
}
export interface PropertyTest {
  /** If true, the property must be present and not null. If false, it must be absent or null. */
  readonly present?: boolean;
  /** The property has one of these values. */
  readonly is?: readonly unknown[];
  /** The property is present and has none of these values. */
  readonly isNot?: readonly unknown[];
  /** The test also passes if the property is absent. */
  readonly orAbsent?: true;
  /** The property is a string that matches this regular expression. */
  readonly like?: string;
  /** The property is a string that does not match this regular expression. */
  readonly unlike?: string;
  /** The property is this number. */
  readonly equals?: Operand;
  readonly differs?: ParameterTest;
  /** The property is a number below this limit. */
  readonly less?: Operand;
  /** The property is a number above this limit. */
  readonly more?: Operand;
  /** The property is the id of a live object, or an array of such ids. */
  readonly known?: IdKind;
  /** The property is not the id of a live object. */
  readonly unknown?: IdKind;
  /** The property is an id that the session has not introduced. */
  readonly never?: IdKind;
  /** The property is an id that the session has introduced, even if it is no longer valid. */
  readonly given?: IdKind;
  /** The property is the id of an object that has ended. */
  readonly ended?: IdKind;
  /** The property is an id from before the program resumed. */
  readonly past?: IdKind;
}
/** The property differs from a request parameter, or from each item of an array parameter. `part` is a regular expression: only the parts of strings that match it are compared. If the parameter is absent, the test fails. */
export interface ParameterTest {
  readonly asked: string;
  readonly part?: string;
}
/** Containers whose members may themselves be containers. When a member is replaced, it becomes invalid along with all its contents. */
export interface MemberTable {
  /** The response that lists the contents of a container. */
  readonly message: string;
  /** The parameter that contains the container's id, in both requests. */
  readonly of: string;
  /** Property that contains the array. */
  readonly each: string;
  /** The member's name: a property of an item, and a parameter of the request that replaces the member. */
  readonly by: string;
  /** Property of an item that contains its id, if the item is a container. */
  readonly id: string;
  /** The response that reports that a member was replaced. */
  readonly replacedBy: {
    /** Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses. */
    readonly message: string;
    readonly if: PropertyTests;
  };
}
/** How messages change the session state that the inspector shows: threads, breakpoints, frames. */
export interface StateTable {
  /** Payload property that identifies the thread that stops or resumes. */
  readonly thread?: string;
  /** Event property that is true if all threads have stopped. */
  readonly all?: string;
  readonly groups: readonly StateGroup[];
}
/** Objects of one kind, with a title. */
export interface StateGroup {
  readonly title: string;
  /** The objects become invalid when the program resumes. */
  readonly expires?: true;
  /** The objects are the program's threads. */
  readonly threads?: true;
  /** If several changes match a message, the first one applies. */
  readonly changes: readonly StateChange[];
}
/** A message that introduces, changes or ends objects. Paths are relative to its payload. */
export interface StateChange {
  readonly message: Messages;
  /** The property has one of these values. */
  readonly if?: {
    readonly [k: string]: readonly unknown[];
  };
  /** Array of objects. By default, the payload is the only object. */
  readonly each?: string;
  /** Property that contains the id: a name or a slash-separated path. If empty, the item itself is the id. An object without an id is identified by its index in the array. */
  readonly id: string;
  /** An id that means "no object". */
  readonly except?: number | string;
  /** Strings that describe an object, written like the summaries in a description: `line line`. */
  readonly shows?: readonly string[];
  /** Strings that describe the object, taken from the request parameters. With `each`, they come from the array item at the same position. */
  readonly asked?: {
    readonly each?: string;
    readonly shows: readonly string[];
  };
  /** Request parameter that identifies the owner of the objects, such as a thread. */
  readonly of?: string;
  /** Title of the group that contains the object with the id `of`. The objects belong to that object's owner. */
  readonly in?: string;
  /** The message lists all objects that belong to its request. With paths, it lists all objects that belong to the first of these parameters that is present. */
  readonly replaces?: readonly string[];
  /** The object no longer exists. */
  readonly ends?: true;
}
export interface TableRule {
  /** Id of the rule: its family and name, such as `frame.unknown`, or the number of a host's rule, such as `VS-G1`. */
  readonly id: string;
  /** A sentence that states what the rule's findings mean. */
  readonly docs: string;
  /** The text of a finding, in which `{value}` is replaced with the value that was found. Default: `docs`. */
  readonly says?: string;
  /** Severity of the findings. Default: `warning`. */
  readonly severity?: "error" | "warning" | "info";
  /** The effect on the host. */
  readonly outcome?: string;
  /** First protocol version that the rule applies to. Default: all versions. */
  readonly introduced?: string;
  /** Where the specification states the rule: `Definition/property`. */
  readonly source?: readonly string[];
  /** Role that sends the checked messages. Default: any role. */
  readonly from?: string;
  /** Messages that the rule is about. Default: all. */
  readonly message?: Messages;
  /** Tests of the parameters or the result. If any of them fails, the rule does not apply. */
  readonly if?: PropertyTests;
  /** Tests of the answered request's parameters. If any of them fails, the rule does not apply. */
  readonly asked?: PropertyTests;
  /** Tests of capabilities, by role and name, such as `adapter.supportsStepBack`. `true`: announced. `false`: not announced. `default`: announced or not mentioned. `is` and `isNot` test the announced string. `isNot` also passes if no string is announced. */
  readonly capabilities?: {
    readonly [k: string]: CapabilityTest;
  };
  /**
   * The rule applies only before the first of these messages.
   *
   * Items: Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses.
   */
  readonly before?: readonly string[];
  /** The rule applies only after one of these messages. */
  readonly after?: Messages;
  /**
   * The rule applies only after all of these messages.
   *
   * Items: Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses.
   */
  readonly afterAll?: readonly string[];
  /**
   * Messages that reset `before`, `after` and `once`.
   *
   * Items: Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses.
   */
  readonly since?: readonly string[];
  /**
   * The rule applies only while one of these requests is unanswered.
   *
   * Items: Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses.
   */
  readonly during?: readonly string[];
  /** The rule applies only if one of the messages that it is about has already arrived. */
  readonly once?: true;
  readonly test?: PropertyTests;
  /** Several groups of tests. Each group that passes results in a separate finding. */
  readonly anyOf?: readonly PropertyTests[];
  /** Property that contains an array whose items are tested. */
  readonly each?: string;
  /** Name of a definition whose objects are tested, in any message. */
  readonly definition?: string;
  /** Kinds of references, as named in the description, whose values are tested. */
  readonly reference?: string | readonly string[];
  /** Regular expression. Locations whose JSON Pointer matches it are not tested. */
  readonly outside?: string;
  /** Tests of the message's top-level fields. */
  readonly envelope?: PropertyTests;
  /** Finds every item that has the same key as an earlier item. */
  readonly distinct?: ListKeys;
  /** Finds the first item that is less than the previous item. */
  readonly sorted?: ListKeys;
  /** Finds the first item whose key differs from that of the requested item, in a response that contains the requested keys in another order. */
  readonly ordered?: OrderRule;
  /** Finds the first item that an earlier message named later than it named the previous item. */
  readonly latestFirst?: RecencyRule;
  /** Finds responses that contain a different number of items than requested. */
  readonly count?: CountRule;
  /** Quirks in the message's bytes, such as `name-case`. Requires a recording that contains the bytes. */
  readonly bytes?: string | readonly string[];
  /** Finds a value that differs from the one that a request has set. */
  readonly settled?: SettledRule;
  /** Finds messages that end something although nothing has begun. */
  readonly nested?: NestingRule;
  /** Finds an array that contains objects, but not all live ones. */
  readonly complete?: CompleteRule;
  /** Finds messages about an object that equals its latest state. */
  readonly unchanged?: ChangeRule;
  /** Finds messages that do not hand back a value as an earlier session in the recording has sent it. */
  readonly carried?: CarriedRule;
  /** Finds messages that arrive earlier than a request has allowed. */
  readonly delay?: DelayRule;
  /** The rule is checked at the end of the recording. With `over`, it is checked only if the session has ended. */
  readonly end?: true | "over";
  /** `number` tests every number in a message. `unlisted` tests every string that its enum does not list. */
  readonly every?: "number" | "unlisted";
  /** Tests that apply to the session or to the current message. `custom`: the protocol does not define the message. `mismatch`: the reason that a response does not match a request (`unmatched`, `double` or `misnamed`). `latency`: milliseconds from the request to its response, or to the end of the recording if there is no response. `running`: the whole program is running because a request resumed it. `open/KIND`: the number of live objects of that kind. `answers`: in a protocol without ids, the command that the message answers. `dialect`: the dialect that the message is written in. */
  readonly state?: PropertyTests;
}
export interface ListKeys {
  /** Property that contains the array. */
  readonly each: string;
  /** Properties that form an item's key, most significant first. */
  readonly by: readonly string[];
}
export interface CountRule {
  /** Property of the result that contains the items, or bytes in base64. */
  readonly each: string;
  /** Request parameters whose counts are added up. The count of an array is its number of items, and that of a number is its value. */
  readonly of: readonly Paths[];
  /** The response may contain fewer items than requested. A requested number of 0 means no limit. */
  readonly most?: true;
}
export interface SettledRule {
  /** The responses that contain a value that was set. */
  readonly by: readonly Setting[];
  /** The property of an item that contains its value. */
  readonly value: string;
  /** Property that contains the array. */
  readonly each: string;
  /**
   * Messages after which the value may have changed.
   *
   * Items: Message kind and name, such as `request next`. `*` matches any name. `success` and `failure` are kinds of responses.
   */
  readonly until: readonly string[];
  /** Messages with parameters that pass these tests change no value. */
  readonly harmless?: PropertyTests;
}
export interface Setting {
  /** The response to the request that sets a value. */
  readonly message: string;
  /** Parameters that the request that sets the value and the request that reads it have in common. */
  readonly same: readonly string[];
  /** The request parameter that contains the name of the value. */
  readonly name: string;
  /** Regular expression whose first group is the name. If the parameter does not match it, the request sets no value. */
  readonly part?: string;
  /** The property of the response that contains the value. */
  readonly value: string;
  /** The property of an item that contains its name. */
  readonly item: string;
}
export interface OrderRule {
  /** Property that contains the array. */
  readonly each: string;
  /** The key: a property of both items. An item that is not an object is its own key. */
  readonly by: string;
  /** The request parameter that contains the array. */
  readonly of: Paths;
}
export interface RecencyRule {
  /** Property that contains the array. */
  readonly each: string;
  /** The messages that name items. */
  readonly message: string;
  /** The parameter of these messages that contains the name. */
  readonly id: string;
}
export interface NestingRule {
  readonly begins: PropertyTests;
  readonly ends: PropertyTests;
}
export interface CarriedRule {
  /** The message of the earlier session that contains the value. */
  readonly message: string;
  /** The property that contains the value. */
  readonly value: string;
  /** The property that hands it back. */
  readonly as: string;
}
export interface DelayRule {
  /** The request. If it is sent again before its delay has passed, the delay begins again. */
  readonly after: string;
  /** The request parameter that contains the milliseconds. */
  readonly of: string;
}
export interface ChangeRule {
  /** Property that contains the object. */
  readonly item: string;
  /** The object's id. */
  readonly by: string;
  /** Other messages that contain the objects, in an array. */
  readonly lists: Messages;
  /** Property that contains the array. */
  readonly each: string;
}
export interface CompleteRule {
  /** Property that contains the array. */
  readonly each: string;
  /** Property of an item that contains its id. */
  readonly id: string;
  /** Name of the entity whose live objects the array must contain. */
  readonly of: string;
}

import type { LintSeverity } from "../rules/rule-family.js";
import type { StateTable } from "../../session/state-table.js";
import type { FlagTest } from "../state/announced-capabilities.js";

/**
 * Rules of a session as data: what happens once, in which order, which ids mean something where. The JSON Schema
 * `schema/session-rules.schema.json` documents each part.
 */
export interface RuleTable {
  readonly entities?: Readonly<Record<string, EntityTable>>;
  /** Marks in a message by which only a part of the program runs on. */
  readonly partial?: PropertyTests;
  /** What the inspector shows of the state of a session. */
  readonly state?: StateTable;
  readonly rules: readonly TableRule[];
}

/** Something with an id that means something for a part of the session. */
export interface EntityTable {
  readonly begins: readonly Turn[];
  readonly ends?: readonly Turn[];
  /** It means nothing any more once the program has run on. */
  readonly expires?: true;
  /** They hold each other, and a member that is replaced takes what it holds with it. */
  readonly members?: MemberTable;
}

/** Where messages say what a container holds, and that a member of it was replaced. */
export interface MemberTable {
  /** The answer that lists the members of a container. */
  readonly message: string;
  /** Parameter of the requests that is the id of the container. */
  readonly of: string;
  readonly each: string;
  /** Name of a member: property of an item, and parameter of the request that replaces it. */
  readonly by: string;
  readonly id: string;
  readonly replacedBy: { readonly message: string; readonly if: PropertyTests };
}

/** A message by which things come or go. One of `id`, `own` and `reference` says where their ids are. */
export interface Turn {
  readonly message?: string | readonly string[];
  readonly from?: string;
  readonly if?: PropertyTests;
  readonly each?: string;
  readonly whose?: PropertyTests;
  /** Tests of the item of the request that an item answers. */
  readonly asked?: { readonly each: string; readonly whose: PropertyTests };
  readonly id?: string;
  /** Property that is a part of the id, besides the id's own. */
  readonly with?: string;
  /** Parameter of the request: what it is that they belong to. */
  readonly of?: string;
  readonly own?: string;
  readonly reference?: string;
}

/** Tests by the path of a property, all of which must be met. The empty path is the value itself. */
export type PropertyTests = Readonly<Record<string, PropertyTest>>;

export interface PropertyTest {
  readonly present?: boolean;
  readonly is?: readonly unknown[];
  readonly isNot?: readonly unknown[];
  readonly orAbsent?: true;
  readonly like?: string;
  readonly unlike?: string;
  readonly less?: number;
  readonly more?: number;
  readonly known?: string;
  readonly unknown?: string;
  readonly never?: string;
  readonly given?: string;
  readonly ended?: string;
  readonly past?: string;
  readonly elsewhere?: string;
  readonly with?: string;
}

export interface TableRule extends RuleConditions, RuleSubject {
  readonly id: string;
  readonly docs: string;
  /** What a finding says, with `{value}` for what was found. Default: `docs`. */
  readonly says?: string;
  readonly severity?: LintSeverity;
  readonly outcome?: string;
  /** Places in the specification that state it. */
  readonly source?: readonly string[];
}

/** When a rule applies. */
export interface RuleConditions {
  readonly from?: string;
  readonly message?: string | readonly string[];
  readonly if?: PropertyTests;
  readonly flags?: Readonly<Record<string, FlagTest>>;
  readonly before?: readonly string[];
  readonly after?: string | readonly string[];
  readonly afterAll?: readonly string[];
  readonly since?: readonly string[];
  readonly during?: readonly string[];
  readonly once?: true;
  readonly while?: "running" | "suspended";
}

/** What a rule looks at. Default: the message. */
export interface RuleSubject {
  readonly test?: PropertyTests;
  readonly anyOf?: readonly PropertyTests[];
  readonly each?: string;
  readonly definition?: string;
  readonly within?: readonly string[];
  readonly reference?: string | readonly string[];
  /** Pattern of JSON Pointers that are left out. */
  readonly outside?: string;
  readonly envelope?: PropertyTests;
  readonly distinct?: ListKeys;
  readonly sorted?: ListKeys;
  readonly count?: CountRule;
  /** A list all of whose items meet the test. */
  readonly all?: string;
  readonly settled?: SettledRule;
  /** Habits in the bytes of messages. */
  readonly bytes?: string | readonly string[];
  readonly custom?: true;
  readonly unlisted?: { readonly except?: readonly string[] };
  readonly numbers?: NumberRange;
  readonly stray?: true;
  readonly laterThan?: number;
  /** Judged when the session is over. */
  readonly end?: true;
  readonly unended?: string;
}

export interface ListKeys {
  readonly each: string;
  readonly by: readonly string[];
}

export interface CountRule {
  readonly each: string;
  /** Parameters of the request: lists, of which the items count, or a number. */
  readonly of: readonly string[];
  /** The first of them that is there counts. Default: all together. */
  readonly first?: true;
  /** Default: exactly as many. */
  readonly most?: true;
}

/** A value that is read after it was set: nothing between may have changed it. */
export interface SettledRule {
  /** The answer that says what was set. */
  readonly by: string;
  /** Parameters that both requests have alike. */
  readonly same: readonly string[];
  /** Name: parameter of the request that sets it, and property of an item. */
  readonly name: string;
  /** Property of the answer, and of an item. */
  readonly value: string;
  readonly each: string;
  /** Messages by which it may have changed. */
  readonly until: readonly string[];
}

export interface NumberRange {
  readonly least: number;
  readonly greatest: number;
}

/** The flags that rules of a table depend on. */
export function flagsOf({ rules }: RuleTable): readonly string[] {
  return rules.flatMap(({ flags = {} }) => Object.keys(flags));
}

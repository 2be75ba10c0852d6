import type { ReadOutcome } from "./outcomes.js";

/**
 * Why code does not compile: a property is missing, a type does not match, a property is
 * superfluous, a name no longer exists, or a comparison can never be true.
 */
export type CompileError = "missing" | "type" | "excess" | "removed" | "overlap";

/** Whether one side's TypeScript code still compiles against the new types. */
export interface SourceVerdict {
  readonly compiles: boolean;
  readonly error?: CompileError;
  /**
   * Which code does not compile: all code that handles the type, only code that names the part, or
   * only code that handles the value without distinguishing its alternatives. `sometimes` means that
   * it depends on the types, and only a compiler can tell.
   */
  readonly when?: "always" | "direct-use" | "whole-value" | "sometimes";
  /**
   * Whether exhaustive switches and maps over all cases fail to compile, even if other code
   * compiles.
   */
  readonly exhaustive: boolean;
}

/** Whether code written for the old types compiles with the new ones and, if not, why. */
export type Compiles = Pick<SourceVerdict, "compiles" | "error" | "when">;

/** A kind of change. */
export interface DiffRule<Id extends string = string> {
  readonly id: Id;
  /** Name of the rule's family, which is the first part of its id. */
  readonly area: string;
  readonly title: string;
  /** Why the change matters. The placeholders `{gate}`, `{before}` and `{after}` are filled in. */
  readonly reason: string;
  /** The effect if the old version writes a value and the new version reads it. */
  readonly oldToNew: ReadOutcome;
  /** The effect if the new version writes a value and the old version reads it. */
  readonly newToOld: ReadOutcome;
  /**
   * Whether old code still compiles with the new types: `producer` for code that builds values,
   * `consumer` for code that reads them.
   */
  readonly producer: Compiles;
  readonly consumer: Compiles;
  /** Whether switches and maps over all cases no longer compile. */
  readonly exhaustive: boolean;
  /**
   * Whether writers leave out the part when the reader cannot announce the required capability.
   * Such a reader misses nothing.
   */
  readonly heldBack?: boolean;
  /** How a protocol's author can make the change without breaking anything. Absent if it is safe. */
  readonly wayOut?: string;
  /** Id of the rule for the opposite change. */
  readonly mirror: string;
}

/**
 * A rule as its family defines it. Unless stated, messages are understood and code compiles. One of
 * two opposite rules names the other as its mirror; a rule that neither names, nor is named, is its
 * own mirror.
 */
type RuleDefinition<Ids> = Pick<DiffRule, "title" | "reason"> &
  Partial<Omit<DiffRule, "id" | "area" | "mirror">> & { readonly mirror?: Ids };

/** Builds rules by id from their definitions. */
export function ruleFamily<
  const Family extends {
    readonly [Id in keyof Family]: RuleDefinition<Extract<keyof Family, string>>;
  },
>(family: Family): { readonly [Id in keyof Family & string]: DiffRule<Id> } {
  const compiles: Compiles = { compiles: true };
  const definitions = Object.entries(family as Readonly<Record<string, RuleDefinition<string>>>);
  const mirrors = new Map(definitions.map(([id, { mirror }]) => [mirror, id]));
  const rules = definitions.map(([id, definition]): [string, DiffRule] => [
    id,
    {
      oldToNew: "ok",
      newToOld: "ok",
      producer: compiles,
      consumer: compiles,
      exhaustive: false,
      mirror: mirrors.get(id) ?? id,
      ...definition,
      id,
      area: id.slice(0, id.indexOf(".")),
    },
  ]);
  return Object.fromEntries(rules) as { [Id in keyof Family & string]: DiffRule<Id> };
}

export function fails(error: CompileError, when: SourceVerdict["when"] = "always"): Compiles {
  return { compiles: false, error, when };
}

/** Ways out that several rules share. */
export const waysOut = {
  optional: "Make the part optional, and define what its absence means.",
  keepSending: "Keep sending the removed part, and document it as deprecated.",
  gated:
    "Require a capability for the addition, so that only peers that announce the capability receive it.",
  otherName:
    "Keep the old definition unchanged, and add the new definition under a different name.",
  keepReading: "Make sure that the new version accepts messages from the old version.",
  oldForm:
    "Keep the old form, and either require a capability for the new form or put it in a separate property.",
  openList: "Require a capability for the value, or open the list in an earlier version.",
};

import type { ReadOutcome } from "./outcomes.js";

/**
 * Why code does not compile: a property is missing, a type is wrong, a property is superfluous, a
 * name was removed, or a comparison can never be true.
 */
export type CompileError = "missing" | "type" | "excess" | "removed" | "overlap";

/** Whether TypeScript code of one side still compiles against the new types. */
export interface SourceVerdict {
  readonly compiles: boolean;
  readonly error?: CompileError;
  /**
   * Which code does not compile: all code that handles the type, only code that names the part, or
   * only code that passes the whole value on.
   */
  readonly when?: "always" | "direct-use" | "whole-value";
  /**
   * Whether exhaustive switches and maps over all cases do not compile, even if other code does.
   */
  readonly exhaustive: boolean;
}

/** Whether code for the old types compiles with the new types and, if it does not, the error. */
export type Compiles = Pick<SourceVerdict, "compiles" | "error" | "when">;

/** The properties of a rule, except its id. */
export interface DiffRuleInfo {
  readonly title: string;
  /** Why the change matters. `{gate}`, `{before}` and `{after}` are replaced. */
  readonly reason: string;
  /** The effect on a value of the old version that the new version reads. */
  readonly oldToNew: ReadOutcome;
  /** The effect on a value of the new version that the old version reads. */
  readonly newToOld: ReadOutcome;
  /**
   * Whether old code still compiles with the new types: `producer` for code that builds the values,
   * `consumer` for code that reads them.
   */
  readonly producer: Compiles;
  readonly consumer: Compiles;
  /** Whether switches and maps over all cases no longer compile. Default: false. */
  readonly exhaustive?: boolean;
  /**
   * Whether writers omit the part for a reader that cannot announce the required capability. Such a
   * reader loses nothing.
   */
  readonly heldBack?: boolean;
  /** Id of the rule for the reverse change. */
  readonly mirror: string;
}

/** A kind of change. */
export interface DiffRule<
  Id extends string = string,
  Mirror extends string = string,
> extends DiffRuleInfo {
  readonly id: Id;
  /** Name of the rule's family: the first part of its id. */
  readonly area: string;
  readonly exhaustive: boolean;
  readonly mirror: Mirror;
}

/** Rules by id. */
type RulesOf<Infos extends Readonly<Record<string, DiffRuleInfo>>> = {
  readonly [Id in keyof Infos & string]: DiffRule<Id, Infos[Id]["mirror"]>;
};

/** Builds rules by id from their definitions. */
export function ruleFamily<const Infos extends Readonly<Record<string, DiffRuleInfo>>>(
  infos: Infos,
): RulesOf<Infos> {
  return Object.fromEntries(
    Object.entries(infos).map(([id, info]) => [
      id,
      { exhaustive: false, ...info, id, area: id.slice(0, id.indexOf(".")) },
    ]),
  ) as RulesOf<Infos>;
}

export const compiles: Compiles = { compiles: true };

export function fails(error: CompileError, when: SourceVerdict["when"] = "always"): Compiles {
  return { compiles: false, error, when };
}

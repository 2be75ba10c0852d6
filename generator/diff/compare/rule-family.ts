import type { ReadOutcome } from "./outcomes.js";

/**
 * Why code stops compiling: something is missing, wrong, superfluous, removed, or compared with an
 * impossible value.
 */
export type CompileError = "missing" | "type" | "excess" | "removed" | "overlap";

/** Whether TypeScript code of one side still compiles against the new types. */
export interface SourceVerdict {
  readonly compiles: boolean;
  readonly error?: CompileError;
  /**
   * Which code fails: all code that handles the type, only code that names the place, or only code
   * that passes the value on.
   */
  readonly when?: "always" | "direct-use" | "whole-value";
  /** Whether exhaustive switches and total maps fail, even if other code compiles. */
  readonly exhaustive: boolean;
}

/** Whether code that uses the old types compiles with the new ones, and the error if not. */
export type Compiles = Pick<SourceVerdict, "compiles" | "error" | "when">;

/** The properties of a rule, except its id. */
export interface DiffRuleInfo {
  readonly title: string;
  /** Why it matters. `{gate}`, `{before}` and `{after}` are replaced. */
  readonly reason: string;
  /** A value of the old version, read by the new one. */
  readonly oldToNew: ReadOutcome;
  /** A value of the new version, read by the old one. */
  readonly newToOld: ReadOutcome;
  /** Old code that builds such values, compiled with the new types; then old code that reads them. */
  readonly producer: Compiles;
  readonly consumer: Compiles;
  /** Whether switches and maps over all cases stop compiling. Default: false. */
  readonly exhaustive?: boolean;
  /**
   * Whether writers omit the part if the reader cannot announce its capability, so that nothing is
   * lost.
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
  /** The family that it belongs to: the first part of its id. */
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

import type { Gate, Json, Type } from "../../model/types.js";
import type { RenameEvidence } from "./find-renamed.js";
import { tighter, type Limits } from "./limits.js";
import { fails, type Compiles, type DiffRule } from "./rule-family.js";

/**
 * One step on the path through a value: from a value to one of its parts, or from a type to one of
 * its alternatives.
 */
export type Step =
  | { readonly kind: "field"; readonly name: string }
  /** A step to an item. `index` is only present for items of a tuple. */
  | { readonly kind: "items"; readonly index?: number }
  | { readonly kind: "values" }
  | { readonly kind: "member"; readonly before: Type; readonly after: Type };

/** The location at which two types are compared. */
export interface Site {
  /**
   * The definition that declares the types: the old definition for a removed part, otherwise the
   * new definition.
   */
  readonly owner: string;
  /** Path below the owner, such as `.line` or `.lines[]`. */
  readonly label: string;
  readonly steps: readonly Step[];
  /** JSON Pointers of the nearest property or definition in the old and in the new version. */
  readonly before?: string;
  readonly after?: string;
}

/** An elementary change between two types. */
export interface Change extends ChangeDetails {
  readonly rule: DiffRule;
  readonly site: Site;
  /** The worst possible effect of the change in each direction. Absent: not limited. */
  readonly limits?: Limits;
}

export interface ChangeDetails {
  /** The change, in a few words. */
  readonly change?: string;
  /** Names of the old and the new part. The reason text of the rule contains them. */
  readonly old?: string;
  readonly new?: string;
  /** The capability that the changed part requires. */
  readonly gate?: Gate;
  /**
   * Key of the decision that caused the change. Changes with the same key may be one decision. Default:
   * the location, so that each change is a separate decision.
   */
  readonly decision?: string;
  /** The evidence that a property was renamed. Absent for other changes. */
  readonly evidence?: RenameEvidence;
  /**
   * Whether code still compiles: `builds` for code that builds values, `reads` for code that reads
   * them. Default: the verdict of the rule.
   */
  readonly builds?: boolean | Compiles;
  readonly reads?: boolean | Compiles;
  /**
   * Return an example value at the site. `oldToNew`: a value that the old version may write and the
   * new version rejects. `newToOld`: a value that the new version may write and the old version
   * rejects.
   */
  readonly oldToNew?: () => Json | undefined;
  readonly newToOld?: () => Json | undefined;
}

/** The effect of a change on code that builds values, or on code that reads them. */
export function codeVerdict({ rule, builds, reads }: Change, use: "builds" | "reads"): Compiles {
  const compiles = use === "reads" ? reads : builds;
  if (compiles === undefined) return use === "reads" ? rule.consumer : rule.producer;
  if (typeof compiles === "object") return compiles;
  return compiles ? { compiles } : fails("type");
}

/** Two definitions at the same location in the two versions, and the steps to that location. */
export interface DefinitionLink {
  readonly before: string;
  readonly after: string;
  readonly steps: readonly Step[];
  /**
   * The worst possible effect of changes inside the definitions, in each direction. Absent: not
   * limited.
   */
  readonly limits?: Limits;
}

/** Collects the changes and links that a comparison of two types finds, in order. */
export class FoundChanges {
  readonly changes: Change[] = [];
  readonly links: DefinitionLink[] = [];

  report(rule: DiffRule, site: Site, details: ChangeDetails = {}): void {
    this.changes.push({ rule, site, ...details });
  }

  link(before: string, after: string, steps: readonly Step[]): void {
    this.links.push({ before, after, steps });
  }

  /**
   * Links a base of the two objects. A base itself is never sent, so its changes affect only code.
   */
  linkBase(name: string, steps: readonly Step[]): void {
    this.links.push({
      before: name,
      after: name,
      steps,
      limits: { forward: "ok", backward: "ok" },
    });
  }

  /** Adds the results of another comparison, and limits their effects if limits are given. */
  add(found: FoundChanges, limits?: Limits): void {
    const within = <Part extends { readonly limits?: Limits }>(part: Part): Part =>
      limits === undefined
        ? part
        : { ...part, limits: part.limits === undefined ? limits : tighter(part.limits, limits) };
    for (const change of found.changes) this.changes.push(within(change));
    for (const link of found.links) this.links.push(within(link));
  }
}

/** Makes the site of a part from the site of the whole value. */
export function below(site: Site, label: string, step: Step): Site {
  return { ...site, label: `${site.label}${label}`, steps: [...site.steps, step] };
}

/**
 * Name of the property at a site, for decision keys: the same change to properties with the same
 * name is one decision.
 */
export function lastName(site: Site): string {
  return /\.[^.]*$/.exec(site.label)?.[0] ?? `${site.owner}${site.label}`;
}

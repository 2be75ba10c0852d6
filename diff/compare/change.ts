import type { Gate, Json, Type } from "../../generator/model/types.js";
import type { RenameEvidence } from "./find-renamed.js";
import { tighter, type Limits } from "./outcomes.js";
import type { DiffRule } from "./rule-family.js";

/**
 * A step on the path through a value: either from a value to one of its parts, or from a type to
 * one of its alternatives.
 */
export type Step =
  | { readonly kind: "field"; readonly name: string }
  /** A step to an array item. `index` is present only for tuples. */
  | { readonly kind: "items"; readonly index?: number }
  | { readonly kind: "values" }
  | { readonly kind: "member"; readonly before: Type; readonly after: Type };

/** A location at which two types are compared. */
export interface Site {
  /**
   * The definition that declares the types. This is the old definition for a removed part, and the
   * new one otherwise.
   */
  readonly owner: string;
  /** Path from the owner, such as `.line` or `.lines[]`. */
  readonly label: string;
  readonly steps: readonly Step[];
  /** JSON Pointers to the nearest property or definition in the old and the new version. */
  readonly before?: string;
  readonly after?: string;
}

/** A single change between two types. */
export interface Change extends ChangeDetails {
  readonly rule: DiffRule;
  readonly site: Site;
}

export interface ChangeDetails {
  /** A brief description of the change. */
  readonly change?: string;
  /** Descriptions of the old and the new part, which are inserted into the rule's reason. */
  readonly before?: string;
  readonly after?: string;
  /** The capability that the changed part requires. */
  readonly gate?: Gate;
  /**
   * Identifies the decision that led to the change. Changes with the same key may result from one
   * decision. Default: the location, which makes each change a decision of its own.
   */
  readonly decision?: string;
  /** For a renamed property, the evidence that it was renamed. */
  readonly evidence?: RenameEvidence;
  /** The worst effect that the change can have in each direction. Absent if there is no limit. */
  readonly limits?: Limits;
  /**
   * Functions that return an example value at the site, which one version may write but the other
   * rejects.
   */
  readonly oldToNew?: () => Json | undefined;
  readonly newToOld?: () => Json | undefined;
}

/** Two definitions found at the same location in both versions, and the steps that lead there. */
export interface DefinitionLink {
  readonly before: string;
  readonly after: string;
  readonly steps: readonly Step[];
  /**
   * The worst effect that changes inside the definitions can have in each direction. Absent if
   * there is no limit.
   */
  readonly limits?: Limits;
}

/** Collects, in order, the changes and links that a comparison of two types finds. */
export class FoundChanges {
  readonly changes: Change[] = [];
  readonly links: DefinitionLink[] = [];

  link(before: string, after: string, steps: readonly Step[]): void {
    this.links.push({ before, after, steps });
  }

  /**
   * Links a base of both objects. A base is never sent on its own, so changes to it affect only
   * code.
   */
  linkBase(name: string, steps: readonly Step[]): void {
    this.links.push({
      before: name,
      after: name,
      steps,
      limits: { oldToNew: "ok", newToOld: "ok" },
    });
  }

  /** Adds the results of another comparison, applying `limits` to their effects if given. */
  add(found: FoundChanges, limits?: Limits): void {
    const within = <Part extends { readonly limits?: Limits }>(part: Part): Part =>
      limits === undefined
        ? part
        : { ...part, limits: part.limits === undefined ? limits : tighter(part.limits, limits) };
    for (const change of found.changes) this.changes.push(within(change));
    for (const link of found.links) this.links.push(within(link));
  }
}

/** Tells how a stated fact has changed. A fact that a version does not state is empty or undefined. */
export function kindOfChange(
  before: string | number = "",
  after: string | number = "",
): "added" | "removed" | "changed" {
  return before === "" ? "added" : after === "" ? "removed" : "changed";
}

/** Describes how a stated fact has changed. Returns undefined if it is the same. */
export function changeOfFact(
  before = "",
  after = "",
  name = "",
):
  | (Required<Pick<ChangeDetails, "change" | "before" | "after">> & {
      readonly kind: ReturnType<typeof kindOfChange>;
    })
  | undefined {
  if (before === after) return undefined;
  const change = `${name}${before || "none"} → ${after || "none"}`;
  return { kind: kindOfChange(before, after), change, before, after };
}

/**
 * Returns the property name at a site, for use in decision keys. Making the same change to several
 * properties with the same name counts as one decision.
 */
export function lastName(site: Site): string {
  return /\.[^.]*$/.exec(site.label)?.[0] ?? `${site.owner}${site.label}`;
}

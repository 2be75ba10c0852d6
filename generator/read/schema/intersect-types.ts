import { isNever, never } from "../../model/type-checks.js";
import type { ArrayType, Type } from "../../model/types.js";
import { also, intersectPrimitives } from "./intersect-primitives.js";
import { isPlain, kindOf, objectOf } from "./plain-types.js";
import { formOf, kindsOf } from "./reference-forms.js";
import { intersectObjects } from "./intersect-objects.js";
import { unionOf, withChecks, type NodeContext } from "./schema-node.js";

/** Maximum number of alternatives to combine when types are intersected. */
const maxCombined = 24;

/**
 * A function that rereads a definition that has alternatives, so that each alternative can be
 * extended.
 */
export type Alternatives = (name: string) => Type | undefined;

/**
 * Intersects types: values of the resulting type belong to both of the given types. Constraints
 * that a type cannot express become checks.
 */
export class TypeIntersector {
  readonly #context: NodeContext;
  readonly #alternatives: Alternatives;

  constructor(context: NodeContext, alternatives: Alternatives) {
    this.#context = context;
    this.#alternatives = alternatives;
  }

  intersect(first: Type, second: Type): Type {
    if (isPlain(first) && kindOf(first) === kindOf(second)) return second;
    if (isPlain(second) && kindOf(first) === kindOf(second)) return first;
    const { checks: firstChecks = [], ...a } = first;
    const { checks: secondChecks = [], ...b } = second;
    const common = this.#structures(a as Type, b as Type);
    return isNever(common) ? never : withChecks(common, [...firstChecks, ...secondChecks]);
  }

  #structures(a: Type, b: Type): Type {
    if (a.kind === "any") return b;
    if (b.kind === "any") return a;
    if (a.kind === "reference") return this.#reference(a.name, a, b);
    if (b.kind === "reference") return this.#reference(b.name, b, a);
    if (a.kind === "union") return this.#union(a.members, b, (each) => this.intersect(each, b), a);
    if (b.kind === "union") return this.#union(b.members, a, (each) => this.intersect(a, each), b);
    if (kindOf(a) !== kindOf(b)) return never;
    const common = intersectPrimitives(a, b);
    if (common !== undefined) return common;
    if (a.kind === "array" && b.kind === "array") return this.#arrays(a, b);
    if (a.kind === "map" && b.kind === "map")
      return { ...a, values: this.intersect(a.values, b.values) };
    const [object, other] = [objectOf(a), objectOf(b)];
    return object === undefined || other === undefined
      ? a
      : intersectObjects(object, other, (one, two) => this.intersect(one, two));
  }

  #union(
    members: readonly Type[],
    other: Type,
    intersectMember: (member: Type) => Type,
    union: Type,
  ): Type {
    const others = other.kind === "union" ? other.members.length : 1;
    if (members.length * others > maxCombined ** 2) return also(union, other);
    const common = unionOf(members.map(intersectMember).filter((each) => !isNever(each)));
    const count = common.kind === "union" ? common.members.length : 1;
    return count > Math.max(maxCombined, members.length, others) ? also(union, other) : common;
  }

  #reference(name: string, reference: Type, other: Type): Type {
    if (other.kind === "reference") {
      if (other.name === name) return reference;
      const forms = [name, other.name].map((each) => formOf(this.#context, each));
      if (forms.every((form) => form === "object"))
        return { kind: "object", bases: [name, other.name], properties: [], extras: "open" };
      const [extended, by] = forms[0] === "alternatives" ? [name, other] : [other.name, reference];
      if (forms.includes("object") && forms.includes("alternatives"))
        return this.#extended(extended, by) ?? also(reference, other);
      return also(reference, other);
    }
    const kinds = kindsOf(this.#context, name);
    if (other.kind === "union") {
      const members = other.members.filter((each) => {
        const kind = kindOf(each);
        return kind === undefined || kinds.has(kind);
      });
      if (members.length === 0) return never;
      if (members.length === 1) return this.intersect(reference, members[0]!);
      if (members.every(isPlain)) return reference;
      return also(reference, { kind: "union", members });
    }
    const kind = kindOf(other)!;
    if (!kinds.has(kind)) return never;
    if (isPlain(other) && kinds.size === 1) return reference;
    const form = formOf(this.#context, name);
    if (other.kind === "object" && form === "object") {
      const base: Type = { kind: "object", bases: [name], properties: [], extras: "open" };
      return intersectObjects(base, other, (one, two) => this.intersect(one, two));
    }
    const extended =
      form === "alternatives" && other.kind === "object" ? this.#extended(name, other) : undefined;
    return extended ?? also(reference, other);
  }

  /**
   * Extends each alternative of a definition with an object. Returns undefined if any alternative
   * is not an object.
   */
  #extended(name: string, by: Type): Type | undefined {
    const type = this.#alternatives(name);
    if (type?.kind !== "union" || type.members.length > maxCombined) return undefined;
    const isObject = (each: Type): boolean =>
      each.kind === "object" ||
      (each.kind === "reference" && formOf(this.#context, each.name) === "object");
    return type.members.every(isObject) ? this.intersect(type, by) : undefined;
  }

  #arrays(a: ArrayType, b: ArrayType): Type {
    const length = Math.max(a.first?.length ?? 0, b.first?.length ?? 0);
    const first = Array.from({ length }, (_, index) =>
      this.intersect(a.first?.[index] ?? a.items, b.first?.[index] ?? b.items),
    );
    const least = Math.max(a.minItems ?? 0, b.minItems ?? 0);
    const most = Math.min(a.maxItems ?? Infinity, b.maxItems ?? Infinity);
    if (least > most || first.slice(0, least).some(isNever)) return never;
    return {
      kind: "array",
      ...(length === 0 ? {} : { first }),
      items: this.intersect(a.items, b.items),
      ...(least === 0 ? {} : { minItems: least }),
      ...(most === Infinity ? {} : { maxItems: most }),
    };
  }
}

import { isObject, isOfArm, ownField, type AnyFields } from "./message-fields.js";
import type { EnvelopeTable } from "./protocol-description.js";

/**
 * Properties that lead to the values to visit. Each is described by a step:
 *
 * - A string is the kind of the value, which is visited.
 * - An array of two items contains the kind, and a value that is not visited because it refers to
 *   nothing.
 * - A number is the index of a shared object.
 * - An object describes the properties of an object that contains values to visit.
 * - An array of one item describes the items of an array.
 *
 * The type does not say so, because it takes compilers long to compare a table with a recursive
 * type.
 */
interface FieldSteps {
  readonly [property: string]: unknown;
}

/** The places where a protocol's messages contain the values to visit. */
export interface FieldTable {
  /** The messages by kind and name. */
  readonly roots: {
    readonly [kind in "request" | "event" | "response"]: {
      readonly [name: string]: FieldSteps | number;
    };
  };
  /**
   * Objects that occur in several places, that contain themselves, or that are visited as a whole.
   */
  readonly shared: readonly FieldSteps[];
  /** Visitor kinds for shared objects that are visited as a whole, by the object's index. */
  readonly whole: { readonly [shared: number]: string };
}

/** Visitors by kind. */
export type AnyVisitors = {
  readonly [kind: string]: ((value: never, pointer: string) => unknown) | undefined;
};

/**
 * Passes each reference in a message to its visitor, and replaces the reference with the result.
 *
 * Objects are visited before their properties. The message is not modified: changed parts are
 * copied, along with the objects that contain them.
 *
 * @param request Name of the request that a response answers, for responses that do not repeat it.
 * @throws Any exception thrown by a visitor or by a getter in the message.
 */
export function visitMessage<Message extends object>(
  table: FieldTable,
  envelope: EnvelopeTable,
  message: Message,
  visitors: AnyVisitors,
  request?: string,
): Message {
  const fields = message as AnyFields;
  const { roots } = table;
  const find = (): FieldSteps | number | undefined => {
    for (const kind of ["request", "event", "response"] as const) {
      if (!isOfArm(envelope[kind], fields)) continue;
      const field = envelope[kind].name;
      const name = field === undefined ? request : fields[field];
      return typeof name === "string"
        ? (ownField(roots[kind], name) as FieldSteps | number | undefined)
        : undefined;
    }
    return undefined;
  };
  const root = find();
  return root === undefined
    ? message
    : (new Visit(table, visitors).object(root, fields, "", 0) as Message);
}

/** Maximum nesting depth that is visited. */
const maxVisitedDepth = 512;

class Visit {
  readonly #table: FieldTable;
  readonly #visitors: AnyVisitors;

  constructor(table: FieldTable, visitors: AnyVisitors) {
    this.#table = table;
    this.#visitors = visitors;
  }

  object(to: FieldSteps | number, value: AnyFields, pointer: string, depth: number): AnyFields {
    const steps = typeof to === "number" ? this.#table.shared[to]! : to;
    if (depth > maxVisitedDepth) return value;
    let copy: Record<string, unknown> | undefined;
    for (const [name, step] of Object.entries(steps)) {
      const before = ownField(value, name);
      if (before === undefined || before === null) continue;
      const after = this.#step(step, before, `${pointer}/${name}`, depth);
      if (after !== before) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  }

  #step(step: unknown, value: unknown, pointer: string, depth: number): unknown {
    if (!Array.isArray(step))
      return this.#item(step as FieldSteps | number | string, value, pointer, depth);
    const [item, except] = step as readonly unknown[];
    if (except !== undefined)
      return value === except ? value : this.#item(item as string, value, pointer, depth);
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    for (const [index, before] of value.entries()) {
      const after = this.#step(item, before, `${pointer}/${index}`, depth);
      if (after !== before) (copy ??= [...(value as unknown[])])[index] = after;
    }
    return copy ?? value;
  }

  #item(to: FieldSteps | number | string, value: unknown, pointer: string, depth: number): unknown {
    if (typeof to === "string") return this.#visit(to, value, pointer);
    if (!isObject(value)) return value;
    const kind = typeof to === "number" ? this.#table.whole[to] : undefined;
    const visited = kind === undefined ? value : this.#visit(kind, value, pointer);
    return isObject(visited) ? this.object(to, visited, pointer, depth + 1) : visited;
  }

  #visit(kind: string, value: unknown, pointer: string): unknown {
    const visitor = this.#visitors[kind];
    return visitor === undefined ? value : visitor(value as never, pointer);
  }
}

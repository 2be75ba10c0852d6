import type { EnvelopeTable } from "../protocol/protocol-description.js";
import { isObject, isOfArm, ownField, type AnyFields } from "../protocol/message-fields.js";

/** Describes a property: a value to visit, or an object that contains such values. */
export interface FieldStep {
  /** Kind of the value, if it is one to visit. */
  readonly kind?: string;
  /** A value that is not visited, because it refers to nothing. */
  readonly except?: string | number;
  /** Definition of the object. */
  readonly to?: string;
  /** Set if the property is a list of these. */
  readonly list?: true;
}

/** Where a protocol's messages contain values to visit. */
export interface FieldTable {
  /** Definitions of messages, by kind and name. */
  readonly roots: {
    readonly [kind in "request" | "event" | "response"]: { readonly [name: string]: string };
  };
  /** Steps by definition and property. */
  readonly objects: { readonly [definition: string]: { readonly [property: string]: FieldStep } };
  /** Kind of the visitor for objects of a definition. */
  readonly whole: { readonly [definition: string]: string };
}

/** Visitors by kind. */
export type AnyVisitors = {
  readonly [kind: string]: ((value: never, place: string) => unknown) | undefined;
};

/**
 * Passes every referring value of a message to its visitor, and replaces it with the result.
 *
 * Objects are visited before their properties. The message is not modified: changed parts are
 * copied, together with everything around them.
 *
 * @param request Name of the request that a response answers, if responses do not repeat it.
 * @throws What a visitor throws, or a getter of the message.
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
  const find = (): string | undefined => {
    for (const kind of ["request", "event", "response"] as const) {
      if (!isOfArm(envelope[kind], fields)) continue;
      const field = envelope[kind].name;
      const name = field === undefined ? request : fields[field];
      return typeof name === "string" ? (ownField(roots[kind], name) as string) : undefined;
    }
    return undefined;
  };
  const root = find();
  return root === undefined
    ? message
    : (new Visit(table, visitors).object(root, fields, "", 0) as Message);
}

/** Maximum nesting that is visited. */
const maxDepth = 512;

class Visit {
  readonly #table: FieldTable;
  readonly #visitors: AnyVisitors;

  constructor(table: FieldTable, visitors: AnyVisitors) {
    this.#table = table;
    this.#visitors = visitors;
  }

  object(definition: string, value: AnyFields, place: string, depth: number): AnyFields {
    const steps = this.#table.objects[definition];
    if (steps === undefined || depth > maxDepth) return value;
    let copy: Record<string, unknown> | undefined;
    for (const [name, step] of Object.entries(steps)) {
      const before = ownField(value, name);
      if (before === undefined || before === null) continue;
      const after = this.#step(step, before, `${place}/${name}`, depth);
      if (after !== before) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  }

  #step(step: FieldStep, value: unknown, place: string, depth: number): unknown {
    if (step.list !== true) return this.#item(step, value, place, depth);
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    for (const [index, before] of value.entries()) {
      const after = this.#item(step, before, `${place}/${index}`, depth);
      if (after !== before) (copy ??= [...(value as unknown[])])[index] = after;
    }
    return copy ?? value;
  }

  #item({ kind, except, to }: FieldStep, value: unknown, place: string, depth: number): unknown {
    if (kind !== undefined) return value === except ? value : this.#visit(kind, value, place);
    if (to === undefined || !isObject(value)) return value;
    const whole = this.#table.whole[to];
    const visited = whole === undefined ? value : this.#visit(whole, value, place);
    return isObject(visited) ? this.object(to, visited, place, depth + 1) : visited;
  }

  #visit(kind: string, value: unknown, place: string): unknown {
    const visitor = this.#visitors[kind];
    return visitor === undefined ? value : visitor(value as never, place);
  }
}

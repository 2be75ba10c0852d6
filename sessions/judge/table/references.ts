import { isObject, ownField } from "../../../runtime/protocol/message-fields.js";
import type { FieldTable } from "../../../generator/model/field-table.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Fields } from "../../read/message-reader.js";
import type { JudgedMessage } from "../judged-message.js";
import type { PartPath } from "../parts-walk.js";
import { oncePer } from "../../../generator/model/once.js";
import type { RuleTable } from "./rule-table.js";

/** A reference in a message, with its location. */
export interface Reference {
  readonly value: unknown;
  readonly path: PartPath;
}

/** A property that is a sought reference or contains one. */
interface Step {
  readonly name: string;
  readonly isList: boolean;
  /** The kind of the reference. Undefined if the property is an object that contains references. */
  readonly kind: string | undefined;
  readonly except: unknown;
  /** The properties of the object that lead to references. */
  readonly inner: readonly Step[];
}

/** Maximum depth to search. */
const maxDepth = 512;

const nothing: readonly never[] = [];

/** Finds the references in messages, by kind. */
export class References {
  readonly #protocol: Protocol;
  readonly #fields: FieldTable;
  readonly #kinds: ReadonlySet<string>;
  readonly #steps = new Map<string, readonly Step[]>();
  #message: JudgedMessage | undefined;
  /** The references in the current message. */
  readonly #references = new Map<string, Reference[]>();

  /** @param kinds Kinds of references to find. */
  constructor(protocol: Protocol, fields: FieldTable, kinds: ReadonlySet<string>) {
    this.#protocol = protocol;
    this.#fields = fields;
    this.#kinds = kinds;
  }

  of(message: JudgedMessage, kind: string): readonly Reference[] {
    if (message !== this.#message) this.#visit(message);
    return this.#references.get(kind) ?? nothing;
  }

  #visit(message: JudgedMessage): void {
    this.#message = message;
    for (const list of this.#references.values()) if (list.length > 0) list.length = 0;
    const { kind, fields } = message;
    const field = this.#protocol.envelope[kind]?.name;
    const name = field === undefined ? message.name : fields[field];
    const root =
      typeof name === "string"
        ? (ownField(this.#fields.roots[kind], name) as string | undefined)
        : undefined;
    if (root !== undefined) this.#object(this.#stepsOf(root), fields, undefined, 0);
  }

  #object(steps: readonly Step[], value: Fields, owner: PartPath | undefined, depth: number): void {
    for (const step of steps) {
      const { name } = step;
      const property = ownField(value, name);
      if (property === undefined || property === null) continue;
      const path = { owner, key: name };
      if (!step.isList) this.#item(step, property, path, depth);
      else if (Array.isArray(property))
        for (let key = 0; key < property.length; key++)
          this.#item(step, property[key], { owner: path, key }, depth);
    }
  }

  #item(step: Step, value: unknown, path: PartPath, depth: number): void {
    const { kind } = step;
    if (kind === undefined) {
      if (isObject(value) && depth < maxDepth) this.#object(step.inner, value, path, depth + 1);
    } else if (value !== step.except) this.#add(kind, value, path);
  }

  #add(kind: string, value: unknown, path: PartPath): void {
    // A value of any other type is not a reference.
    if (typeof value !== "number" && typeof value !== "string") return;
    const references = this.#references.get(kind);
    if (references === undefined) this.#references.set(kind, [{ value, path }]);
    else references.push({ value, path });
  }

  /** Returns the properties of a definition that lead to references. */
  #stepsOf(definition: string): readonly Step[] {
    let steps = this.#steps.get(definition);
    if (steps !== undefined) return steps;
    const added: Step[] = [];
    // Store the array before it is complete, because the definition may reference itself.
    this.#steps.set(definition, (steps = added));
    for (const [name, { kind, except, to, list }] of Object.entries(
      this.#fields.objects[definition] ?? {},
    )) {
      if (kind === undefined ? to === undefined || !this.#leads(to) : !this.#kinds.has(kind))
        continue;
      added.push({
        name,
        isList: list === true,
        kind,
        except,
        inner: kind !== undefined || to === undefined ? nothing : this.#stepsOf(to),
      });
    }
    return steps;
  }

  /** Returns whether a definition contains a sought reference at any depth. */
  #leads(definition: string, seen = new Set<string>()): boolean {
    if (seen.has(definition)) return false;
    seen.add(definition);
    return Object.values(this.#fields.objects[definition] ?? {}).some(({ kind, to }) =>
      kind === undefined ? to !== undefined && this.#leads(to, seen) : this.#kinds.has(kind),
    );
  }
}

/**
 * Creates rules for a protocol that has no session rules. They find references that became invalid
 * when the program resumed.
 */
export const referenceRules = oncePer(({ references = [], roles }: Protocol): RuleTable => {
  const expiring = references.filter(({ expires }) => expires === true).map(({ name }) => name);
  return {
    entities: Object.fromEntries(
      expiring.map((name) => [
        name,
        { begins: [{ from: roles[1], reference: name }], expires: true as const },
      ]),
    ),
    rules: expiring.map((name) => ({
      id: "reference.expired",
      severity: "warning" as const,
      docs: "The reference was returned before the program continued, so it may now refer to a different object.",
      says: `The ${roles[1]} returned {value} before the program continued`,
      from: roles[0],
      reference: name,
      test: { "": { past: name } },
    })),
  };
});

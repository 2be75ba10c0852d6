import { isObject, ownField } from "../../../runtime/protocol/message-fields.js";
import type { FieldStep, FieldTable } from "../../../generator/model/field-table.js";
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

/** Maximum depth to search. */
const maxDepth = 512;

/** Finds the references in messages, by kind. */
export class References {
  readonly #protocol: Protocol;
  readonly #fields: FieldTable;
  #message: JudgedMessage | undefined;
  /** The references in the current message. */
  readonly #references = new Map<string, Reference[]>();

  constructor(protocol: Protocol, fields: FieldTable) {
    this.#protocol = protocol;
    this.#fields = fields;
  }

  of(message: JudgedMessage, kind: string): readonly Reference[] {
    if (message !== this.#message) this.#visit(message);
    return this.#references.get(kind) ?? [];
  }

  #visit(message: JudgedMessage): void {
    this.#message = message;
    this.#references.clear();
    const { kind, fields } = message;
    const field = this.#protocol.envelope[kind]?.name;
    const name = field === undefined ? message.name : fields[field];
    if (typeof name !== "string") return;
    const root = ownField(this.#fields.roots[kind], name) as string | undefined;
    if (root !== undefined) this.#object(root, fields, undefined, 0);
  }

  #object(definition: string, value: Fields, owner: PartPath | undefined, depth: number): void {
    const steps = this.#fields.objects[definition];
    for (const name in steps) {
      const property = ownField(value, name);
      if (property === undefined || property === null) continue;
      const step = steps[name]!;
      const path = { owner, key: name };
      if (step.list !== true) this.#item(step, property, path, depth);
      else if (Array.isArray(property))
        property.forEach((item, key) => this.#item(step, item, { owner: path, key }, depth));
    }
  }

  #item({ kind, except, to }: FieldStep, value: unknown, path: PartPath, depth: number): void {
    if (kind === undefined) {
      if (to !== undefined && isObject(value) && depth < maxDepth)
        this.#object(to, value, path, depth + 1);
      return;
    }
    // A value of any other type is not a reference.
    if ((typeof value !== "number" && typeof value !== "string") || value === except) return;
    const references = this.#references.get(kind) ?? [];
    this.#references.set(kind, references);
    references.push({ value, path });
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

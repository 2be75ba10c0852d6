import type { Protocol } from "../../../generator/model/protocol.js";
import type { JudgedMessage } from "../judged-message.js";
import type { JudgedProtocol } from "../judged-protocol.js";
import type { PartPath } from "../parts-walk.js";
import { oncePer } from "../../../generator/model/once.js";
import type { RuleTable } from "./rule-table.js";

/** A reference in a message, with its location. */
export interface Reference {
  readonly value: unknown;
  readonly path: PartPath;
}

/** Finds the references in messages, by kind. */
export class References {
  readonly #judged: JudgedProtocol;
  /** By kind, the value that means "no reference". */
  readonly #except: ReadonlyMap<string, unknown>;
  #message: JudgedMessage | undefined;
  /** The references in the current message. */
  readonly #references = new Map<string, Reference[]>();

  constructor(judged: JudgedProtocol) {
    const { references = [] } = judged.protocol;
    this.#judged = judged;
    this.#except = new Map(references.map(({ name, except }) => [name, except]));
  }

  of(message: JudgedMessage, kind: string): readonly Reference[] {
    if (message !== this.#message) this.#visit(message);
    return this.#references.get(kind) ?? [];
  }

  #visit(message: JudgedMessage): void {
    const { definition, fields } = message;
    this.#message = message;
    this.#references.clear();
    if (definition === undefined) return;
    this.#judged.parts.visit(definition, fields, {
      property: ({ reference: kind }, path, value) => {
        if (kind === undefined) return;
        if (!Array.isArray(value)) this.#add(kind, value, path);
        else value.forEach((item, key) => this.#add(kind, item, { owner: path, key }));
      },
    });
  }

  #add(kind: string, value: unknown, path: PartPath): void {
    // A value of any other type is not a reference.
    if (typeof value !== "number" && typeof value !== "string") return;
    if (value === this.#except.get(kind)) return;
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

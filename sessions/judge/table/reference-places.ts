import { isObject } from "../../../runtime/index.js";
import type { FieldTable } from "../../../generator/model/field-table.js";
import { ownField } from "../../../runtime/protocol/message-fields.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Fields } from "../../read/message-reader.js";
import type { JudgedMessage } from "../state/judged-message.js";
import type { PartPath } from "../state/part-path.js";

/** A reference in a message, with its location. */
export interface ReferencePlace {
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
export class ReferencePlaces {
  readonly #protocol: Protocol;
  readonly #fields: FieldTable;
  readonly #kinds: ReadonlySet<string>;
  readonly #steps = new Map<string, readonly Step[]>();
  #message: JudgedMessage | undefined;
  /** The references in the current message. */
  readonly #found = new Map<string, ReferencePlace[]>();

  /** @param kinds Kinds of references to find. */
  constructor(protocol: Protocol, fields: FieldTable, kinds: ReadonlySet<string>) {
    this.#protocol = protocol;
    this.#fields = fields;
    this.#kinds = kinds;
  }

  of(message: JudgedMessage, kind: string): readonly ReferencePlace[] {
    if (message !== this.#message) this.#visit(message);
    return this.#found.get(kind) ?? nothing;
  }

  #visit(message: JudgedMessage): void {
    this.#message = message;
    for (const found of this.#found.values()) if (found.length > 0) found.length = 0;
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
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      if (own === undefined || own === null) continue;
      if (!step.isList) this.#item(step, own, { owner, key: name }, depth);
      else if (Array.isArray(own)) {
        const list = { owner, key: name };
        for (let key = 0; key < own.length; key++)
          this.#item(step, own[key], { owner: list, key }, depth);
      }
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
    const places = this.#found.get(kind);
    if (places === undefined) this.#found.set(kind, [{ value, path }]);
    else places.push({ value, path });
  }

  /** Returns the properties of a definition that lead to references. */
  #stepsOf(definition: string): readonly Step[] {
    let steps = this.#steps.get(definition);
    if (steps !== undefined) return steps;
    const own: Step[] = [];
    // Store the array before it is complete, because the definition may reference itself.
    this.#steps.set(definition, (steps = own));
    for (const [name, { kind, except, to, list }] of Object.entries(
      this.#fields.objects[definition] ?? {},
    )) {
      if (kind === undefined ? to === undefined || !this.#leads(to) : !this.#kinds.has(kind))
        continue;
      own.push({
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

import {
  visitMessage,
  type AnyVisitors,
  type EnvelopeTable,
  type FieldTable,
} from "../../../runtime/index.js";
import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "../state/judged-message.js";

/** A value of a message that refers to something, and its JSON Pointer. */
export interface ReferencePlace {
  readonly value: unknown;
  readonly pointer: string;
}

/** Finds the values of messages that refer to something, by what they refer to. */
export class ReferencePlaces {
  readonly #protocol: Protocol;
  readonly #fields: FieldTable;
  readonly #visitors: AnyVisitors;
  #message: JudgedMessage | undefined;
  /** Of the message that is looked at. */
  readonly #found = new Map<string, ReferencePlace[]>();

  /** @param kinds References that are looked for. */
  constructor(protocol: Protocol, fields: FieldTable, kinds: ReadonlySet<string>) {
    this.#protocol = protocol;
    this.#fields = fields;
    this.#visitors = Object.fromEntries(
      [...kinds].map((kind) => [
        kind,
        (value: unknown, pointer: string): unknown => {
          // Any other value refers to nothing.
          if (typeof value === "number" || typeof value === "string")
            this.#add(kind, { value, pointer });
          return value;
        },
      ]),
    );
  }

  of(message: JudgedMessage, kind: string): readonly ReferencePlace[] {
    if (message !== this.#message) this.#visit(message);
    return this.#found.get(kind) ?? [];
  }

  #visit(message: JudgedMessage): void {
    this.#message = message;
    this.#found.clear();
    const { kind, name, fields } = message;
    const envelope = this.#protocol.envelope as EnvelopeTable;
    visitMessage(
      this.#fields,
      envelope,
      fields,
      this.#visitors,
      kind === "response" ? name : undefined,
    );
  }

  #add(kind: string, place: ReferencePlace): void {
    const places = this.#found.get(kind);
    if (places === undefined) this.#found.set(kind, [place]);
    else places.push(place);
  }
}

import {
  visitMessage,
  type AnyVisitors,
  type EnvelopeTable,
  type FieldTable,
} from "../../../runtime/index.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { Protocol } from "../../model/protocol.js";
import { rememberedKey } from "../../session/remembered.js";
import type { JudgedMessage } from "./judged-message.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/** A value of a message that refers to something, and its JSON Pointer. */
export interface ReferencePlace {
  readonly value: unknown;
  readonly pointer: string;
}

/** References that mean nothing any more once the program has run on and stopped again. */
export class ExpiringReferences {
  readonly #protocol: Protocol;
  /** Where references stand; undefined if none expires. */
  readonly #fields: FieldTable | undefined;
  /** For messages of the role that uses references, and of the one that gives them. */
  readonly #uses: AnyVisitors;
  readonly #gives: AnyVisitors;
  /** Number of stops so far, each after the program ran on; and the stop at which each reference was last given. */
  #stops = 0;
  #hasResumed = false;
  readonly #givenAt: LatestEntries<string, number>;
  #expired: ReferencePlace[] = [];

  /** @param limit How many references are remembered. */
  constructor({ protocol, references }: JudgedProtocol, limit: number) {
    this.#protocol = protocol;
    this.#fields = references;
    this.#givenAt = new LatestEntries(limit);
    this.#gives = this.#visitors((key) => this.#givenAt.set(key, this.#stops));
    this.#uses = this.#visitors((key, place) => {
      const stop = this.#givenAt.get(key);
      if (stop !== undefined && stop < this.#stops) this.#expired.push(place);
    });
  }

  /** The references in a message that were given before the last stop. */
  expiredIn(message: JudgedMessage): readonly ReferencePlace[] {
    if (!this.#isUser(message)) return [];
    this.#expired = [];
    this.#visit(message, this.#uses);
    return this.#expired;
  }

  follow(message: JudgedMessage): void {
    if (message.kind !== "response") this.#followProgram(message.name ?? "");
    if (!this.#isUser(message)) this.#visit(message, this.#gives);
  }

  /** A request or an event came, by which the program may have run on or stopped. */
  #followProgram(name: string): void {
    const { resumes, stops } = this.#protocol.conversation ?? {};
    if (resumes?.includes(name) === true) this.#hasResumed = true;
    if (stops?.includes(name) === true && this.#hasResumed) {
      this.#stops++;
      this.#hasResumed = false;
    }
  }

  #isUser({ from }: JudgedMessage): boolean {
    return from === this.#protocol.roles[0];
  }

  #visit({ kind, name, fields }: JudgedMessage, visitors: AnyVisitors): void {
    if (this.#fields === undefined) return;
    const envelope = this.#protocol.envelope as EnvelopeTable;
    visitMessage(this.#fields, envelope, fields, visitors, kind === "response" ? name : undefined);
  }

  #visitors(visit: (key: string, place: ReferencePlace) => void): AnyVisitors {
    const expiring = (this.#protocol.references ?? []).filter(({ expires }) => expires === true);
    return Object.fromEntries(
      expiring.map(({ name }) => [
        name,
        (value: unknown, pointer: string): unknown => {
          const key = rememberedKey(value);
          // Any other value refers to nothing.
          if (typeof key === "number" || typeof key === "string")
            visit(`${name} ${key}`, { value, pointer });
          return value;
        },
      ]),
    );
  }
}

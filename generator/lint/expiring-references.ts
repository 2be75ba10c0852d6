import type { Protocol } from "../model/protocol.js";
import {
  visitMessage,
  type AnyVisitors,
  type EnvelopeTable,
  type FieldTable,
} from "../../runtime/index.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { rememberedKey, valueText } from "../session/remembered.js";

type ExpiredHandler = (place: string, text: string) => void;

/** References that a stop of the program makes void, and the use of those that are. */
export class ExpiringReferences {
  readonly #protocol: Protocol;
  readonly #fields: FieldTable | undefined;
  /** What is done with references in messages of the side that uses them, and of the one that gives them. */
  readonly #uses: AnyVisitors;
  readonly #gives: AnyVisitors;
  /** Stops after the program ran on, and the one at which each reference was last given. */
  #stop = 0;
  #hasResumed = false;
  readonly #given: LatestEntries<string, number>;

  /**
   * @param fields Where references stand; undefined if none expires.
   * @param remembered How many are remembered at most.
   * @param onExpired Called with each use of a reference that was given before the last stop.
   */
  constructor(
    protocol: Protocol,
    fields: FieldTable | undefined,
    remembered: number,
    onExpired: ExpiredHandler,
  ) {
    this.#protocol = protocol;
    this.#fields = fields;
    this.#given = new LatestEntries(remembered);
    const expiring = (protocol.references ?? []).filter(({ expires }) => expires === true);
    const visitors = (act: (key: string, value: unknown, place: string) => void): AnyVisitors =>
      Object.fromEntries(
        expiring.map(({ name }) => [
          name,
          (value: unknown, place: string): unknown => {
            const key = rememberedKey(value);
            // Whatever else stands there refers to nothing.
            if (typeof key === "number" || typeof key === "string")
              act(`${name} ${key}`, value, place);
            return value;
          },
        ]),
      );
    this.#gives = visitors((key) => this.#given.set(key, this.#stop));
    this.#uses = visitors((key, value, place) => {
      const given = this.#given.get(key);
      if (given !== undefined && given < this.#stop)
        onExpired(place, `${valueText(value)} was given before the last stop`);
    });
  }

  /** A request or an event came, by which the program may have run on or stopped. */
  follow(name: string): void {
    const { resumes, stops } = this.#protocol.conversation ?? {};
    if (resumes?.includes(name) === true) this.#hasResumed = true;
    if (stops?.includes(name) === true && this.#hasResumed) {
      this.#stop++;
      this.#hasResumed = false;
    }
  }

  /** @param request Name of the request that a response answers. */
  judge(from: string, message: object, request: string | undefined): void {
    if (this.#fields === undefined) return;
    const envelope = this.#protocol.envelope as EnvelopeTable;
    const visitors = from === this.#protocol.roles[0] ? this.#uses : this.#gives;
    visitMessage(this.#fields, envelope, message, visitors, request);
  }
}

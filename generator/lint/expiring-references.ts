import { fieldTableOf } from "../model/field-table.js";
import type { Protocol } from "../model/protocol.js";
import { visitMessage, type AnyVisitors, type EnvelopeTable } from "../../runtime/index.js";
import { LatestEntries } from "../../runtime/latest-entries.js";
import { maxRemembered } from "./remembered.js";

type ExpiredHandler = (place: string, text: string) => void;

/** References that a stop of the program makes void, and the use of those that are. */
export class ExpiringReferences {
  readonly #protocol: Protocol;
  readonly #fields: ReturnType<typeof fieldTableOf> | undefined;
  /** What is done with references in messages of the side that uses them, and of the one that gives them. */
  readonly #uses: AnyVisitors;
  readonly #gives: AnyVisitors;
  /** Stops after the program ran on, and the one at which each reference was last given. */
  #stop = 0;
  #hasResumed = false;
  readonly #given = new LatestEntries<string, number>(maxRemembered);

  /** @param onExpired Called with each use of a reference that was given before the last stop. */
  constructor(protocol: Protocol, onExpired: ExpiredHandler) {
    this.#protocol = protocol;
    const expiring = (protocol.references ?? []).filter(({ expires }) => expires === true);
    this.#fields = expiring.length === 0 ? undefined : fieldTableOf(protocol);
    const visitors = (act: (key: string, value: unknown, place: string) => void): AnyVisitors =>
      Object.fromEntries(
        expiring.map(({ name }) => [
          name,
          (value: unknown, place: string): unknown => {
            act(`${name} ${String(value)}`, value, place);
            return value;
          },
        ]),
      );
    this.#gives = visitors((key) => this.#given.set(key, this.#stop));
    this.#uses = visitors((key, value, place) => {
      const given = this.#given.get(key);
      if (given !== undefined && given < this.#stop)
        onExpired(place, `${String(value)} was given before the last stop`);
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

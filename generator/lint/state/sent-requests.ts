import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { Protocol } from "../../model/protocol.js";
import { rememberedKey, shortName } from "../../session/remembered.js";
import type { Fields } from "../../session/typed-walk.js";
import type { JudgedMessage, SentRequest } from "./judged-message.js";

/** The latest requests of each role. Answered ones are kept, so that a second response is recognised. */
export class SentRequests {
  readonly #protocol: Protocol;
  readonly #byRole: ReadonlyMap<string, LatestEntries<unknown, SentRequest>>;

  readonly #seenBy = new Map<string, number>();
  /** By role, the number of its first request. */
  readonly #first = new Map<string, unknown>();
  /** Roles of whose requests the source does not tell the numbers. */
  readonly #unnumbered = new Set<string>();

  /** @param limit How many requests of a role are kept. */
  constructor(protocol: Protocol, limit: number) {
    this.#protocol = protocol;
    this.#byRole = new Map(protocol.roles.map((role) => [role, new LatestEntries(limit)]));
  }

  /** The request whose number a response has. */
  answeredBy(responder: string, response: Fields): SentRequest | undefined {
    const { roles, envelope } = this.#protocol;
    const sender = roles[0] === responder ? roles[1] : roles[0];
    return this.#byRole.get(sender)!.get(rememberedKey(response[envelope.replyTo ?? ""]));
  }

  /** Whether a response may answer a request that is not in the recording, or not with its number. */
  isUnseen(responder: string, response: Fields, isLater: boolean): boolean {
    const { roles, envelope } = this.#protocol;
    const sender = roles[0] === responder ? roles[1] : roles[0];
    if (this.#unnumbered.has(sender)) return true;
    if (!isLater) return false;
    const first = this.#first.get(sender);
    const number = response[envelope.replyTo ?? ""];
    return typeof first !== "number" || typeof number !== "number" || number < first;
  }

  /** Number of the latest message of the other side that a role has surely seen: a round trip has passed since. */
  seenBy(role: string): number {
    return this.#seenBy.get(role) ?? 0;
  }

  /** The requests of a role, the oldest first. */
  of(role: string): readonly SentRequest[] {
    return this.#byRole.get(role)!.values();
  }

  follow(message: JudgedMessage): void {
    const { request } = message;
    if (message.kind === "response" && request !== undefined) {
      request.isAnswered = true;
      this.#seenBy.set(request.from, Math.max(this.seenBy(request.from), request.index));
    }
    if (message.kind !== "request") return;
    const { from, fields } = message;
    const { id = "" } = this.#protocol.envelope;
    if (message.unknown?.includes(`/${id}`) === true) {
      this.#unnumbered.add(from);
      return;
    }
    if (!this.#first.has(from)) this.#first.set(from, fields[id]);
    this.#byRole.get(from)!.set(rememberedKey(fields[id]), {
      index: message.index,
      label: message.label,
      from,
      session: message.session,
      time: message.time,
      offset: message.offset,
      line: message.line,
      unknown: message.unknown,
      name: shortName(message.name ?? ""),
      isAnswered: false,
    });
  }
}

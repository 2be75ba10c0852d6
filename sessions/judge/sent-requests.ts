import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { isUnanswered, requestsOf } from "../../generator/model/queries.js";
import { rememberedKey } from "../read/remembered.js";
import type { Fields } from "../read/message-reader.js";
import {
  sentRequest,
  type EntryPlace,
  type JudgedMessage,
  type SentRequest,
} from "./judged-message.js";
import type { Gap, SessionKnowledge } from "./knowledge.js";

/** The requests that one role has sent. */
interface RoleRequests {
  /** The latest requests, including answered ones, so that a second response is recognised. */
  readonly latest: LatestEntries<unknown, SentRequest>;
  readonly unanswered: Map<unknown, SentRequest>;
  count: number;
  /** Ids of the first and last requests. */
  first: unknown;
  last: unknown;
  /** Position of the last request in the session. */
  lastAt: number;
  /** Whether the recording's source omits request ids. */
  isUnnumbered: boolean;
  /** Number of unanswered requests that could not be remembered because there were too many. */
  forgotten: number;
}

/** Tracks each role's requests and matches responses to them. */
export class SentRequests {
  readonly #protocol: Protocol;
  readonly #limit: number;
  readonly #knowledge: SessionKnowledge;
  readonly #byRole: ReadonlyMap<string, RoleRequests>;
  readonly #seenBy = new Map<string, number>();
  /** Names of requests that have no response. */
  readonly #isUnanswered: ReadonlySet<string>;

  /**
   * @param limit Maximum number of requests to remember for each role. The same limit applies
   * separately to its unanswered requests.
   */
  constructor(protocol: Protocol, limit: number, knowledge: SessionKnowledge) {
    this.#protocol = protocol;
    this.#limit = limit;
    this.#knowledge = knowledge;
    this.#isUnanswered = new Set(
      requestsOf(protocol)
        .filter(isUnanswered)
        .map(({ name }) => name),
    );
    this.#byRole = new Map(
      protocol.roles.map((role) => [
        role,
        {
          latest: new LatestEntries(limit),
          unanswered: new Map(),
          count: 0,
          first: undefined,
          last: undefined,
          lastAt: 0,
          isUnnumbered: false,
          forgotten: 0,
        },
      ]),
    );
  }

  /** Looks up, by id, the request that a response answers. */
  answeredBy(responder: string, response: Fields): SentRequest | undefined {
    const { latest, unanswered } = this.#answeredWith(responder);
    const key = this.#keyOf(response);
    return unanswered.get(key) ?? latest.get(key);
  }

  /**
   * Returns why a response may belong to a request that is not remembered, or undefined if it
   * certainly does not.
   */
  gapOf(responder: string, response: Fields): Gap | undefined {
    const { isUnnumbered, first, last, count } = this.#answeredWith(responder);
    if (isUnnumbered) return "log";
    const gap = this.#knowledge.gapOf("both sides") ?? this.#knowledge.gapOf("start");
    const number = response[this.#protocol.envelope.replyTo ?? ""];
    const isCounted = typeof number === "number";
    if (gap === "start")
      return isCounted && typeof first === "number" && number >= first ? undefined : gap;
    if (gap !== undefined) return gap;
    const isLater = isCounted && typeof last === "number" && number > last;
    return count > this.#limit >> 1 && !isLater ? "memory" : undefined;
  }

  /**
   * Returns the position of a role's latest answered request. The role has certainly received every
   * message that the other side sent before that request.
   */
  seenBy(role: string): number {
    return this.#seenBy.get(role) ?? 0;
  }

  /** Records that the request at the given location was answered. */
  see({ from, index }: EntryPlace): void {
    this.#seenBy.set(from, Math.max(this.seenBy(from), index));
  }

  /** Returns a role's unanswered requests, oldest first. */
  unanswered(role: string): Iterable<SentRequest> {
    return this.#byRole.get(role)!.unanswered.values();
  }

  /** Returns the position in the session of a role's latest request. */
  lastOf(role: string): number {
    return this.#byRole.get(role)!.lastAt;
  }

  /**
   * Returns how many of a role's unanswered requests were not remembered because there were too
   * many.
   */
  forgotten(role: string): number {
    return this.#byRole.get(role)!.forgotten;
  }

  follow(message: JudgedMessage): void {
    const { kind, from, fields, request } = message;
    if (kind === "response" && request !== undefined) {
      request.isAnswered = true;
      request.body = undefined;
      this.#answeredWith(from).unanswered.delete(this.#keyOf(fields));
      this.see(request);
    }
    if (kind !== "request") return;
    const { id = "" } = this.#protocol.envelope;
    const requests = this.#byRole.get(from)!;
    if (message.unknown?.includes(`/${id}`) === true) {
      requests.isUnnumbered = true;
      return;
    }
    const number = fields[id];
    if (requests.count++ === 0) requests.first = number;
    requests.last = number;
    requests.lastAt = message.index;
    const key = rememberedKey(number);
    const sent = sentRequest(message);
    requests.latest.set(key, sent);
    if (this.#isUnanswered.has(sent.name)) return;
    if (requests.unanswered.size < this.#limit) requests.unanswered.set(key, sent);
    else requests.forgotten++;
  }

  /** Returns the requests of the role that receives responses from `responder`. */
  #answeredWith(responder: string): RoleRequests {
    const [one, other] = this.#protocol.roles;
    return this.#byRole.get(one === responder ? other : one)!;
  }

  #keyOf(response: Fields): unknown {
    return rememberedKey(response[this.#protocol.envelope.replyTo ?? ""]);
  }
}

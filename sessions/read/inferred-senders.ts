import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { kindReaderOf } from "./message-kind.js";
import { maxRemembered, rememberedKey } from "./remembered.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Minimum share of a protocol's requests or events that a role must be able to send to count as
 * their usual sender.
 */
const usualShare = 0.9;

/**
 * Facts about a role that help to identify its next messages: its unanswered requests and its latest
 * sequence number.
 */
interface Sent {
  /** Names of the role's unanswered requests, by id. */
  readonly open: LatestEntries<unknown, string>;
  /** Sequence number of the role's latest message, if the protocol uses sequence numbers. */
  last: number | undefined;
}

/**
 * Infers the senders of messages in a file that contains both directions but does not name the
 * senders.
 *
 * A response comes from the side that received a request with its id. A custom message comes from
 * the side whose sequence numbers it continues or, failing that, from the side that sends nearly
 * all messages of its kind.
 */
export class InferredSenders {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #sent: ReadonlyMap<string, Sent>;
  /** Whether ids are sequence numbers. They are not if responses repeat the id of their request. */
  readonly #isCounted: boolean;
  readonly #usual: Readonly<Record<"request" | "event", string | undefined>>;

  constructor(protocol: Protocol) {
    const { id, replyTo } = protocol.envelope;
    this.#protocol = protocol;
    this.#kindOf = kindReaderOf(protocol);
    this.#sent = new Map(
      protocol.roles.map((role) => [
        role,
        { open: new LatestEntries<unknown, string>(maxRemembered), last: undefined },
      ]),
    );
    this.#isCounted = id !== undefined && id !== replyTo;
    this.#usual = {
      request: usualSender(protocol, "request"),
      event: usualSender(protocol, "event"),
    };
  }

  /** Infers the sender of the next entry. Returns undefined if that is impossible. */
  senderOf({ from, message }: RecordedEntry): string | undefined {
    if (message === undefined) return from;
    const { id = "", replyTo = "", request, response } = this.#protocol.envelope;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    const number = this.#isCounted ? fields[id] : undefined;
    let sender = from;
    if (kind === "request") {
      sender ??= this.#continued(number) ?? this.#usual.request;
      const key = rememberedKey(fields[id]);
      if (key !== undefined)
        this.#sent.get(sender ?? "")?.open.set(key, nameText(fields[request.name]));
    } else if (kind === "event") sender ??= this.#continued(number) ?? this.#usual.event;
    else if (kind === "response") {
      const name = response?.name === undefined ? undefined : nameText(fields[response.name]);
      const key = rememberedKey(fields[replyTo]);
      sender ??= this.#asked(key, name);
      this.#sent.get(this.#otherThan(sender) ?? "")?.open.delete(key);
    }
    const own = this.#sent.get(sender ?? "");
    if (own !== undefined && typeof number === "number") own.last = number;
    return sender;
  }

  /** Returns the role that received a request with this id, or undefined if neither or both did. */
  #asked(key: unknown, name: string | undefined): string | undefined {
    const { roles } = this.#protocol;
    const asking = roles.filter((role) => this.#sent.get(role)!.open.get(key) !== undefined);
    const named = asking.filter((role) => this.#sent.get(role)!.open.get(key) === name);
    const [one, ...more] = asking.length > 1 ? named : asking;
    return more.length === 0 ? this.#otherThan(one) : undefined;
  }

  /**
   * Returns the role whose latest sequence number immediately precedes this one. Returns undefined
   * if that is true of neither role or of both.
   */
  #continued(number: unknown): string | undefined {
    if (typeof number !== "number") return undefined;
    const [one, ...more] = this.#protocol.roles.filter(
      (role) => this.#sent.get(role)!.last === number - 1,
    );
    return more.length === 0 ? one : undefined;
  }

  #otherThan(role: string | undefined): string | undefined {
    return role === undefined ? undefined : this.#protocol.roles.find((each) => each !== role);
  }
}

function nameText(name: unknown): string {
  return typeof name === "string" ? name : "";
}

function usualSender({ roles, messages }: Protocol, kind: "request" | "event"): string | undefined {
  const all = messages.filter((each) => each.kind === kind);
  return roles.find(
    (role) => all.filter(({ sender }) => sender === role).length > all.length * usualShare,
  );
}

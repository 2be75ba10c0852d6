import { LatestEntries } from "../../runtime/base/latest-entries.js";
import type { Protocol } from "../model/protocol.js";
import { kindReaderOf } from "./message-kind.js";
import { maxRemembered, rememberedKey } from "./remembered.js";
import type { RecordedEntry } from "./entries/recorded-entry.js";

type Fields = Readonly<Record<string, unknown>>;

/** If a role sends at least this share of the messages of a kind, it is assumed to send the others, too. */
const usualShare = 0.9;

/** Numbers and names of the messages of a role. */
interface Sent {
  /** Names of its requests without a response, by id. */
  readonly open: LatestEntries<unknown, string>;
  /** Number of its latest message, if messages are counted. */
  last: number | undefined;
}

/**
 * Infers who sent the messages of a file with both directions that does not say so. A response comes from the side that
 * was asked with its id. A custom message comes from the side whose numbers it continues; if that does not say, from
 * the side that sends nearly all messages of its kind.
 */
export class InferredSenders {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #sent: ReadonlyMap<string, Sent>;
  /** Where responses repeat the id of their request, ids do not count messages. */
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

  /** Takes in the next entry. Returns its sender; undefined if that remains open. */
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

  /** The only role that was asked with an id. */
  #asked(key: unknown, name: string | undefined): string | undefined {
    const { roles } = this.#protocol;
    const asking = roles.filter((role) => this.#sent.get(role)!.open.get(key) !== undefined);
    const named = asking.filter((role) => this.#sent.get(role)!.open.get(key) === name);
    const [one, ...more] = asking.length > 1 ? named : asking;
    return more.length === 0 ? this.#otherThan(one) : undefined;
  }

  /** The only role whose next number this is. */
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

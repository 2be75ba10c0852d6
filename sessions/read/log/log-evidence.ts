import type { Protocol } from "../../../generator/model/protocol.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { shortText } from "../remembered.js";
import { otherRole } from "../message-reader.js";
import { hasName } from "./log-connections.js";
import { areOpposite, type LogHead } from "./log-head.js";
import type { LogSource } from "./log-summary.js";
import type { MessageForm } from "./message-form.js";

/** Counts of the values whose heads share a shape or a mark. */
interface Tally {
  readonly mark: string;
  values: number;
  messages: number;
  malformed: number;
  /** Number of messages whose names the protocol defines. */
  defined: number;
  /** Number of messages that only one role may send, by role, and in words. */
  readonly votes: Map<string, number>;
  readonly kinds: Map<string, number>;
}

/** Maximum number of shapes, and of marks. */
const maxTallies = 2_000;

/** Minimum share of messages from one role if that role sent all of them. */
const clearShare = 0.9;

/** Number of messages after which a shape outweighs the name of a message. */
const firmVotes = 5;

/** Marks that name the sender or the receiver, and the index of the sender in the roles. */
const namedSides: Readonly<Record<string, 0 | 1>> = {
  "from client": 0,
  "to client": 1,
  "from server": 1,
  "to server": 0,
};

/** Share of named messages that the protocol must define if a log is to be one of its sessions. */
const definedShare = 0.15;

/** Maximum share of names with a slash in a protocol that has none. */
const foreignShare = 0.2;

/**
 * Learns from the messages in a log what the words in front of them mean: whether a value is a
 * message, and which role sent it.
 */
export class LogEvidence {
  readonly #protocol: Protocol;
  readonly #shapes = new Map<string, Tally>();
  readonly #marks = new Map<string, Tally>();
  /** The senders of unanswered requests, by id. Both roles may have used an id. */
  readonly #asked = new LatestEntries<unknown, readonly (string | undefined)[]>(10_000);
  readonly #given: readonly (readonly [shape: string, role: string])[];
  readonly #isConstant: boolean;
  readonly #hasSlashes: boolean;
  #messages = 0;
  #named = 0;
  #defined = 0;
  #numbered = 0;
  /** Number of names with a slash, if the protocol has none. */
  #foreign = 0;
  #hasForeignOpening = false;
  readonly #opposites = new Map<string, Tally | undefined>();
  /** The first name of a message that the protocol does not define. */
  #unknownName: string | undefined;

  /** @param given Senders given by the user, by a part of their shapes. */
  constructor(protocol: Protocol, given: ReadonlyMap<string, string>) {
    this.#protocol = protocol;
    this.#given = [...given];
    const { messages } = protocol;
    this.#hasSlashes = messages.length === 0 || messages.some(({ name }) => name.includes("/"));
    this.#isConstant = Object.keys(protocol.envelope.constants).length > 0;
  }

  /** Adds a value. */
  add(head: LogHead, form: MessageForm): void {
    const sender = form.sender ?? this.#answerer(head, form);
    if (form.kind === "request" && form.id !== undefined) {
      const role = sender ?? this.#learnedRole(head);
      const roles = this.#asked.get(form.id) ?? [];
      this.#asked.set(form.id, roles.includes(role) ? roles : [...roles, role]);
    }
    if (form.fit === "message") {
      this.#messages++;
      if (form.name !== undefined) this.#named++;
      if (form.name?.includes("/") === true && !this.#hasSlashes) this.#foreign++;
      this.#hasForeignOpening ||= form.isForeign === true;
      if (form.isDefined === true) this.#defined++;
      else this.#unknownName ??= form.name;
    }
    const isNumbered = typeof form.id === "number" || this.#namedSide(head.mark) !== undefined;
    if (form.fit !== "none" && isNumbered) this.#numbered++;
    for (const [tallies, key] of [
      [this.#shapes, head.shape],
      [this.#marks, head.mark],
    ] as const) {
      let tally = tallies.get(key);
      if (tally === undefined) {
        if (tallies.size === maxTallies) continue;
        const counts = { values: 0, messages: 0, malformed: 0, defined: 0 };
        tally = { mark: head.mark, ...counts, votes: new Map(), kinds: new Map() };
        tallies.set(key, tally);
        this.#opposites.clear();
      }
      tally.values++;
      if (form.fit === "message") tally.messages++;
      else if (form.fit === "malformed") tally.malformed++;
      if (form.fit !== "none" && (form.isDefined === true || sender !== undefined)) tally.defined++;
      if (sender === undefined) continue;
      tally.votes.set(sender, (tally.votes.get(sender) ?? 0) + 1);
      const kind = `${sender} ${form.kind}`;
      tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
    }
  }

  /** Returns whether there were values whose heads have a shape. */
  hasShape(shape: string): boolean {
    return this.#shapes.has(shape);
  }

  /** Returns whether any value but those with the given shape has a name in front of it. */
  hasName(name: string, except: string): boolean {
    return [...this.#shapes.keys()].some((shape) => shape !== except && hasName(shape, name));
  }

  /** Whether the names of the messages so far are those of another protocol. */
  get isForeign(): boolean {
    return this.#hasForeignOpening || this.#foreign > this.#named * foreignShare;
  }

  /** Whether the messages so far are a session of the protocol, rather than other JSON. */
  get isSession(): boolean {
    if (this.#messages === 0) return false;
    // Without its schema, only the envelope of a protocol is known.
    if (this.#protocol.messages.length === 0)
      return this.#isConstant || (this.#named > 0 && this.#numbered > 0);
    if (this.#named === 0) return this.#isConstant;
    return (
      this.#defined > 0 &&
      !this.isForeign &&
      this.#numbered > 0 &&
      (this.#named < 4 || this.#defined >= this.#named * definedShare)
    );
  }

  /** The reason why the values are not a session of the protocol, in words. */
  get doubt(): string {
    const { title } = this.#protocol;
    if (this.#messages === 0) return "none is a request, an event or a response";
    if (this.#hasForeignOpening) return `the first request has no parameters of the ${title}`;
    return this.#unknownName === undefined
      ? `nothing shows that they are messages of the ${title}`
      : `the ${title} does not define messages such as ${JSON.stringify(shortText(this.#unknownName, 40))}`;
  }

  /** Returns whether a value is a message, even if it is malformed or damaged. */
  isMessage(head: LogHead, form: MessageForm, isDamaged: boolean): boolean {
    if (!this.isSession) return false;
    const tallies = this.#talliesOf(head);
    if (form.fit === "message")
      return (
        form.isDefined === true ||
        this.#protocol.messages.length === 0 ||
        tallies.some((each) => each !== undefined && each.defined > 0) ||
        (form.kind === "response" && form.name === undefined)
      );
    const isLike = tallies.some((each) => each !== undefined && each.messages > 0);
    if (form.fit === "malformed") return isLike || form.isDefined === true;
    if (isDamaged) return isLike;
    const [tally] = tallies;
    return (
      head.shape !== "" &&
      tally !== undefined &&
      tally.messages > 2 &&
      tally.messages + tally.malformed > tally.values * 0.8
    );
  }

  /** Returns the role that sent a message. Undefined if neither its words nor its name tell. */
  senderOf(head: LogHead, { sender }: MessageForm): string | undefined {
    const given = this.#given.find(([part]) => head.shape.includes(part));
    if (given !== undefined) return given[1];
    const { role, votes } = this.#verdict(head) ?? {};
    if (role === undefined) return sender ?? this.#namedSide(head.mark);
    return sender !== undefined && sender !== role && votes! < firmVotes ? sender : role;
  }

  /** The sources of the messages, those with the most messages first. */
  get sources(): readonly LogSource[] {
    return [...this.#shapes]
      .filter(([, { messages, malformed }]) => messages + malformed > 0)
      .sort(([, one], [, other]) => other.messages - one.messages)
      .map(([shape, { mark, messages, malformed, votes, kinds }]) => {
        const given = this.#given.find(([part]) => shape.includes(part))?.[1];
        const stated = clearRole(votes);
        const isMixed = stated === undefined && votes.size > 1;
        const isCertain = (stated?.votes ?? 0) >= messages + malformed;
        const learned = isCertain ? stated : isMixed ? undefined : this.#verdict({ shape, mark });
        const from = given ?? learned?.role;
        const counts = [...kinds]
          .sort(([, one], [, other]) => other - one)
          .flatMap(([kind, count]) => {
            const [role, noun] = kind.split(" ");
            const text = `${noun}${count === 1 ? "" : "s"}`;
            if (from === undefined) return `${count} ${role} ${text}`;
            return role === from ? `${count} ${text}` : [];
          });
        return {
          shape,
          messages: messages + malformed,
          ...(from === undefined ? {} : { from }),
          ...(from === undefined && isMixed ? { isMixed } : {}),
          evidence: given !== undefined ? "as given" : counts.join(", "),
        };
      });
  }

  #verdict(
    head: Pick<LogHead, "shape" | "mark">,
  ): { readonly role: string; readonly votes: number } | undefined {
    const tallies = this.#talliesOf(head);
    const [byShape, byMark, byOpposite] = tallies.map((tally) => clearRole(tally?.votes));
    if (byShape !== undefined) return byShape;
    if (byMark !== undefined) return byMark;
    const role = otherRole(this.#protocol, byOpposite?.role);
    return role === undefined ? undefined : { role, votes: 0 };
  }

  /** Returns the tallies of a head's shape, its mark, and the mark that says the opposite. */
  #talliesOf({ shape, mark }: Pick<LogHead, "shape" | "mark">): readonly (Tally | undefined)[] {
    const tally = this.#shapes.get(shape);
    return mark === "" ? [tally] : [tally, this.#marks.get(mark), this.#opposite(mark)];
  }

  /** Returns the tally of the mark that says the opposite, if only one does. */
  #opposite(mark: string): Tally | undefined {
    if (!this.#opposites.has(mark)) {
      const marks = [...this.#marks.keys()].filter((other) => areOpposite(mark, other));
      this.#opposites.set(mark, marks.length === 1 ? this.#marks.get(marks[0]!) : undefined);
    }
    return this.#opposites.get(mark);
  }

  #namedSide(mark: string): string | undefined {
    const index = namedSides[mark];
    return index === undefined ? undefined : this.#protocol.roles[index];
  }

  /** Returns the role that received the request that a nameless response answers. */
  #answerer(head: LogHead, { kind, name, id }: MessageForm): string | undefined {
    const roles = kind === "response" && name === undefined ? this.#asked.get(id) : undefined;
    if (roles === undefined) return undefined;
    const answerer = roles.length === 1 ? otherRole(this.#protocol, roles[0]) : undefined;
    const asker = otherRole(this.#protocol, answerer ?? this.#learnedRole(head));
    const answered = roles.includes(asker) ? asker : undefined;
    this.#asked.set(
      id,
      roles.filter((role) => role !== answered),
    );
    return answerer;
  }

  /** Returns the sender according to the words in front of a message. */
  #learnedRole(head: LogHead): string | undefined {
    return this.#verdict(head)?.role ?? this.#namedSide(head.mark);
  }
}

/** Returns the role that has nearly all votes. */
function clearRole(
  votes: ReadonlyMap<string, number> = new Map(),
): { readonly role: string; readonly votes: number } | undefined {
  let all = 0;
  for (const count of votes.values()) all += count;
  for (const [role, count] of votes) if (count >= all * clearShare) return { role, votes: count };
  return undefined;
}

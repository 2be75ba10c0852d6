import { PlayedAdapter, type AnyMessage } from "./played-adapter.js";
import {
  readExchanges,
  type RecordedExchange,
  type RecordedExchanges,
  type Recording,
} from "./recorded-exchanges.js";
import { option, type Transport } from "@wirewright/runtime";

/** Options for a replayed session. */
export interface ReplayOptions {
  /**
   * Number of the session to play, if the recording contains several. Default: the first session.
   */
  readonly session?: number;
}

const replayChecks = (): option.OptionChecks<ReplayOptions> => ({ session: option.count });

/**
 * Plays the adapter in a recording. The client may send its requests in any order.
 *
 * A request gets the response to the recorded request with the same arguments or, failing that, to
 * the most similar one. If there are several, the one between the same steps of the program is
 * used. Events follow the same request as in the recording. Sequence numbers are those of the new
 * session. Requests that are not in the recording fail, as do steps beyond its end.
 *
 * @throws SyntaxError if the text is not a recording, or Error if it contains no messages from a
 * client.
 */
export function replay(recording: Recording, options: ReplayOptions = {}): Transport {
  option.checkOptions("replay", options, replayChecks());
  const player = new Player(readExchanges(recording, options.session));
  const { adapter } = player;
  return {
    read: (onBytes, onEnd) => adapter.read(onBytes, onEnd),
    write: (bytes) => adapter.write(bytes),
    close: () => adapter.close(),
    destroy: () => adapter.destroy(),
  };
}

/** An exchange, and which parts of it have been played. */
interface Playing extends RecordedExchange {
  /** The values in the request's arguments. */
  readonly leaves: Leaves;
  /**
   * The request's sequence number in the new session; undefined until the client sends the request.
   */
  number: number | undefined;
  /** Whether the exchange's events have been sent. */
  isPlayed: boolean;
  /** Whether the response has been sent. */
  isAnswered: boolean;
  /** The response, and the exchange that must be played before it. */
  answer: { readonly message: AnyMessage; readonly holder: Playing } | undefined;
}

class Player {
  readonly adapter: PlayedAdapter;
  readonly #exchanges: readonly Playing[];
  /** Exchanges of requests, by their sequence numbers in the recording. */
  readonly #recorded = new Map<unknown, Playing>();
  /** Index of the last exchange that includes a message from the adapter. */
  readonly #last: number;
  /**
   * The exchanges in which the client responds to the adapter's requests, by the sequence numbers
   * of those requests.
   */
  readonly #awaited = new Map<unknown, Playing | undefined>();
  #epoch = 0;
  /** Index of the last exchange played. */
  #lastPlayed = -1;

  constructor({ first, exchanges }: RecordedExchanges) {
    this.#exchanges = exchanges.map((exchange) => ({
      ...exchange,
      leaves: leavesOf(exchange.stimulus["arguments"] ?? {}),
      number: undefined,
      isPlayed: false,
      isAnswered: false,
      answer: undefined,
    }));
    for (const exchange of this.#exchanges)
      if (exchange.stimulus["type"] === "request")
        this.#recorded.set(exchange.stimulus["seq"], exchange);
    for (const holder of this.#exchanges)
      for (const message of holder.says) {
        const exchange = this.#askedBy(message);
        if (exchange !== undefined) exchange.answer = { message, holder };
      }
    this.#last = exchanges.map(({ says }) => says.length > 0).lastIndexOf(true);
    this.adapter = new PlayedAdapter(
      (message) => this.#receive(message),
      () => {
        for (const message of first) this.#say(message);
      },
    );
  }

  #receive(message: AnyMessage): void {
    if (message["type"] === "response") {
      const awaited = this.#awaited.get(message["request_seq"]);
      this.#awaited.delete(message["request_seq"]);
      if (awaited !== undefined) this.#play(awaited);
      return;
    }
    if (message["type"] !== "request") return;
    const { seq, command } = message;
    const exchange = this.#find(message);
    if (exchange !== undefined) {
      exchange.number = seq as number;
      exchange.isAnswered = false;
      this.#play(exchange);
    } else if (command === "disconnect")
      this.adapter.send({ type: "response", request_seq: seq, success: true, command });
    else {
      const isKnown = this.#exchanges.some(({ stimulus }) => stimulus["command"] === command);
      const text = `The recording has no ${isKnown ? "further " : ""}"${String(command)}"`;
      const response = { type: "response", request_seq: seq, success: false, command };
      this.adapter.send({ ...response, message: text });
    }
    if (command === "disconnect") this.adapter.end();
  }

  /** Returns the recorded exchange that is most similar to a request. */
  #find({ command, arguments: given }: AnyMessage): Playing | undefined {
    const wanted = leavesOf(given ?? {});
    let best: Playing | undefined;
    let bestRank: readonly number[] = [];
    for (const [index, exchange] of this.#exchanges.entries()) {
      const { stimulus, isStep, epoch, number } = exchange;
      if (stimulus["type"] !== "request" || stimulus["command"] !== command) continue;
      // Play a step only once.
      if (isStep && number !== undefined) continue;
      const rank = [
        likeness(exchange.leaves, wanted),
        epoch === this.#epoch ? 1 : 0,
        number === undefined ? 1 : 0,
        -Math.abs(index - this.#lastPlayed),
      ];
      if (best !== undefined && !isGreater(rank, bestRank)) continue;
      best = exchange;
      bestRank = rank;
    }
    return best;
  }

  #play(exchange: Playing): void {
    const index = this.#exchanges.indexOf(exchange);
    const before = this.#exchanges.slice(0, index);
    // Skip these events if an earlier step has not been requested: they must not replace events
    // that arrived before this request.
    if (before.every(({ isStep, isPlayed }) => isPlayed || !isStep))
      for (const earlier of before) this.#sayAll(earlier);
    this.#lastPlayed = index;
    if (exchange.isStep) this.#epoch = Math.max(this.#epoch, exchange.epoch + 1);
    if (!exchange.isPlayed) this.#sayAll(exchange);
    this.#answer(exchange);
    this.#endIfCut(exchange, index);
  }

  /** Returns the exchange of the request that a message answers. */
  #askedBy({ type, request_seq }: AnyMessage): Playing | undefined {
    return type === "response" ? this.#recorded.get(request_seq) : undefined;
  }

  /** Sends the messages in an exchange, once. */
  #sayAll(exchange: Playing): void {
    if (exchange.isPlayed) return;
    exchange.isPlayed = true;
    for (const message of exchange.says)
      if (message["type"] !== "response") this.#say(message);
      else this.#answer(this.#askedBy(message));
  }

  /** Responds to a request, unless another exchange must be played first. */
  #answer(exchange: Playing | undefined): void {
    if (exchange?.number === undefined || exchange.isAnswered) return;
    if (exchange.answer?.holder.isPlayed !== true) return;
    exchange.isAnswered = true;
    const { message } = exchange.answer;
    this.adapter.send({ ...message, seq: undefined, request_seq: exchange.number });
  }

  /** Sends an event or a request from the adapter. */
  #say(message: AnyMessage): void {
    const { seq, type } = message;
    const number = this.adapter.send({ ...message, seq: undefined });
    if (type !== "request") return;
    const isAnswer = ({ stimulus }: Playing): boolean =>
      stimulus["type"] === "response" && stimulus["request_seq"] === seq;
    this.#awaited.set(number, this.#exchanges.find(isAnswer));
  }

  /**
   * Ends the connection if the recording ends before the response to the last request, because that
   * request may have crashed the adapter.
   */
  #endIfCut({ stimulus, answer }: Playing, index: number): void {
    if (stimulus["type"] !== "request" || answer !== undefined || index < this.#last) return;
    const text = `The recording ends before the response to "${String(stimulus["command"])}"`;
    this.adapter.end(new Error(text));
  }
}

function isGreater(rank: readonly number[], than: readonly number[]): boolean {
  const index = rank.findIndex((value, position) => value !== than[position]);
  return index >= 0 && rank[index]! > than[index]!;
}

/** The values inside a value, as JSON, keyed by their paths. */
type Leaves = ReadonlyMap<string, string>;

/**
 * Returns how many values inside two values are equal, or Infinity if the two values themselves
 * are.
 */
function likeness(one: Leaves, other: Leaves): number {
  let equal = 0;
  for (const [path, value] of one) if (other.get(path) === value) equal++;
  return equal === one.size && equal === other.size ? Infinity : equal;
}

function leavesOf(value: unknown, path = "", into = new Map<string, string>()): Leaves {
  if (typeof value !== "object" || value === null) into.set(path, JSON.stringify(value) ?? "");
  else
    for (const [name, field] of Object.entries(value))
      if (field !== undefined) leavesOf(field, `${path}/${name}`, into);
  return into;
}

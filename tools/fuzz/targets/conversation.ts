import type { Transport } from "../../../runtime/index.js";
import { OracleFailure } from "../target.js";
import { behave, turn, type Dap } from "./handler-behaviours.js";

/**
 * A step in the script for a connection.
 *
 * - Messages from the peer: `say` sends a message, `answer` responds to our oldest open request,
 *   `raw` sends bytes.
 * - Our calls: `ask`, `abort`, `notify` and `close`.
 * - Transport events: `end` and `fail`.
 * - `wait` lets everything settle.
 */
interface Step {
  readonly do: string;
  readonly with?: unknown;
}

/** Steps that neither end the conversation nor break the protocol. */
const peaceful = new Set(["say", "answer", "ask", "abort", "notify", "wait"]);

/**
 * Returns whether a message is a request that its handler answers without another step of the
 * script.
 */
function isQuick(fields: Record<string, unknown>): boolean {
  const { seq, command, arguments: parameters } = fields;
  const behaviour = (parameters as { behaviour?: unknown } | null | undefined)?.behaviour;
  return Number.isSafeInteger(seq) && typeof command === "string" && behaviour !== "never";
}

/** Milliseconds within which everything must settle, and the timeout for closing a connection. */
const mostWait = 4_000;
const closeMs = 50;

export function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

export function isStep(value: unknown): value is Step {
  return typeof value === "object" && value !== null && "do" in value;
}

/** Waits for a condition, up to a time limit. */
async function becomesTrue(isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + mostWait;
  while (!isTrue() && performance.now() < end) await turn();
  return isTrue();
}

/** A client with handlers, and a peer that follows the script. */
export class Conversation {
  readonly #dap: Dap;
  readonly #connection: ReturnType<Dap["connect"]>;
  #give: (bytes: Uint8Array) => unknown = () => undefined;
  #end: (error?: unknown) => void = () => undefined;
  /**
   * Requests that the connection wrote. `#responses` holds the ids in its responses, and `#sent`
   * the ids that the peer sent.
   */
  readonly #requests: Record<string, unknown>[] = [];
  readonly #responses: unknown[] = [];
  readonly #sent: unknown[] = [];
  /** Ids of requests that a handler answers immediately. */
  readonly #requested: unknown[] = [];
  readonly #open = new Set<string>();
  readonly #aborts: AbortController[] = [];
  #requestCount = 0;
  #isStalled = false;
  #writeFails = false;
  #flow: (() => void)[] = [];
  #isEnded = false;
  #tooEarly: string | undefined;

  constructor(dap: Dap) {
    this.#dap = dap;
    const decoder = dap.createDecoder({
      onMessage: (classified) => {
        if (classified.status === "malformed") return;
        const message = classified.message as unknown as Record<string, unknown>;
        if (classified.kind === "request") this.#requests.push(message);
        else if (classified.kind === "response") this.#responses.push(message["request_seq"]);
      },
    });
    const transport: Transport = {
      read: (onBytes, onEnd) => {
        this.#give = onBytes;
        this.#end = onEnd;
      },
      write: (bytes) => {
        if (this.#writeFails) throw new Error("cannot write");
        decoder.push(bytes);
        return this.#isStalled ? new Promise((resolve) => this.#flow.push(resolve)) : undefined;
      },
      close: () => this.#endOnce(),
    };
    this.#connection = dap.connect("adapter", transport, {
      maxAnswering: 4,
      handlers: {
        launch: (parameters, context) => behave(dap, parameters, context.signal) as never,
      },
    });
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#take(step);
    await turn();
    if (steps.every(({ do: what }) => peaceful.has(what))) {
      const number = await this.#findUnanswered();
      if (number !== undefined)
        throw new OracleFailure("settles", `request ${String(number)} has no answer`, "silent");
    }
    // When the connection ends, pending requests must settle.
    let isClosed = false;
    this.#connection.close({ graceMs: closeMs }).then(
      () => (isClosed = true),
      () => (isClosed = true),
    );
    if (!(await becomesTrue(() => isClosed)))
      throw new OracleFailure("settles", "close() does not settle", "close");
    if (!(await becomesTrue(() => this.#open.size === 0)))
      throw new OracleFailure("settles", `${[...this.#open].join()} never settles`, "request");
    this.#assertAnsweredOnce();
    if (this.#tooEarly !== undefined) throw new OracleFailure("settles", this.#tooEarly, "early");
  }

  /**
   * Finds a request from the peer that has no response. If nothing disturbs a conversation, every
   * request gets one.
   */
  async #findUnanswered(): Promise<unknown> {
    const isAnswered = (number: unknown): boolean => this.#responses.includes(number);
    const areAll = (): boolean => this.#connection.isClosed || this.#requested.every(isAnswered);
    return (await becomesTrue(areAll))
      ? undefined
      : this.#requested.find((each) => !isAnswered(each));
  }

  /** Checks that none of the peer's request ids has more than one response. */
  #assertAnsweredOnce(): void {
    for (const number of new Set(this.#sent)) {
      const answers = this.#responses.filter((each) => each === number).length;
      const requests = this.#sent.filter((each) => each === number).length;
      if (answers > requests)
        throw new OracleFailure(
          "settles",
          `${answers} answers to request ${String(number)}`,
          "double",
        );
    }
  }

  async #take({ do: what, with: value }: Step): Promise<void> {
    const fields = (typeof value === "object" && value !== null ? value : {}) as Record<
      string,
      unknown
    >;
    switch (what) {
      case "say":
        if (fields["type"] === "request") {
          this.#sent.push(fields["seq"]);
          if (isQuick(fields)) this.#requested.push(fields["seq"]);
        }
        this.#giveMessage(value);
        return;
      case "answer": {
        const [request] = this.#requests.splice(0, 1);
        if (request === undefined) return;
        const { seq, command } = request;
        this.#giveMessage({
          seq: 1,
          type: "response",
          request_seq: seq,
          success: true,
          command,
          body: {},
          ...fields,
        });
        return;
      }
      case "raw":
        if (typeof value === "string") this.#giveBytes(Buffer.from(value));
        return;
      case "ask":
        this.#ask(fields);
        return;
      case "abort":
        this.#aborts.pop()?.abort();
        return;
      case "notify":
        this.#connection.notifyCustom("mine", value);
        return;
      case "close":
        void this.#connection.close().catch(() => undefined);
        return;
      case "end":
        this.#endOnce();
        return;
      case "fail":
        this.#endOnce(new Error("the transport has failed"));
        return;
      case "stall":
        this.#isStalled = true;
        return;
      case "write-fails":
        this.#writeFails = true;
        return;
      case "flow":
        this.#isStalled = false;
        for (const resolve of this.#flow.splice(0)) resolve();
        return;
      default:
        await turn();
        await turn();
    }
  }

  #ask({ name, timeoutMs }: Record<string, unknown>): void {
    const abort = new AbortController();
    this.#aborts.push(abort);
    const label = `request ${++this.#requestCount}`;
    this.#open.add(label);
    const settle = (error?: unknown): void => {
      this.#open.delete(label);
      const isTimeless = typeof timeoutMs !== "number" || !(timeoutMs > 0 && timeoutMs < 2 ** 31);
      if (isTimeless && (error as { code?: unknown } | undefined)?.code === "ERR_TIMEOUT")
        this.#tooEarly ??= `timeoutMs ${String(timeoutMs)} is treated as a short time`;
    };
    this.#connection
      .requestCustom(typeof name === "string" ? name : "custom", undefined, {
        signal: abort.signal,
        ...(typeof timeoutMs === "number" ? { timeoutMs } : {}),
      })
      .then(() => settle(), settle);
  }

  #giveMessage(message: unknown): void {
    let bytes: Uint8Array;
    try {
      bytes = this.#dap.createEncoder().encode(message as never);
    } catch {
      return;
    }
    this.#giveBytes(bytes);
  }

  #giveBytes(bytes: Uint8Array): void {
    if (!this.#isEnded) void this.#give(bytes);
  }

  #endOnce(error?: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#end(error);
  }
}

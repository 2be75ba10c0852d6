/** An adapter that follows a script and can fail in any way. */
import type { Transport } from "../../../runtime/index.js";
import { scopesOf, variablesOf, type VariableTree } from "../variable-tree.js";
import type { VirtualTime } from "./virtual-time.js";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Something that the adapter does when a request arrives.
 *
 * - With the request: `answer` or `refuse` it.
 * - Messages: send a `message` unchanged, an `event`, a reverse request (`ask`), or `raw` text.
 * - Faults: `exit`, `fail`, or get `stuck` and accept no more input.
 * - `usual` is what an adapter without a fault would do.
 */
export type Reaction = Fields;

export interface AdapterScript {
  /** Reactions by command, in order. Commands that have none get the usual reaction. */
  readonly reactions: Readonly<Record<string, readonly Reaction[]>>;
  readonly tree: VariableTree;
}

/** A message that has arrived at the session, and the adapter it came from. */
export interface Delivered {
  readonly adapter: HostileAdapter;
  readonly message: Fields;
}

/** State shared by all adapters in a conversation. */
export interface Stage {
  readonly time: VirtualTime;
  readonly encode: (message: unknown) => Uint8Array;
  readonly createDecoder: (onMessage: (message: Fields) => void) => {
    push(bytes: Uint8Array): void;
  };
  /** All messages from adapters, in order of arrival. */
  readonly delivered: Delivered[];
  /**
   * Whether an adapter has sent bytes that are not frames. From then on, nobody knows
   * which messages the session has received.
   */
  isMuddied: boolean;
}

export function createStage(dap: typeof import("@wirewright/dap"), time: VirtualTime): Stage {
  const encoder = dap.createEncoder();
  return {
    time,
    encode: (message) => {
      try {
        return encoder.encode(message as never);
      } catch {
        const text = JSON.stringify(message);
        return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
      }
    },
    createDecoder: (onMessage) =>
      dap.createDecoder({
        onMessage: (each) =>
          onMessage((each.status === "malformed" ? each.value : each.message) as never),
      }),
    delivered: [],
    isMuddied: false,
  };
}

const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportsStepBack: true,
  supportsGotoTargetsRequest: true,
  exceptionBreakpointFilters: [{ filter: "all", label: "All", default: true }],
};

const stepping = ["next", "stepIn", "stepOut", "stepBack", "reverseContinue", "goto", "pause"];

/**
 * The maximum number of messages that one reaction sends. `maxMessages` is the maximum for an
 * entire adapter.
 */
const maxTimes = 50;
const maxMessages = 400;

export class HostileAdapter {
  readonly transport: Transport;
  /** Whether the adapter has ended, either by itself or because the session closed it. */
  isOver = false;
  isStuck = false;
  /** Ids of the adapter's own requests. `answered` holds the ids of those that have a response. */
  readonly asked: unknown[] = [];
  readonly answered: unknown[] = [];
  readonly #stage: Stage;
  readonly #script: AdapterScript;
  #give: (bytes: Uint8Array) => unknown = () => undefined;
  #end: (error?: unknown) => void = () => undefined;
  #seq = 0;
  #sent = 0;
  #order: Promise<void> = Promise.resolve();

  constructor(stage: Stage, script: AdapterScript) {
    this.#stage = stage;
    this.#script = script;
    const decoder = stage.createDecoder((message) => this.#receive(message));
    this.transport = {
      read: (onBytes, onEnd) => {
        this.#give = onBytes;
        this.#end = onEnd;
      },
      write: (bytes) => {
        stage.time.activity++;
        if (this.isOver) throw new Error("it is over");
        decoder.push(bytes);
        return this.isStuck ? new Promise(() => undefined) : undefined;
      },
      close: () => (this.isStuck ? new Promise(() => undefined) : this.end()),
      destroy: () => this.end(),
    };
  }

  /** Runs reactions once all earlier ones have run. */
  act(reactions: readonly Reaction[], request?: Fields): void {
    this.#order = this.#order.then(async () => {
      for (const each of reactions) await this.#react(each, request);
    });
  }

  end(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#stage.time.activity++;
    this.#end(error);
  }

  #receive(message: Fields): void {
    const { type, command } = message;
    if (type === "response") this.answered.push(message["request_seq"]);
    if (type !== "request" || typeof command !== "string") return;
    const own = this.#script.reactions;
    this.act(Object.hasOwn(own, command) ? own[command]! : [{ usual: 1 }], message);
  }

  async #react(reaction: Reaction, request: Fields | undefined): Promise<void> {
    const times = Math.min(maxTimes, wholeOf(reaction["times"]) ?? 1);
    for (let count = 0; count < times && !this.isOver; count++) {
      const has = (name: string): boolean => Object.hasOwn(reaction, name);
      if (has("usual") && request !== undefined)
        for (const each of this.#usual(request)) await this.#send(each);
      if (has("answer") && request !== undefined)
        await this.#send(answerTo(request, reaction["answer"]));
      if (has("refuse") && request !== undefined)
        await this.#send({
          ...answerTo(request, undefined),
          success: false,
          message: reaction["refuse"],
        });
      if (has("event"))
        await this.#send({ type: "event", event: reaction["event"], body: reaction["body"] });
      if (has("ask"))
        await this.#send({
          type: "request",
          command: reaction["ask"],
          arguments: reaction["arguments"],
        });
      if (has("message")) await this.#send(reaction["message"]);
      if (typeof reaction["raw"] === "string") {
        this.#stage.isMuddied = true;
        await this.#sendBytes(Buffer.from(reaction["raw"]));
      }
      if (has("stuck")) this.isStuck = true;
      if (has("exit")) this.end();
      if (has("fail")) this.end(new Error("the adapter has failed"));
    }
  }

  /** Returns the messages with which a faultless adapter answers a request. */
  #usual(request: Fields): readonly unknown[] {
    const { command } = request;
    const given = (request["arguments"] ?? {}) as Fields;
    const stopped = { type: "event", event: "stopped", body: { reason: "step", threadId: 1 } };
    const terminated = { type: "event", event: "terminated" };
    if (stepping.includes(String(command))) return [answerTo(request, {}), stopped];
    switch (command) {
      case "initialize":
        return [answerTo(request, capabilities), { type: "event", event: "initialized" }];
      case "configurationDone":
        return [answerTo(request, undefined), stopped];
      case "threads":
        return [answerTo(request, { threads: [{ id: 1, name: "main" }] })];
      case "stackTrace":
        return [answerTo(request, { stackFrames: [{ id: 1, name: "f", line: 1, column: 1 }] })];
      case "scopes":
        return [answerTo(request, scopesOf(this.#script.tree))];
      case "variables": {
        const body = variablesOf(this.#script.tree, given as never);
        return [{ ...answerTo(request, body), success: body !== undefined }];
      }
      case "setBreakpoints":
      case "setFunctionBreakpoints": {
        const list: unknown = given["breakpoints"];
        const breakpoints = (Array.isArray(list) ? list : []).map((_, id) => ({
          id,
          verified: true,
        }));
        return [answerTo(request, { breakpoints })];
      }
      case "terminate":
        return [answerTo(request, undefined), terminated];
      default:
        return [answerTo(request, undefined)];
    }
  }

  async #send(message: unknown): Promise<void> {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return;
    const { seq } = message as Fields;
    const own: Fields = seq === undefined ? { ...message, seq: ++this.#seq } : (message as Fields);
    if (own["type"] === "request") this.asked.push(own["seq"]);
    this.#stage.delivered.push({ adapter: this, message: own });
    await this.#sendBytes(this.#stage.encode(own));
  }

  async #sendBytes(bytes: Uint8Array): Promise<void> {
    this.#stage.time.activity++;
    if (this.isOver || ++this.#sent > maxMessages) return;
    await this.#give(bytes);
  }
}

function answerTo({ seq, command }: Fields, body: unknown): Fields {
  return {
    type: "response",
    request_seq: seq,
    success: true,
    command,
    ...(body === undefined ? {} : { body }),
  };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns up to `most` objects from the start of an array. */
export function fieldsIn(list: unknown, most: number): readonly Fields[] {
  return (Array.isArray(list) ? list : []).filter(isFields).slice(0, most);
}

/** Returns the value if it is a non-negative integer, and undefined otherwise. */
export function wholeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

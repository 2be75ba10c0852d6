import type { Middleware } from "../../../generated/dap/connection.js";
import { visitFields, type FieldVisitors } from "../../../generated/dap/fields.js";
import type { AnyMessage } from "./played-adapter.js";
import { protocol } from "../../../generated/dap/protocol.js";
import { option } from "@wirewright/runtime";
import { readExchanges } from "./recorded-exchanges.js";
import { recordingHead } from "../middleware/session-recorder.js";

/** Replacements that make a golden recording identical on every run. */
export interface GoldenOptions {
  /**
   * Strings to replace everywhere, such as the path of a temporary folder: `{ [folder]: "/work" }`.
   */
  readonly paths?: { readonly [path: string]: string };
  /** Other replacements, in order. Regular expressions require the `g` flag. */
  readonly replace?: readonly (readonly [pattern: string | RegExp, replacement: string])[];
  /** Returns true for messages to omit, such as events that may be sent at any time. */
  readonly skip?: (message: AnyMessage) => boolean;
}

const replacement: option.OptionCheck = (value) =>
  Array.isArray(value) && value.length === 2 && typeof value[1] === "string"
    ? undefined
    : "a pattern and its replacement";

const goldenChecks = (): option.OptionChecks<GoldenOptions> => ({
  paths: option.recordOf(option.text),
  replace: option.listOf(replacement),
  skip: option.callback,
});

/** Records a session so that every run produces the same text. */
export interface GoldenRecorder {
  /** Pass this in the connection's options: `{ middleware: [recorder.middleware] }`. */
  readonly middleware: Middleware<"client">;
  /** The recording so far: lines of JSON, for `replay` and `wirewright lint`. */
  readonly text: string;
}

/**
 * Records a session for a file that tests compare against. The recording contains no times. Ids of
 * messages, threads, stack frames, variables and other objects are replaced with numbers in order
 * of appearance, as are addresses and process ids. Paths are replaced, too.
 *
 * Output that was sent in several events is joined. Each event from the adapter is placed after the
 * message that it follows, as in `replay`. Use `skip` for events that may be sent at any time.
 */
export function recordGolden(options: GoldenOptions = {}): GoldenRecorder {
  option.checkOptions("recordGolden", options, goldenChecks());
  const { skip = () => false } = options;
  const messages: GoldenMessage[] = [];
  const record = (from: "client" | "adapter", message: object): void => {
    // Copy the message, because the next receiver may change it.
    const copy = JSON.parse(JSON.stringify(message)) as AnyMessage;
    if (!skip(copy)) messages.push({ from, message: copy });
  };
  return {
    middleware: {
      afterReceive: (message) => record("adapter", message),
      beforeSend: (message) => record("client", message),
    },
    get text() {
      const stable = new StableMessages(options);
      const lines = joinOutputs(inOrder(messages)).map(({ from, message }) =>
        JSON.stringify({ kind: "message", from, message: stable.rewrite(from, message) }),
      );
      return `${[recordingHead(new Date(0)), ...lines].join("\n")}\n`;
    },
  };
}

interface GoldenMessage {
  readonly from: "client" | "adapter";
  readonly message: AnyMessage;
}

/**
 * Places each event from the adapter after the message that it follows, regardless of when it
 * arrived.
 */
function inOrder(messages: readonly GoldenMessage[]): GoldenMessage[] {
  if (!messages.some(({ from }) => from === "client")) return [...messages];
  const { first, exchanges } = readExchanges(messages);
  const isReady = ({ event }: AnyMessage): boolean => event === protocol.conversation.ready;
  for (const [index, { says }] of exchanges.entries())
    // An adapter that is ready immediately may say so before or after the next request arrives.
    if (index > 0 && says[0] !== undefined && isReady(says[0]))
      exchanges[index - 1]!.says.push(says.shift()!);
  const fromAdapter = (message: AnyMessage): GoldenMessage => ({ from: "adapter", message });
  return [
    ...first.map(fromAdapter),
    ...exchanges.flatMap(({ stimulus, says }): GoldenMessage[] => [
      { from: "client", message: stimulus },
      ...says.map(fromAdapter),
    ]),
  ];
}

/** Joins output events, because the same output may be sent in one event or in several. */
function joinOutputs(messages: readonly GoldenMessage[]): GoldenMessage[] {
  const joined: GoldenMessage[] = [];
  for (const entry of messages) {
    const last = joined.at(-1)?.message;
    const output = last && joinedOutput(last, entry.message);
    if (output === undefined) joined.push(entry);
    else {
      const body = { ...(last!["body"] as object), output };
      joined.splice(-1, 1, { from: "adapter", message: { ...last, body } });
    }
  }
  return joined;
}

/** Returns the joined output of two consecutive output events, or undefined for other messages. */
function joinedOutput(one: AnyMessage, other: AnyMessage): string | undefined {
  if (one["event"] !== "output" || other["event"] !== "output") return undefined;
  const [{ output, ...rest }, { output: added, ...more }] = [one["body"], other["body"]] as [
    AnyMessage,
    AnyMessage,
  ];
  if (typeof output !== "string" || typeof added !== "string") return undefined;
  return JSON.stringify(rest) === JSON.stringify(more) ? output + added : undefined;
}

/** Numbers values in order of appearance. */
class StableNames {
  readonly #names = new Map<string, number>();

  number(value: unknown): number {
    const key = String(value);
    const number = this.#names.get(key) ?? this.#names.size + 1;
    this.#names.set(key, number);
    return number;
  }
}

const numbered = [
  ...(["sourceReference", "thread", "frame", "variables", "location", "breakpoint"] as const),
  ...(["target", "module"] as const),
];
const named = ["data", "memory", "progress"] as const;

class StableMessages {
  readonly #replacements: readonly (readonly [string | RegExp, string])[];
  readonly #visitors: FieldVisitors;
  readonly #addresses = new StableNames();
  readonly #processes = new StableNames();
  /** For each side, the number of messages so far, and the new numbers of its requests. */
  readonly #sides = {
    client: { count: 0, requests: new Map<unknown, number>() },
    adapter: { count: 0, requests: new Map<unknown, number>() },
  };

  constructor({ paths = {}, replace = [] }: GoldenOptions) {
    // Replace the longest path first, because it may start with a shorter one.
    const pairs = Object.entries(paths).sort(([one], [other]) => other.length - one.length);
    this.#replacements = [
      ...pairs.flatMap(([path, name]) =>
        spellingsOf(path).map((spelling) => [spelling, name] as const),
      ),
      ...replace,
    ];
    const visitors: Record<string, (value: never) => unknown> = {};
    for (const kind of numbered) {
      const names = new StableNames();
      visitors[kind] = (value: number | string) =>
        typeof value === "number" ? names.number(value) : `${kind}-${names.number(value)}`;
    }
    for (const kind of named) {
      const names = new StableNames();
      visitors[kind] = (value: string) => `${kind}-${names.number(value)}`;
    }
    visitors["request"] = (value: number) => this.#sides.client.requests.get(value) ?? value;
    this.#visitors = visitors as FieldVisitors;
  }

  rewrite(from: "client" | "adapter", message: object): AnyMessage {
    const { seq, type, request_seq } = message as AnyMessage;
    const { [from]: sender, [from === "client" ? "adapter" : "client"]: receiver } = this.#sides;
    const number = ++sender.count;
    if (type === "request") sender.requests.set(seq, number);
    const answered =
      request_seq === undefined ? {} : { request_seq: receiver.requests.get(request_seq) };
    const visited = this.#textsOf(visitFields(message, this.#visitors)) as AnyMessage;
    return { ...visited, seq: number, ...answered };
  }

  /** Copies a value, replacing strings, addresses and process ids. */
  #textsOf(value: unknown, name = ""): unknown {
    if (typeof value === "string") return this.#textOf(value);
    if (/^(systemP|p|shellP)rocessId$/.test(name) && typeof value === "number")
      return this.#processes.number(value);
    if (Array.isArray(value)) return value.map((item) => this.#textsOf(item));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, field]) => [
      this.#textOf(key),
      this.#textsOf(field, key),
    ]);
    return Object.fromEntries(entries) as object;
  }

  #textOf(text: string): string {
    let result = text;
    for (const [pattern, replacement] of this.#replacements)
      result = result.replaceAll(pattern, () => replacement);
    return result.replaceAll(
      /\b0x[0-9a-fA-F]{6,16}\b/g,
      (address) => `0x${this.#addresses.number(BigInt(address)).toString(16).padStart(8, "0")}`,
    );
  }
}

/** Returns the forms in which messages may contain a path: unchanged, and as part of a URI. */
function spellingsOf(path: string): readonly string[] {
  return [...new Set([path, path.replaceAll("\\", "/"), encodeURI(path.replaceAll("\\", "/"))])];
}

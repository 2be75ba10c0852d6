/** A connection, whatever the peer, the transport and the handlers do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as dap from "@wirewright/dap";
import { connect, Refusal } from "@wirewright/dap/connection";
import type { Transport } from "../../runtime/index.js";
import { mutatedJson } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { sampleMessages } from "../support/sample-messages.js";
import { becomesTrue, collectRejections, turn } from "../support/event-loop.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * - From the peer: `say` sends a message, `answer` answers our oldest open request, `raw` sends
 *   bytes.
 * - Our calls: `ask`, `abort`, `notify` and `close`.
 * - The transport: `end`, `fail`, `stall`, `flow` and `write-fails`.
 * - `wait` lets everything settle.
 */
interface Step {
  readonly do: string;
  readonly with?: unknown;
}

/** Steps that neither end the conversation nor break the protocol. */
const peaceful = ["say", "answer", "ask", "abort", "notify", "wait"];

/** Behaviours of the adapter's handler. The arguments of `launch` choose one. */
const behaviours: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
  return: () => ({}),
  throw() {
    throw new Error("thrown");
  },
  reject: () => Promise.reject(new Error("rejected")),
  refuse() {
    throw new Refusal("refused", { body: { error: 1n } } as never);
  },
  bigint: () => ({ value: 1n }),
  cycle: () => Promise.resolve(cyclic),
  thenable: () => ({ then: (resolve: (value: unknown) => void) => resolve({ a: 1 }) }),
  "null-prototype"() {
    throw Object.create(null);
  },
  "throw-nothing": () => Promise.reject(undefined),
  "reject-null-prototype": () => Promise.reject(Object.create(null) as Error),
  "reject-refusal": () => Promise.reject(new Refusal("refused", { body: cyclic } as never)),
  "throw-throwing"() {
    throw Object.defineProperty({}, "message", {
      get() {
        throw new Error("from a value");
      },
    });
  },
  never: (signal) =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new Error("aborted"))),
    ),
  late: () => turn().then(turn),
};
const cyclic: Record<string, unknown> = {};
cyclic["itself"] = cyclic;

function behaviourOf(parameters: unknown): string {
  const { behaviour } = (parameters ?? {}) as { readonly behaviour?: unknown };
  return typeof behaviour === "string" && Object.hasOwn(behaviours, behaviour)
    ? behaviour
    : "return";
}

/** Plays a conversation, and checks that everything settles and that nothing is answered twice. */
async function play(steps: readonly Step[]): Promise<void> {
  /** The connection's requests, and the ids in its responses. */
  const requests: Fields[] = [];
  const responses: unknown[] = [];
  /** Ids of the peer's requests, and of those that a handler answers at once. */
  const sent: unknown[] = [];
  const answerable: unknown[] = [];
  const open = new Set<string>();
  const early: unknown[] = [];
  const aborts: AbortController[] = [];
  const waiting: (() => void)[] = [];
  let [isEnded, isStalled, writeFails] = [false, false, false];
  let onBytes: (bytes: Uint8Array) => unknown = () => undefined;
  let onEnd: (error?: unknown) => void = () => undefined;
  const end = (error?: unknown): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd(error);
  };
  const decoder = dap.createDecoder({
    onMessage: (classified) => {
      if (classified.status === "malformed") return;
      const message = classified.message as unknown as Fields;
      if (classified.kind === "request") requests.push(message);
      else if (classified.kind === "response") responses.push(message["request_seq"]);
    },
  });
  const transport: Transport = {
    read(bytes, ended) {
      onBytes = bytes;
      onEnd = ended;
    },
    write(bytes) {
      if (writeFails) throw new Error("cannot write");
      decoder.push(bytes);
      return isStalled ? new Promise((resolve) => waiting.push(resolve)) : undefined;
    },
    close: () => end(),
  };
  const connection = connect("adapter", transport, {
    maxAnswering: 4,
    handlers: {
      launch: (parameters, { signal }) => behaviours[behaviourOf(parameters)]!(signal) as never,
    },
  });
  const receive = (message: unknown): void => {
    let bytes: Uint8Array;
    try {
      bytes = dap.createEncoder().encode(message as never);
    } catch {
      return;
    }
    if (!isEnded) void onBytes(bytes);
  };
  const ask = ({ name, timeoutMs }: Fields): void => {
    const abort = new AbortController();
    aborts.push(abort);
    const label = `request ${aborts.length}`;
    open.add(label);
    const settle = (error?: unknown): void => {
      open.delete(label);
      const isTimeless = typeof timeoutMs !== "number" || !(timeoutMs > 0 && timeoutMs < 2 ** 31);
      if (isTimeless && (error as { readonly code?: unknown } | undefined)?.code === "ERR_TIMEOUT")
        early.push(timeoutMs);
    };
    connection
      .requestCustom(typeof name === "string" ? name : "custom", undefined, {
        signal: abort.signal,
        ...(typeof timeoutMs === "number" && { timeoutMs }),
      })
      .then(() => settle(), settle);
  };
  const actions: Readonly<Record<string, (fields: Fields, value: unknown) => unknown>> = {
    say(fields, value) {
      const { type, seq, command, arguments: parameters } = fields;
      if (type === "request") {
        sent.push(seq);
        const isAnswered = Number.isSafeInteger(seq) && typeof command === "string";
        if (isAnswered && behaviourOf(parameters) !== "never") answerable.push(seq);
      }
      receive(value);
    },
    answer(fields) {
      const request = requests.shift();
      if (request === undefined) return;
      const { seq, command } = request;
      const type = "response";
      receive({ seq: 1, type, request_seq: seq, success: true, command, body: {}, ...fields });
    },
    raw(_, value) {
      if (typeof value === "string" && !isEnded) void onBytes(Buffer.from(value));
    },
    ask,
    abort: () => aborts.pop()?.abort(),
    notify: (_, value) => connection.notifyCustom("mine", value),
    close: () => void connection.close().catch(() => undefined),
    end: () => end(),
    fail: () => end(new Error("the transport has failed")),
    stall: () => (isStalled = true),
    "write-fails": () => (writeFails = true),
    flow() {
      isStalled = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    wait: () => turn().then(turn),
  };

  for (const { do: action, with: value } of steps) {
    const fields = typeof value === "object" && value !== null ? (value as Fields) : {};
    const act = Object.hasOwn(actions, action) ? actions[action]! : actions["wait"]!;
    const result = act(fields, value);
    if (action === "wait") await result;
  }
  await turn();
  if (steps.every(({ do: action }) => peaceful.includes(action))) {
    const unanswered = (): unknown[] => answerable.filter((seq) => !responses.includes(seq));
    await becomesTrue(() => connection.isClosed || unanswered().length === 0);
    if (!connection.isClosed) assert.deepEqual(unanswered(), []);
  }
  let isClosed = false;
  const closed = (): boolean => (isClosed = true);
  connection.close({ graceMs: 50 }).then(closed, closed);
  assert.ok(await becomesTrue(() => isClosed), "close() does not settle");
  await becomesTrue(() => open.size === 0);
  assert.deepEqual([...open], []);
  const count = (ids: readonly unknown[], id: unknown): number =>
    ids.filter((other) => other === id).length;
  for (const id of new Set(sent))
    assert.ok(count(responses, id) <= count(sent, id), `request ${String(id)} is answered twice`);
  assert.deepEqual(early, [], "a request times out although it has no time limit");
  assert.deepEqual(rejections.splice(0), []);
}

const rejections = collectRejections();

function stepsIn(value: unknown): readonly Step[] {
  const steps = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return steps
    .filter(
      (step): step is Step =>
        typeof step === "object" && step !== null && "do" in step && typeof step.do === "string",
    )
    .slice(0, 40);
}

const launch = (behaviour: string, seq = 1): Step => ({
  do: "say",
  with: { seq, type: "request", command: "launch", arguments: { behaviour } },
});

property(
  "requests settle, and incoming requests are answered once",
  mutatedJson({
    seeds: [
      [
        { do: "ask", with: { name: "threads" } },
        { do: "answer" },
        { do: "say", with: sampleMessages("dap")[0] },
        { do: "wait" },
        { do: "close" },
      ],
      ...Object.keys(behaviours).map((behaviour) => [
        launch(behaviour),
        { do: "wait" },
        { do: "ask", with: { name: "threads" } },
        { do: "end" },
      ]),
      sampleMessages("dap").map((message) => ({ do: "say", with: message })),
    ],
    tokens: [
      ...Object.keys(behaviours),
      ..."do with say answer raw ask abort notify close end fail wait launch threads cancel requestId initialize disconnect stall flow write-fails request_seq seq success body".split(
        " ",
      ),
    ],
    values: [
      ...Object.keys(behaviours).map((behaviour, index) => launch(behaviour, index + 1)),
      ..."answer close end fail abort wait stall flow write-fails"
        .split(" ")
        .map((step) => ({ do: step })),
      { do: "ask", with: { name: "threads" } },
      ...[1, 0, 1e12].map((timeoutMs) => ({ do: "ask", with: { name: "custom", timeoutMs } })),
      { do: "notify", with: { a: 1 } },
      { do: "raw", with: 'Content-Length: 5\r\n\r\n{"a"' },
      {
        do: "say",
        with: { seq: 9, type: "request", command: "cancel", arguments: { requestId: 1 } },
      },
      {
        do: "say",
        with: { seq: 9, type: "response", request_seq: 1, success: true, command: "threads" },
      },
    ],
  }),
  (value) => play(stepsIn(value)),
);

test("handlers that once broke a connection", async () => {
  await play([launch("reject-null-prototype")]);
  await play([launch("null-prototype", 0)]);
});

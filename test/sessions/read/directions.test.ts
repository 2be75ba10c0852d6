import assert from "node:assert/strict";
import { test } from "node:test";
import { interleave } from "../../../sessions/read/interleaving.js";
import type { EntryBatch, RecordedEntry } from "../../../sessions/read/recorded-entry.js";
import { isOneSided, openRecording, readRecording } from "../../../sessions/read/recording.js";
import { dap, ask, answer, tell } from "../../support/read-entries.js";

type Direction = Parameters<typeof interleave>[0]["initiator"];

const entriesOf = (messages: readonly object[]): readonly RecordedEntry[] =>
  messages.map((message) => ("fault" in message ? (message as RecordedEntry) : { message }));

/**
 * Merges two directions that are read in batches of a given size. Returns the order, and for each
 * batch the direction that it is read from.
 */
function interleaved(
  requests: readonly object[],
  answers: readonly object[],
  size: number,
  bytes = 1,
): { readonly order: readonly string[]; readonly needs: readonly string[] } {
  const needs: string[] = [];
  const reading = (direction: string, messages: readonly object[]): Direction => {
    const rest = [...messages];
    return {
      *next() {
        needs.push(direction);
        const batch = rest.splice(0, size);
        return batch.length === 0 ? undefined : { entries: entriesOf(batch), bytes };
      },
    };
  };
  const files = {
    initiator: reading("initiator", requests),
    responder: reading("responder", answers),
  };
  const batches = [...interleave(files, dap)] as EntryBatch[];
  const order = batches.flatMap(({ entries }) =>
    entries.map(({ from, message, fault }) => {
      const { type, seq, request_seq, event } = (message ?? {}) as Record<string, unknown>;
      return fault === undefined
        ? `${from} ${String(type)} ${String(event ?? request_seq ?? seq)}`
        : `${from} fault`;
    }),
  );
  return { order, needs };
}

const fault = { fault: { code: "ERR_NOISE", text: "x" } };

const orders: readonly {
  readonly what: string;
  readonly requests: readonly object[];
  readonly answers: readonly object[];
  readonly expected: readonly string[];
}[] = [
  { what: "nothing", requests: [], answers: [], expected: [] },
  {
    what: "one side",
    requests: [ask(1), ask(2)],
    answers: [],
    expected: ["client request 1", "client request 2"],
  },
  {
    what: "the other side",
    requests: [],
    answers: [tell("a"), answer(1)],
    expected: ["adapter event a", "adapter response 1"],
  },
  {
    what: "an event that arrived before the first request",
    requests: [ask(1)],
    answers: [tell("a"), answer(1), tell("b")],
    expected: ["client request 1", "adapter event a", "adapter response 1", "adapter event b"],
  },
  {
    what: "responses as early as possible",
    requests: [ask(1), ask(2), ask(3)],
    answers: [answer(1), answer(3), answer(2)],
    expected: [
      "client request 1",
      "adapter response 1",
      "client request 2",
      "client request 3",
      "adapter response 3",
      "adapter response 2",
    ],
  },
  {
    what: "a response without a request",
    requests: [ask(1), ask(2)],
    answers: [answer(9), answer(2), answer({}), answer(true)],
    expected: [
      "client request 1",
      "adapter response 9",
      "client request 2",
      "adapter response 2",
      "adapter response [object Object]",
      "adapter response true",
    ],
  },
  {
    what: "an id that is used twice, strings, and a value that is not a number",
    requests: [ask(1), ask("1"), ask({}), ask(1), ask(2)],
    answers: [answer(1), answer("1"), answer(1), answer(2)],
    expected: [
      "client request 1",
      "adapter response 1",
      "client request 1",
      "adapter response 1",
      "adapter response 1",
      "client request [object Object]",
      "client request 1",
      "client request 2",
      "adapter response 2",
    ],
  },
  {
    what: "requests from the responding side, and bytes that are not a message",
    requests: [ask(1), answer(7), fault, ask(2)],
    answers: [ask(7), fault, answer(2), answer(1)],
    expected: [
      "client request 1",
      "adapter request 7",
      "adapter fault",
      "client response 7",
      "client fault",
      "client request 2",
      "adapter response 2",
      "adapter response 1",
    ],
  },
];

for (const { what, requests, answers, expected } of orders)
  test(`two directions are merged into a possible order: ${what}`, () => {
    for (const size of [1, 2, 3, 100]) {
      const { order, needs } = interleaved(requests, answers, size);
      assert.deepEqual(order, expected, `in batches of ${size}`);
      // Each direction is read to the end, in as few batches as possible.
      const rounds = (messages: readonly object[]): number => Math.ceil(messages.length / size) + 1;
      assert.deepEqual(
        ["initiator", "responder"].map((each) => needs.filter((own) => own === each).length),
        [rounds(requests), rounds(answers)],
      );
    }
  });

test("lint reads the directions in turn, and reads ahead only to find a response's request", () => {
  const requests = [ask(1), ask(2), ask(3)];
  const answers = [answer(1), tell("a"), answer(3), answer(2)];
  assert.deepEqual(interleaved(requests, answers, 1), {
    order: [
      "client request 1",
      "adapter response 1",
      "adapter event a",
      "client request 2",
      "client request 3",
      "adapter response 3",
      "adapter response 2",
    ],
    needs: [
      "initiator",
      "responder",
      "responder",
      "responder",
      "initiator",
      "initiator",
      "responder",
      "responder",
      "initiator",
    ],
  });
});

test("lint searches only a limited number of later messages for a request", () => {
  const answers = [answer(2), answer(1)];
  // If the request is not within the next 4 MiB or 20,000 messages, the response counts as unmatched.
  const large = interleaved([ask(1), ask(3), ask(2)], answers, 1, 4 * 1024 * 1024);
  assert.deepEqual(large.order.slice(0, 3), [
    "client request 1",
    "adapter response 2",
    "adapter response 1",
  ]);
  const smaller = interleaved([ask(1), ask(3), ask(2)], answers, 1, 2 * 1024 * 1024 - 1);
  assert.equal(smaller.order[1], "client request 3");
  const between = Array<object>(20_000).fill(tell("a"));
  const many = interleaved([ask(1), ...between, ask(2)], answers, 20_001);
  assert.deepEqual(many.order.slice(0, 2), ["client request 1", "adapter response 2"]);
  const fewer = interleaved([ask(1), ...between.slice(1), ask(2)], answers, 20_000);
  assert.equal(fewer.order[1], "client event a");
});

const bytesOf = (...lines: readonly object[]): Uint8Array =>
  Buffer.from(lines.map((each) => JSON.stringify(each)).join("\n"));

const framed = (...messages: readonly object[]): Uint8Array =>
  Buffer.from(
    messages
      .map((each) => JSON.stringify(each))
      .map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`)
      .join(""),
  );

test("in a one-sided recording, ambiguous messages belong to that one side, and the report says so", async () => {
  const odd = { seq: 1, type: "event", event: "mine" };
  const cases: readonly {
    readonly bytes: Uint8Array;
    readonly from: readonly unknown[];
    readonly is: boolean;
  }[] = [
    { bytes: framed(odd, tell("stopped"), odd), from: ["adapter", "adapter", "adapter"], is: true },
    { bytes: framed(odd, ask(1)), from: ["client", "client"], is: true },
    {
      bytes: framed(odd, ask(1), tell("stopped")),
      from: ["adapter", "client", "adapter"],
      is: false,
    },
    { bytes: framed(odd), from: [undefined], is: true },
    { bytes: bytesOf(odd, tell("stopped")), from: ["adapter", "adapter"], is: true },
  ];
  for (const { bytes, from, is } of cases) {
    const entries = readRecording([{ name: "x", bytes }], dap);
    assert.deepEqual(
      entries.map((entry) => entry.from),
      from,
    );
    assert.equal(isOneSided(entries), is);
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const open = await openRecording([{ name: "x", chunks }], dap);
    const streamed: RecordedEntry[] = [];
    for await (const entry of open) streamed.push(entry);
    assert.deepEqual([streamed, open.isOneSided], [entries, is]);
  }
});

test("the only side may be known as late as 4 MiB or 20,000 messages into the recording", async () => {
  const odd = { seq: 1, type: "event", event: "mine" };
  const sender = async (before: object[]): Promise<string | undefined> => {
    const chunks = [...before, tell("stopped")].map((message) => framed(message));
    const open = await openRecording([{ name: "x", chunks }], dap);
    for await (const { from } of open) return from;
    return undefined;
  };
  const long = { ...odd, body: "x".repeat(1024 * 1024) };
  const cases = [
    { before: [long, long, long], from: "adapter" },
    { before: [long, long, long, long], from: undefined },
    { before: Array<object>(19_999).fill(odd), from: "adapter" },
    { before: Array<object>(20_000).fill(odd), from: undefined },
  ];
  for (const { before, from } of cases) assert.equal(await sender(before), from);
});

test("of two one-sided files, the one with more client messages belongs to the client", async () => {
  const client = framed(ask(1), { seq: 2, type: "event", event: "mine" }, ask(3));
  const adapter = framed(answer(1), { seq: 2, type: "event", event: "mine" }, answer(3));
  const expected = [
    "client 1",
    "adapter 1",
    "adapter mine",
    "client mine",
    "client 3",
    "adapter 3",
  ];
  for (const [one, other] of [
    [client, adapter],
    [adapter, client],
  ] as const) {
    const files = [
      { name: "one", bytes: one },
      { name: "other", bytes: other },
    ];
    const show = ({ from, message }: RecordedEntry): string => {
      const { seq, request_seq, event } = message as Record<string, unknown>;
      return `${from} ${String(event ?? request_seq ?? seq)}`;
    };
    assert.deepEqual(readRecording(files, dap).map(show), expected);
    const open = await openRecording(
      files.map(({ name, bytes }) => ({ name, chunks: [bytes] })),
      dap,
    );
    const streamed: string[] = [];
    for await (const entry of open) streamed.push(show(entry));
    assert.deepEqual([streamed, open.isOneSided], [expected, false]);
  }
});

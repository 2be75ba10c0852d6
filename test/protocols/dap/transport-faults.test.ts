/** Tests adapters that fail on chosen messages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import { connect, type RequestError } from "@wirewright/dap/connection";
import { inProcess, scriptAdapter, withFaults, type Fault } from "@wirewright/dap/testing";
import { outcomeOf, turns } from "../../support/scripted-connection.js";

interface Outcome {
  readonly heard: readonly string[];
  readonly problems: readonly string[];
  readonly outcomes: readonly string[];
  readonly received: readonly unknown[];
}

/** Sends three requests. Each response is followed by an event. */
async function meet(...faults: readonly Fault[]): Promise<Outcome> {
  const answer = (name: string) => ({
    [name]: (request: object, adapter: ReturnType<typeof scriptAdapter>) => {
      adapter.answer(request as never, { variables: [] });
      adapter.event("output", { output: name });
    },
  });
  const adapter = scriptAdapter({ ...answer("one"), ...answer("two"), ...answer("three") });
  const problems: string[] = [];
  const client = connect("client", withFaults(adapter, faults), {
    onProblem: ({ code }) => void problems.push(code),
  });
  const heard: string[] = [];
  client.on("output", ({ output }) => void heard.push(output));
  const asked = ["one", "two", "three"].map((name) => client.requestCustom(name));
  for (const each of asked)
    each.then(
      () => heard.push("answer"),
      () => undefined,
    );
  await turns();
  const outcomes = await Promise.all(
    asked.map((each) =>
      outcomeOf(
        each.then(
          () => "ok",
          ({ code, message }: RequestError) => `${code} ${message}`,
        ),
      ),
    ),
  );
  await client.close();
  const received = adapter.received.map(({ command }) => command);
  return { heard, problems, outcomes, received };
}

const fine = 'resolved to "ok"';
const all = ["one", "two", "three"];
const heardAll = ["answer", "one", "answer", "two", "answer", "three"];

test("withFaults() forwards messages that no fault matches", async () => {
  const expected = { heard: heardAll, problems: [], outcomes: [fine, fine, fine], received: all };
  assert.deepEqual(await meet(), expected);
  assert.deepEqual(await meet({ do: "drop", name: "four" }), expected);
  assert.deepEqual(await meet({ do: "drop", number: 7 }), expected);
  assert.deepEqual(await meet({ do: "drop", kind: "event", name: "stopped" }), expected);
});

test("drop removes one message, several messages, or a client message", async () => {
  const { heard, outcomes } = await meet({ do: "drop", number: 3 });
  assert.deepEqual(
    [heard, outcomes],
    [
      ["answer", "one", "two", "answer", "three"],
      [fine, "pending", fine],
    ],
  );
  assert.deepEqual((await meet({ do: "drop", kind: "event" })).heard, Array(3).fill("answer"));
  const { received } = await meet({ do: "drop", from: "client", name: "two" });
  assert.deepEqual(received, ["one", "three"]);
});

test("the first matching fault applies, and each fault counts all messages that it matches", async () => {
  const { heard } = await meet(
    { do: "drop", kind: "event", number: 1 },
    { do: "duplicate", kind: "event", number: 2 },
    { do: "duplicate", name: "output" },
  );
  assert.deepEqual(heard, ["answer", "answer", "two", "two", "answer", "three", "three"]);
});

test("delay holds back later messages or lets them overtake", async () => {
  const { heard, outcomes } = await meet({ do: "delay", ms: 3, name: "one" });
  assert.deepEqual([heard, outcomes], [heardAll, [fine, fine, fine]]);
  assert.deepEqual((await meet({ do: "delay", ms: 3, name: "one", overtake: true })).heard, [
    "one",
    "answer",
    "two",
    "answer",
    "three",
    "answer",
  ]);
});

test("duplicate sends a message twice", async () => {
  const { heard, problems } = await meet(
    { do: "duplicate", kind: "event", number: 2 },
    { do: "duplicate", kind: "response", name: "one" },
  );
  assert.deepEqual(heard, ["answer", "one", "answer", "two", "two", "answer", "three"]);
  assert.deepEqual(problems, ["ERR_RESPONSE_DOUBLE"]);
});

for (const [what, heard, problems] of [
  ["body", ["answer", "answer", "two", "answer", "three"], ["ERR_JSON"]],
  ["noise", heardAll, ["ERR_NOISE"]],
] as const)
  test(`corrupt damages the ${what} of one message and leaves other messages alone`, async () => {
    const met = await meet({ do: "corrupt", what, kind: "event", number: 1 });
    assert.deepEqual([met.heard, met.problems], [heard, problems]);
  });

test("corrupt damages a message's length", async () => {
  const { problems, outcomes } = await meet({
    do: "corrupt",
    what: "length",
    kind: "event",
    number: 1,
  });
  assert.ok(problems.length > 0);
  assert.equal(outcomes[2], fine);
});

test("change replaces a message", async () => {
  const { heard } = await meet({
    do: "change",
    kind: "event",
    number: 3,
    to: (message) => ({ ...message, body: { output: "größer" } }),
  });
  assert.deepEqual(heard.at(-1), "größer");
});

test("die ends the connection, even in mid-message", async () => {
  const { outcomes, heard } = await meet({ do: "die", kind: "response", name: "two" });
  assert.deepEqual(heard, ["answer", "one"]);
  assert.equal(outcomes[0], fine);
  for (const each of outcomes.slice(1))
    assert.match(each, /ERR_CONNECTION_CLOSED.*The adapter died/);
  const cut = await meet({ do: "die", number: 3, bytes: 30, error: new Error("out of memory") });
  assert.match(cut.outcomes[1]!, /ERR_CONNECTION_CLOSED.*out of memory/);
  assert.ok(cut.problems.includes("ERR_TRUNCATED"), cut.problems.join());
});

test("withFaults() works with inline transports", async () => {
  const adapter = defineAdapter({
    handlers: {
      launch(_, { connection }) {
        void connection.notify("output", { output: "größer" });
        void connection.notify("output", { output: "kleiner" });
      },
    },
  });
  const open = inProcess(adapter);
  const client = connect("client", withFaults(open(), [{ do: "drop", name: "output", number: 1 }]));
  const output = client.once("output");
  await client.request("launch", {});
  assert.equal((await output).output, "kleiner");
  await client.close();
});

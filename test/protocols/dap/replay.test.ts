/** Tests adapters that replay recordings. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { connect, type RequestError } from "@wirewright/dap/connection";
import { readExchanges } from "../../../protocols/dap/testing/recorded-exchanges.js";
import { replay, type Recording } from "@wirewright/dap/testing";
import type { SentMessage } from "../../support/recorded-messages.js";
import { outcomeOf, turns } from "../../support/scripted-connection.js";

let seq = 0;
const request = (command: string, args?: object): SentMessage => ({
  from: "client",
  message: { seq: ++seq, type: "request", command, ...(args && { arguments: args }) },
});
/** Creates the response to an earlier request. */
const answer = ({ message }: SentMessage, body?: object): SentMessage => {
  const { seq: request_seq, command } = message;
  const fields = { type: "response", request_seq, success: true, command };
  return { from: "adapter", message: { seq: ++seq, ...fields, ...(body && { body }) } };
};
const event = (name: string, body?: object): SentMessage => ({
  from: "adapter",
  message: { seq: ++seq, type: "event", event: name, ...(body && { body }) },
});

const initialize = request("initialize", { adapterID: "recorded" });
const launched = request("launch", { program: "a" });
const set = request("setBreakpoints", { source: { path: "/a" }, breakpoints: [{ line: 2 }] });
const done = request("configurationDone");
const [stack1, stack2, stack3] = [0, 0, 0].map(() => request("stackTrace", { threadId: 1 }));
const [next1, next2] = [0, 0].map(() => request("next", { threadId: 1 }));
const [one, two] = [1, 2].map((variablesReference) => request("variables", { variablesReference }));
const threads = request("threads");
export const at = (line: number): object => ({
  stackFrames: [{ id: line, name: "f", line, column: 1 }],
});
const of = (name: string): object => ({ variables: [{ name, value: "", variablesReference: 0 }] });
const gone = request("disconnect");

/** A session in which the client does not wait for responses, which arrive out of order. */
const recording: readonly SentMessage[] = [
  event("output", { output: "hello" }),
  initialize,
  answer(initialize, {}),
  launched,
  event("initialized"),
  set,
  answer(set, { breakpoints: [{ verified: true, line: 2 }] }),
  done,
  answer(done),
  answer(launched),
  event("process", { name: "a" }),
  event("stopped", { reason: "breakpoint", threadId: 1 }),
  stack1!,
  answer(stack1!, at(2)),
  one!,
  two!,
  answer(two!, of("two")),
  answer(one!, of("one")),
  next1!,
  threads,
  event("output", { output: "3" }),
  answer(next1!),
  answer(threads, { threads: [] }),
  event("stopped", { reason: "step", threadId: 1 }),
  stack2!,
  answer(stack2!, at(3)),
  next2!,
  answer(next2!),
  event("stopped", { reason: "step", threadId: 1 }),
  stack3!,
  answer(stack3!, at(4)),
  gone,
  event("terminated"),
  answer(gone),
];

interface Played {
  readonly client: ReturnType<typeof connect<"client">>;
  readonly events: string[];
}

function play(given: Recording): Played {
  const client = connect("client", replay(given));
  const events: string[] = [];
  client.on("*", (_, { event: name, body }) => {
    const { output, reason } = (body ?? {}) as { output?: string; reason?: string };
    events.push([name, output ?? reason].filter((each) => each !== undefined).join(" "));
  });
  return { client, events };
}

/**
 * Sends all requests at once and waits until all have settled. Returns the results and the events.
 */
async function ask(
  { client, events }: Played,
  ...requests: readonly (SentMessage | string)[]
): Promise<readonly unknown[]> {
  const asked = requests.map((each) =>
    typeof each === "string"
      ? client.requestCustom(each)
      : client.requestCustom(each.message["command"], each.message["arguments"]),
  );
  await turns();
  const outcomes = await Promise.all(asked.map(outcomeOf));
  return [...outcomes, ...events.splice(0)];
}

const shown = (body?: object): string => `resolved to ${JSON.stringify(body)}`;

describe("replay()", () => {
  test("replay() sends the recorded responses and events in the recorded order", async () => {
    const played = play(recording);
    assert.deepEqual(await ask(played), ["output hello"]);
    assert.deepEqual(await ask(played, initialize), ["resolved to {}"]);
    assert.deepEqual(await ask(played, launched), ["pending", "initialized"]);
    assert.deepEqual(await ask(played, set, done), [
      shown({ breakpoints: [{ verified: true, line: 2 }] }),
      "resolved to undefined",
      "process",
      "stopped breakpoint",
    ]);
    assert.deepEqual(await ask(played, stack1!, one!, two!), [
      ...[at(2), of("one"), of("two")].map(shown),
    ]);
    assert.deepEqual(await ask(played, next1!, threads), [
      "resolved to undefined",
      shown({ threads: [] }),
      "output 3",
      "stopped step",
    ]);
    assert.deepEqual(await ask(played, stack2!), [shown(at(3))]);
    assert.deepEqual(await ask(played, next2!, stack3!), [
      "resolved to undefined",
      shown(at(4)),
      "stopped step",
    ]);
    assert.deepEqual(await ask(played, gone), ["resolved to undefined", "terminated"]);
    assert.equal(await played.client.closed, undefined);
  });

  test("replay() responds to launch at the point where the recorded program starts", async () => {
    const { client } = play(recording);
    await client.requestCustom("initialize");
    const asked = client.request("launch", {});
    assert.equal(await outcomeOf(asked), "pending");
    await client.request("configurationDone");
    await asked;
  });

  test("a client that sends requests in a different order gets the responses recorded for the current stop", async () => {
    const played = play(recording);
    // Unlike in the recording, threads comes first, arguments differ, and breakpoints precede
    // launch.
    assert.deepEqual((await ask(played, threads)).slice(0, 1), [shown({ threads: [] })]);
    await ask(played, initialize);
    const other = request("setBreakpoints", { source: { path: "/a" }, breakpoints: [] });
    assert.deepEqual(await ask(played, other), [
      shown({ breakpoints: [{ verified: true, line: 2 }] }),
    ]);
    assert.deepEqual(await ask(played, done), [
      "resolved to undefined",
      "process",
      "stopped breakpoint",
    ]);
    assert.deepEqual(await ask(played, launched), ["resolved to undefined", "initialized"]);
    assert.deepEqual(
      await ask(played, two!, one!, two!),
      [of("two"), of("one"), of("two")].map(shown),
    );
    // The client skips the first stop's stack trace.
    assert.deepEqual(await ask(played, next1!), [
      "resolved to undefined",
      "output 3",
      "stopped step",
    ]);
    const levels = request("stackTrace", { threadId: 1, levels: 1 });
    assert.deepEqual(await ask(played, levels, levels), [at(3), at(3)].map(shown));
    assert.deepEqual(await ask(played, next2!), ["resolved to undefined", "stopped step"]);
    assert.deepEqual(await ask(played, stack1!), [shown(at(4))]);
  });

  test("replay() refuses requests that were not recorded", async () => {
    const { client } = play(recording);
    const failed = async (command: string): Promise<string> =>
      client.requestCustom(command).then(
        () => "succeeded",
        ({ message }: RequestError) => message,
      );
    assert.equal(await failed("modules"), 'The recording has no "modules"');
    for (let count = 0; count < 2; count++) await client.request("next", { threadId: 1 });
    assert.equal(await failed("next"), 'The recording has no further "next"');
    assert.equal(await failed("__proto__"), 'The recording has no "__proto__"');
  });

  test("replay() renumbers the recorded messages for the new session", async () => {
    const terminal = { type: "request", command: "runInTerminal", arguments: { args: ["a"] } };
    const reverse = { from: "adapter", message: { seq: 77, ...terminal } };
    const reply = { type: "response", command: "runInTerminal", request_seq: 77, success: true };
    const client = connect(
      "client",
      replay([
        initialize,
        answer(initialize, {}),
        launched,
        reverse,
        { from: "client", message: { seq: 5, ...reply, body: { processId: 1 } } },
        event("output", { output: "in the terminal" }),
        answer(launched),
      ]),
      { handlers: { runInTerminal: () => ({ processId: 4711 }) } },
    );
    await client.requestCustom("threads").catch(() => undefined);
    const output = client.once("output");
    await client.request("launch", {});
    assert.equal((await output).output, "in the terminal");
  });

  test("if the last request in a recording has no response, it ends the connection", async () => {
    const die = request("evaluate", { expression: "die" });
    const { client } = play([initialize, answer(initialize, {}), die]);
    await client.requestCustom("initialize");
    await assert.rejects(client.request("evaluate", { expression: "die" }), {
      code: "ERR_CONNECTION_CLOSED",
      message: /The recording ends before the response to "evaluate"/,
    });
  });

  test("replay() can read a recording from its lines and can select a session", () => {
    const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
    const text =
      line({ recording: "wirewright", form: 1 }) +
      line({ kind: "message", from: "client", session: 1, message: initialize.message }) +
      line({ kind: "noise", from: "adapter", session: 1, text: "hello" }) +
      line({ kind: "message", from: "client", session: 2, message: threads.message }) +
      "\n" +
      line({ kind: "message", from: "adapter", session: 1, message: answer(initialize).message });
    const { exchanges } = readExchanges(text);
    assert.deepEqual(
      exchanges.map(({ stimulus, says }) => [stimulus["command"], says.length]),
      [["initialize", 1]],
    );
    assert.equal(readExchanges(text, 2).exchanges[0]!.stimulus["command"], "threads");
    assert.throws(() => replay("no recording"), {
      name: "SyntaxError",
      message: "Cannot read line 1 of the recording: it is not JSON",
    });
    assert.throws(() => replay(""), /The recording contains no client messages/);
    // If the recording does not name senders, they are inferred from the messages.
    const plain = recording.map(({ message }) => ({ message }));
    assert.equal(readExchanges(plain).exchanges.length, readExchanges(recording).exchanges.length);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type RequestError } from "@wirewright/dap/connection";
import { attach, launch } from "@wirewright/dap/session";
import { replay } from "@wirewright/dap/testing";
import { readMessagesOf, type SentMessage } from "../../support/recorded-messages.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { randomNumbers } from "../../support/replay.js";
import { turns } from "../../support/scripted-connection.js";

for (const session of recordedSessions) {
  const messages = readMessagesOf(session);
  const asked = messages.filter(
    ({ from, message }) => from === "client" && message["type"] === "request",
  );
  const responses = new Map(
    messages.flatMap(({ from, message }) =>
      from === "adapter" && message["type"] === "response"
        ? [[message["request_seq"] as unknown, message] as const]
        : [],
    ),
  );
  const responseTo = ({ message }: SentMessage): Record<string, any> | undefined =>
    responses.get(message["seq"]);
  const possible = new Map<string, Set<string>>();
  for (const { success, command, body, message } of responses.values()) {
    const texts = possible.get(command as string) ?? new Set();
    possible.set(command as string, texts.add(JSON.stringify(success === true ? body : message)));
  }
  const eventsOf = (all: readonly SentMessage[]): string[] =>
    all.flatMap(({ message }) =>
      message["type"] === "event" ? [JSON.stringify([message["event"], message["body"]])] : [],
    );

  test(`replay() plays the recording of ${session.name} for the recorded client`, async () => {
    const client = connect("client", replay(messages), {
      handlers: { runInTerminal: () => ({}), startDebugging: () => undefined },
    });
    const events: string[] = [];
    client.on("*", (body, { event: name }) => void events.push(JSON.stringify([name, body])));
    const waiting: Promise<unknown>[] = [];
    for (const each of asked) {
      const expected = responseTo(each);
      const result = client.requestCustom(each.message["command"], each.message["arguments"]).then(
        (body) => ({ success: true, body }),
        ({ response }: RequestError) =>
          response && { success: false, message: (response as Record<string, any>)["message"] },
      );
      const settled = result.then((actual) => {
        if (expected !== undefined)
          assert.deepEqual(
            actual,
            expected["success"] === true
              ? { success: true, body: expected["body"] }
              : { success: false, message: expected["message"] },
          );
      });
      waiting.push(settled);
      // After a few turns, continue without the response, like the recorded client, which did not
      // wait for every response.
      await Promise.race([settled, turns()]);
    }
    await Promise.all(waiting);
    await turns();
    assert.deepEqual(events.sort(), eventsOf(messages).sort());
    await client.close();
  });

  test(`replay() plays the recording of ${session.name} for requests in other orders`, async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = randomNumbers(seed);
      const client = connect("client", replay(messages));
      let stops = 0;
      client.on("stopped", () => stops++);
      // All requests except disconnect, which may end the recording.
      const rest = asked.filter(
        (each) => responseTo(each) !== undefined && each.message["command"] !== "disconnect",
      );
      const isStep = ({ message }: SentMessage): boolean =>
        /^(initialize|launch|attach|configurationDone|continue|next|step.*|terminate|restart)$/.test(
          message["command"],
        );
      for (let at = 0; at < rest.length;) {
        // Requests between two steps may arrive in any order.
        let end = at;
        while (end < rest.length && !isStep(rest[end]!)) end++;
        const group = rest.slice(at, end).sort(() => random(3) - 1);
        for (const each of group) {
          const actual: unknown = await client
            .requestCustom(each.message["command"], each.message["arguments"])
            .catch(({ response }: RequestError) => (response as Record<string, any>)["message"]);
          assert.ok(
            possible.get(each.message["command"] as string)!.has(JSON.stringify(actual)),
            JSON.stringify([seed, each, actual]),
          );
        }
        const step = rest[end];
        if (step !== undefined) {
          const result = client
            .requestCustom(step.message["command"], step.message["arguments"])
            .catch(() => undefined);
          await Promise.race([result, turns()]);
        }
        at = end + 1;
      }
      await turns();
      const recorded = eventsOf(messages).filter((each) => each.startsWith('["stopped"')).length;
      assert.equal(stops, recorded, `seed ${seed}`);
      await client.close();
    }
  });

  test(`replay() plays the recording of ${session.name} for our session client`, async () => {
    const start = asked.some(({ message }) => message["command"] === "attach") ? attach : launch;
    const opened = await start(replay(messages), {
      arguments: {},
      connection: { timeoutMs: 10_000 },
    });
    const state = await opened.waitForStop();
    assert.equal(state.kind, "stopped");
    const { frames } = await opened.snapshot();
    assert.ok(frames.length > 0);
    await opened.disconnect();
  });
}

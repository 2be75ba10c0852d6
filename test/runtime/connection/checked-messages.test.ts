import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bridge, type BridgeOptions } from "@wirewright/dap/connection";
import {
  event,
  request,
  response,
  scripted,
  ScriptedTransport,
  turn,
  type Fields,
} from "../../support/scripted-connection.js";

const words = ["wire", "strict", "report", "off"] as const;

/** Right for `strict`, right for `wire` only, and wrong. */
const bodies = {
  right: { reason: "step", threadId: 1 },
  tolerated: { reason: "step", threadId: null },
  wrong: { reason: "step", threadId: "1" },
};

const wrongThread = (pointer: string): object => ({
  pointer,
  code: "wrong-type",
  expected: "an integer from -2^31 to 2^31-1",
  received: "1",
});
const wrongThreadText = (pointer: string): string =>
  `\`${pointer}\`: expected an integer from -2^31 to 2^31-1, received "1"`;

/** The bodies that a check refuses. */
const refused = {
  wire: ["wrong"],
  strict: ["tolerated", "wrong"],
  report: [],
  off: [],
} as const;

/** Returns the names of the bodies that a check accepts. */
const accepted = (word: (typeof words)[number]): readonly string[] =>
  Object.keys(bodies).filter((name) => !(refused[word] as readonly string[]).includes(name));

describe("incoming messages", () => {
  for (const word of words)
    test(`an event that \`${word}\` refuses is reported and does not stop those that follow`, () => {
      const { connection, transport, problems } = scripted("client", { checkIncoming: word });
      const seen: unknown[] = [];
      connection.on("stopped", (body) => void seen.push(body));
      const messages = Object.values(bodies).map((body) => ({
        ...event("stopped", body),
        seq: 1,
      }));
      void transport.say(...messages, { ...event("vendor/any", 5), seq: 1 });
      assert.deepEqual(
        seen,
        accepted(word).map((name) => bodies[name as keyof typeof bodies]),
      );
      const wrong = {
        code: "ERR_INVALID_MESSAGE",
        message: `The event "stopped" is invalid: ${wrongThreadText("/body/threadId")}`,
        subject: messages[2],
        issues: [wrongThread("/body/threadId")],
      };
      const expected = "expected an integer from -2^31 to 2^31-1";
      const tolerated = {
        code: "ERR_INVALID_MESSAGE",
        message: `The event "stopped" is invalid: \`/body/threadId\`: ${expected}, received null`,
        subject: messages[1],
        issues: [{ ...wrongThread("/body/threadId"), received: null, rule: "null" }],
      };
      assert.deepEqual(
        problems,
        { wire: [wrong], strict: [tolerated, wrong], report: [wrong], off: [] }[word],
      );
    });

  for (const word of words)
    test(`a request that \`${word}\` refuses gets a failure response`, () => {
      const seen: unknown[] = [];
      const { connection, transport, codes } = scripted("adapter", {
        checkIncoming: word,
        handlers: { next: (next) => void seen.push(next) },
      });
      connection.handleCustom("vendor/any", (any) => void seen.push(any));
      void transport.say(
        request(1, "next", { threadId: 1 }),
        request(2, "next", { threadId: 2, granularity: null }),
        request(3, "next", { threadId: "1" }),
        request(4, "vendor/any", 5),
      );
      const isStrict = word === "strict";
      const isRefused = word === "wire" || isStrict;
      assert.deepEqual(seen, [
        { threadId: 1 },
        ...(isStrict ? [] : [{ threadId: 2, granularity: null }]),
        ...(isRefused ? [] : [{ threadId: "1" }]),
        5,
      ]);
      const text = `The request "next" is invalid: ${wrongThreadText("/arguments/threadId")}`;
      const failure = {
        type: "response",
        command: "next",
        request_seq: 3,
        success: false,
        message: text,
        body: { error: { id: 2, format: "{text}", variables: { text } } },
      };
      assert.deepEqual(
        transport.written.map(({ success }) => success as boolean),
        [true, !isStrict, !isRefused, true],
      );
      if (isRefused) assert.deepEqual({ ...transport.written[2] }, { seq: 3, ...failure });
      assert.deepEqual(codes(), word === "report" ? ["ERR_INVALID_MESSAGE"] : []);
    });

  for (const word of words)
    test(`a response that \`${word}\` refuses rejects only its own request`, async () => {
      const { connection, transport, codes } = scripted("client", { checkIncoming: word });
      const asked = [1, 2, 3].map(() => connection.request("threads"));
      const ids = [1, null, "1"];
      const answers = ids.map((id, index) =>
        response(index + 1, {
          seq: 1,
          command: "threads",
          body: { threads: [{ id, name: "main" }] },
        }),
      );
      void transport.say(...answers);
      const outcomes = await Promise.allSettled(asked);
      const refusal = (received: string): object => ({
        code: "ERR_RESULT",
        command: "threads",
        response: undefined,
        message: `The response to "threads" is invalid: \`/body/threads/0/id\`: expected an integer from -2^31 to 2^31-1, received ${received}`,
      });
      const shown = outcomes.map((outcome) => {
        if (outcome.status === "fulfilled") return outcome.value.threads[0]!.id;
        const { code, command, response, message } = outcome.reason as Fields;
        return { code, command, response, message } as unknown;
      });
      assert.deepEqual(
        shown,
        {
          wire: [1, null, refusal('"1"')],
          strict: [1, refusal("null"), refusal('"1"')],
          report: ids,
          off: ids,
        }[word],
      );
      assert.deepEqual(codes(), word === "report" ? ["ERR_INVALID_MESSAGE"] : []);
    });

  for (const word of words)
    test(`\`${word}\` checks a failure response`, async () => {
      const { connection, transport } = scripted("client", { checkIncoming: word });
      const asked = [1, 2].map(() => connection.request("threads"));
      const failures = [{}, { error: { id: "1", format: "no" } }].map((body, index) =>
        response(index + 1, { seq: 1, command: "threads", success: false, message: "no", body }),
      );
      void transport.say(...failures);
      const outcomes = (await Promise.allSettled(asked)).map((outcome) => {
        const { code, message, response, issues } = (outcome as PromiseRejectedResult)
          .reason as Fields;
        return { code, message, response, issues } as unknown;
      });
      const code = "ERR_REQUEST_FAILED";
      const received = { code, message: "no", issues: undefined };
      const issue = wrongThread("/body/error/id");
      const refusal = {
        code,
        message: `no. The response to "threads" is invalid: ${wrongThreadText("/body/error/id")}`,
        response: undefined,
        issues: [issue],
      };
      const isRefused = word === "wire" || word === "strict";
      assert.deepEqual(outcomes, [
        { ...received, response: failures[0] },
        isRefused ? refusal : { ...received, response: failures[1] },
      ]);
    });

  for (const word of words)
    test(`\`${word}\` checks a reverse request and a response that names another request`, async () => {
      const { connection, transport, written } = {
        ...scripted("client", {
          checkIncoming: word,
          handlers: { runInTerminal: () => ({ processId: 1 }) },
        }),
        written: [] as unknown[],
      };
      const asked = connection.request("threads");
      void transport.say(
        { ...response(1, { command: "next", body: { threads: [] } }), seq: 1 },
        request(2, "runInTerminal", { cwd: "", args: "a b" }),
      );
      written.push(await asked.catch(({ message }: Error) => message));
      await turn();
      written.push(transport.responsesTo(2).map(({ success }) => success as unknown));
      const name =
        'The response to "threads" is invalid: `/command`: expected "threads", received "next"';
      assert.deepEqual(
        written,
        {
          wire: [{ threads: [] }, [false]],
          strict: [name, [false]],
          report: [{ threads: [] }, [true]],
          off: [{ threads: [] }, [true]],
        }[word],
      );
    });

  test("middleware sees an invalid message, and may mend it", () => {
    const seen: unknown[] = [];
    const { connection, transport, codes } = scripted("client", {
      middleware: [
        {
          afterReceive: (message) => ({ ...message, body: { reason: "step", threadId: 1 } }),
        },
      ],
    });
    connection.on("stopped", (body) => void seen.push(body));
    void transport.say(event("stopped", bodies.wrong));
    assert.deepEqual([seen, codes()], [[{ reason: "step", threadId: 1 }], []]);
  });

  test("a refused request still cancels another, and leaves the order as it is", async () => {
    const { transport } = scripted("adapter", {
      handlers: {
        pause: (_, { signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("stopped"))),
          ),
        cancel: () => undefined,
      },
    });
    void transport.say(
      request(1, "pause", { threadId: 1 }),
      request(2, "cancel", { requestId: 1, progressId: 5 }),
    );
    await turn();
    assert.deepEqual(
      transport.written.map(({ request_seq, success, message }) => [request_seq, success, message]),
      [
        [
          2,
          false,
          'The request "cancel" is invalid: `/arguments/progressId`: expected a string, received 5',
        ],
        [1, false, "cancelled"],
      ],
    );
  });
});

describe("outgoing messages", () => {
  for (const word of words)
    test(`\`${word}\` checks events, requests and results`, async () => {
      const { connection, transport, codes } = scripted("adapter", {
        checkOutgoing: word,
        handlers: { threads: () => ({ threads: [{ id: "1", name: "main" }] }) as never },
      });
      const sent = Object.values(bodies).map((body) => {
        try {
          connection.notify("stopped", body as never);
          return "sent";
        } catch (error) {
          return (error as Fields)["code"] as string;
        }
      });
      const is = (name: keyof typeof bodies): string =>
        accepted(word).includes(name) ? "sent" : "ERR_INVALID_MESSAGE";
      assert.deepEqual(sent, [is("right"), is("tolerated"), is("wrong")]);
      const asked = connection.request("runInTerminal", { cwd: "", args: "a b" } as never);
      await transport.say(request(9, "threads"));
      const [answer] = transport.responsesTo(9);
      const isRefused = word === "wire" || word === "strict";
      assert.equal(answer!["success"], !isRefused);
      if (isRefused) await assert.rejects(asked, { code: "ERR_INVALID_MESSAGE" });
      else void asked.catch(() => undefined);
      connection.notifyCustom("vendor/any", 5);
      assert.equal(transport.written.at(-1)!["event"], "vendor/any");
      const three = ["ERR_INVALID_MESSAGE", "ERR_INVALID_MESSAGE", "ERR_INVALID_MESSAGE"];
      assert.deepEqual(
        codes(),
        { wire: ["ERR_REQUEST_HANDLER"], strict: ["ERR_REQUEST_HANDLER"], report: three, off: [] }[
          word
        ],
      );
      await connection.close();
    });
});

describe("a bridge", () => {
  for (const word of [...words, undefined])
    test(`checkIncoming ${word}`, async () => {
      const client = new ScriptedTransport();
      const adapter = new ScriptedTransport();
      const problems: unknown[] = [];
      const options: BridgeOptions = {
        ...(word === undefined ? {} : { checkIncoming: word }),
        onProblem: ({ code, side, issues }) => void problems.push([code, side, issues?.length]),
      };
      const own = bridge(client, adapter, options);
      await client.say(request(1, "next", { threadId: "1" }), request(2, "threads"));
      await adapter.say(
        { ...event("stopped", bodies.wrong), seq: 5 },
        { ...response(2, { command: "threads", body: { threads: 5 } }), seq: 6 },
        { ...event("vendor/any", 5), seq: 7 },
        { seq: 8, type: "odd" },
      );
      const isRefused = word === "wire" || word === "strict";
      assert.deepEqual(
        adapter.written.map(({ command }) => command as string),
        isRefused ? ["threads"] : ["next", "threads"],
      );
      const shown = client.written.map((each) => [
        each["event"] ?? each["request_seq"] ?? each["type"],
        each["success"],
        each["message"],
      ]);
      const refusedNext = `The request "next" is invalid: ${wrongThreadText("/arguments/threadId")}`;
      const refusedThreads =
        'The response to "threads" is invalid: `/body/threads`: expected an array, received 5';
      assert.deepEqual(shown, [
        ...(isRefused
          ? [
              [1, false, refusedNext],
              [2, false, refusedThreads],
            ]
          : [
              ["stopped", undefined, undefined],
              [2, true, undefined],
            ]),
        ["vendor/any", undefined, undefined],
        ["odd", undefined, undefined],
      ]);
      const all = [
        ["ERR_INVALID_MESSAGE", "client", 1],
        ["ERR_INVALID_MESSAGE", "adapter", 1],
        ["ERR_INVALID_MESSAGE", "adapter", 1],
      ];
      assert.deepEqual(problems, isRefused ? [all[1]] : word === "report" ? all : []);

      const asked = own.request("adapter", "threads");
      const { seq } = adapter.written.at(-1)!;
      await adapter.say({
        ...response(seq, { command: "threads", body: { threads: 5 } }),
        seq: 9,
      });
      if (isRefused) await assert.rejects(asked, { code: "ERR_RESULT", message: refusedThreads });
      else assert.deepEqual(await asked, { threads: 5 });
      await own.close();
    });
});

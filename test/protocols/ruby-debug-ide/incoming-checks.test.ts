import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createClient,
  createServer,
  type ClientOptions,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import { bytesOf, textOf } from "../../support/framed-text.js";

const goodStop = '<breakpoint file="a.rb" line="3" threadId="1"/>';
const badStop = '<breakpoint file="a.rb" line="three" threadId="1"/>';
const badAnswer = '<breakpointAdded no="one" location="a.rb:3"/>';

interface Outcome {
  readonly answer: unknown;
  readonly events: readonly unknown[];
  readonly problems: readonly string[];
}

async function receive(options: Partial<ClientOptions>, text: string): Promise<Outcome> {
  const events: unknown[] = [];
  const problems: string[] = [];
  const client = createClient({
    write: () => undefined,
    onEvent: ({ element }) => void events.push(element),
    onProblem: ({ code, message }) => void problems.push(`${code} ${message}`),
    ...options,
  });
  const answer = client.send("break", { location: "a.rb:3" } as never).then(
    ({ element }: { element: string }) => element,
    ({ code, message, answers }) => [code, message, answers],
  );
  client.push(bytesOf(text));
  return { answer: await answer, events, problems };
}

const added = '<breakpointAdded no="1" location="a.rb:3"/>';

test("a wrong answer rejects its command, and a wrong stop goes to onProblem", async () => {
  assert.deepEqual(await receive({}, goodStop + added), {
    answer: "breakpointAdded",
    events: ["breakpoint"],
    problems: [],
  });
  const stopText =
    'The event "breakpoint" is invalid: `/body/line`: expected an integer, received "three"';
  const answerText =
    'The response to "break" is invalid: `/body/no`: expected an integer, received "one"';
  const wrong = { element: "breakpointAdded", body: { no: "one", location: "a.rb:3" } };
  const refused = {
    answer: ["ERR_INVALID_MESSAGE", answerText, [wrong]],
    events: [],
    problems: [`ERR_INVALID_MESSAGE ${stopText}`],
  };
  for (const checkIncoming of [undefined, "wire", "strict"] as const)
    assert.deepEqual(await receive({ checkIncoming }, badStop + badAnswer), refused);
  assert.deepEqual(await receive({ checkIncoming: "report" }, badStop + badAnswer), {
    answer: "breakpointAdded",
    events: ["breakpoint"],
    problems: [`ERR_INVALID_MESSAGE ${stopText}`, `ERR_INVALID_MESSAGE ${answerText}`],
  });
  assert.deepEqual(await receive({ checkIncoming: "off" }, badStop + badAnswer), {
    answer: "breakpointAdded",
    events: ["breakpoint"],
    problems: [],
  });
});

test("the next answer is delivered after a wrong one", async () => {
  const client = createClient({ write: () => undefined });
  const [first, second] = ["a.rb:3", "a.rb:4"].map((location) =>
    client.send("break", { location } as never).then(
      ({ body }: { body: unknown }) => body,
      ({ code }) => code,
    ),
  );
  client.push(bytesOf(`${badAnswer}<breakpointAdded no="2" location="a.rb:4"/>`));
  assert.deepEqual(await Promise.all([first, second]), [
    "ERR_INVALID_MESSAGE",
    { no: 2, location: "a.rb:4" },
  ]);
});

test("a wrong command does not reach its handler", () => {
  const run = (options: Partial<ServerOptions>): readonly unknown[] => {
    const log: unknown[] = [];
    const server = createServer({
      write: (bytes) => void log.push(textOf(bytes)),
      handlers: {
        delete: (values) => {
          log.push(values);
          return [];
        },
      },
      onProblem: ({ message }) => void log.push(message),
      ...options,
    });
    server.stop({ element: "suspended", body: { file: "a.rb", line: 1, threadId: 1, frames: 1 } });
    log.length = 0;
    // The number is too large to be read as one.
    server.push(bytesOf("delete 99999999999999999999\n"));
    return log;
  };
  const refused = [
    'The request "delete" is invalid: `/arguments/breakpoints/0`: expected an integer, received "99999999999999999999"',
    "<message>Unknown command: delete</message>",
  ];
  assert.deepEqual(run({}), refused);
  const [first] = run({ checkIncoming: "off" });
  assert.deepEqual(first, { breakpoints: ["99999999999999999999"] });
});

test("an unknown value for checkIncoming is refused", () => {
  assert.throws(() => createClient({ write: () => undefined, checkIncoming: "loose" as never }), {
    name: "TypeError",
    message: /checkIncoming/,
  });
});

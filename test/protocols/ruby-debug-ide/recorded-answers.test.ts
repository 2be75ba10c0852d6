import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, suite, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { skipWithout } from "../../support/paths.js";
import { rubySessions, type RecordedSession } from "../../support/recorded-sessions.js";
import { textSilenceMs, recordingClient } from "../../support/ruby-debug-ide.js";

/** The expected result of each command in a recording. */
const understood: Readonly<Record<string, readonly string[]>> = {
  counter: [
    "b counter.rb:7: breakpointAdded",
    "info break: breakpoints",
    "start: done",
    "event breakpoint",
    "where: frames",
    "thread list: threads",
    "v l: variables",
    "p total: eval",
    "pp names: #text",
    "help: ERR_COMMAND_FAILED Unknown command: help",
    "load missing.rb: ERR_COMMAND_FAILED INTERNAL ERROR!!! cannot load such file",
    "note",
    "delete 1: breakpointDeleted",
    "quit: message",
  ],
  reorder_control_vs_event: [
    "start: done",
    "event suspended",
    "thread list: threads",
    "b reorder_control_vs_event.rb:20: breakpointAdded",
    "p sleep(0.8): eval",
  ],
  percent_unknown_command: [
    "start: done",
    "event suspended",
    'foo 100% bar: ERR_ENCODE_REFUSED Cannot write "%" in this command: the peer cannot handle it, at /arguments',
    "unexpected error after nothing",
    "note",
  ],
  breakpoints: [
    "condition 1 x: ERR_COMMAND_FAILED No breakpoints have been set.",
    "info break: breakpoints",
    "b: ERR_COMMAND_FAILED ERROR: No filename given.",
    "break breakpoints.rb:13: breakpointAdded",
    "b breakpoints.rb:34 if i > 5: breakpointAdded",
    "break nosuch.rb:1: breakpointAdded",
    "info break: breakpoints",
    "condition 1 a == 3: conditionSet",
    "condition 1: conditionSet",
    "condition 99 x: ERR_COMMAND_FAILED Condition argument '99' needs to at most 3.",
    'condition: ERR_COMMAND_FAILED "condition" must be followed a breakpoint number and expression',
    "condition 2: conditionSet",
    "delete 99: ERR_COMMAND_FAILED No breakpoint number 99",
    "delete -1: ERR_COMMAND_FAILED Delete argument '-1' needs to at least 1.",
    "delete x: ERR_COMMAND_FAILED Delete argument 'x' needs to be a number.",
    "del 3: breakpointDeleted",
    "delete 4 5: ERR_COMMAND_FAILED No breakpoint number 4",
    "catch: ERR_COMMAND_FAILED Exception class must be specified for 'catch' command",
    "catch ArgumentError: catchpointSet",
    "cat ZeroDivisionError: catchpointSet",
    "catch ZeroDivisionError off: catchpointSet",
    "catch Nope off: ERR_COMMAND_FAILED Catch for exception Nope not found.",
    "catch ArgumentError off: catchpointSet",
    "catch ArgumentError: catchpointSet",
    "start: done",
    "event breakpoint",
    "enable 1: breakpointEnabled",
    "disable 1: breakpointDisabled",
    "enable 1: breakpointEnabled",
    "enable breakpoints 1 2: breakpointEnabled breakpointEnabled",
    "en 1: breakpointEnabled",
    "disable 1 2: breakpointDisabled breakpointDisabled",
    "dis 2: breakpointDisabled",
    'disable: ERR_COMMAND_FAILED "disable" must be followed "display", "breakpoints" or breakpoint numbers.',
    'enable: ERR_COMMAND_FAILED "enable" must be followed "display", "breakpoints" or breakpoint numbers.',
    "enable x: ERR_COMMAND_FAILED Enable breakpoints argument 'x' needs to be a number.",
    "disable 99: ERR_COMMAND_FAILED Disable breakpoints argument '99' needs to at most 2.",
    "enable 99: ERR_COMMAND_FAILED Enable breakpoints argument '99' needs to at most 2.",
    "catch Foo bar: ERR_COMMAND_FAILED Unknown command: catch Foo bar",
    "enable 1 2: breakpointEnabled breakpointEnabled",
    "info break: breakpoints",
    "where: frames",
    "up: done",
    "down: done",
    "frame 1: done",
    "frame 2: done",
    "frame: done",
    "unexpected #text after frame",
    "frame 99: done",
    "unexpected error after frame",
    "frame x: ERR_COMMAND_FAILED Frame argument 'x' needs to be a number.",
    "f -1: done",
    "up x: ERR_COMMAND_FAILED Up argument 'x' needs to be a number.",
    "down 5: done",
    "unexpected error after down",
    "u 1: done",
    "unexpected error after up",
    "w: frames",
    "c: done",
    "event breakpoint",
    "var local: variables",
    "c: done",
    "event exception",
    "v l: variables",
    "delete: ",
    "info break: breakpoints",
    "catch off: done",
    "c: done",
  ],
  stepping: [
    "b stepping.rb:11: breakpointAdded",
    "start: done",
    "event suspended",
    "next: done",
    "event suspended",
    "step: done",
    "event suspended",
    "where: frames",
    "next: done",
    "event suspended",
    "thread current: thread",
    "th c: thread",
    "fin: done",
    "event breakpoint",
    "s 2: done",
  ],
};

suite(
  "recordings of the real debugger can be read",
  { skip: skipWithout("streams/ruby-debug-ide") },
  () => {
    for (const [name, want] of Object.entries(understood))
      test(`every answer in the recording ${name} is matched to its command`, async (context) => {
        const session = rubySessions.find((each) => each.name === name)!;
        assert.deepEqual((await replay(context, session)).log, want);
      });
  },
);

/** Messages that do not answer a command, keyed by recording. */
const unexpectedIn: Readonly<Record<string, readonly string[]>> = {
  // Errors for refused commands, which get no other answer.
  breakpoints: [
    "unexpected #text after frame",
    "unexpected error after frame",
    "unexpected error after down",
    "unexpected error after up",
  ],
  // If an object does not exist, the debugger sends an empty list followed by a message.
  variables: ["unexpected message after nothing"],
  variables_rubymine: ["unexpected message after nothing"],
};

for (const session of rubySessions.filter(
  // These recordings end partway through a command.
  ({ name }) => !/^(percent|reorder|stepping)/.test(name),
))
  test(`every command in the recording "${session.name}" settles, and no message is left over`, async (context) => {
    const { log, waiting } = await replay(context, session);
    assert.equal(waiting, 0);
    assert.deepEqual(
      log.filter((line) => /^unexpected|ERR_(?!COMMAND_FAILED)/.test(line)),
      unexpectedIn[session.name] ?? [],
    );
  });

/** Sends a recording's commands and receives its messages. */
async function replay(
  { mock }: TestContext,
  { name, folder }: RecordedSession,
): Promise<{ readonly log: readonly string[]; readonly waiting: number }> {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { client, log, run } = recordingClient();
  const endText = async (): Promise<void> => {
    mock.timers.tick(textSilenceMs);
    await nextTurn();
  };
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  type SentContent = readonly [side: string, content: string | { readonly hex: string }];
  for (const [side, content] of lines.slice(1).map((line) => JSON.parse(line) as SentContent)) {
    // Bytes that are not valid UTF-8 are recorded in hexadecimal.
    const bytes =
      typeof content === "string" ? Buffer.from(content) : Buffer.from(content.hex, "hex");
    if (side === "A") client.push(bytes);
    else if (side === "C") {
      // Like the recorder, wait for the end of a text before sending commands.
      if (client.waiting > 0) await endText();
      for (const line of bytes.toString().trim().split("\n")) run(line);
    }
    await nextTurn();
  }
  await endText();
  return { log, waiting: client.waiting };
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CaseList } from "../../support/case-list.js";
import { skipWithout } from "../../support/paths.js";
import { rubySessions, type RecordedSession } from "../../support/recorded-sessions.js";
import { textSilenceMs, recordingClient } from "../../support/ruby-debug-ide.js";

test(
  "every answer in recordings of the real debugger is matched to its command",
  { skip: skipWithout("streams/ruby-debug-ide") },
  (context) =>
    new CaseList("test/cases/recorded-answers.md").check("recordings", async (name) => {
      const session = rubySessions.find((each) => each.name === name)!;
      return (await replay(context, session)).log;
    }),
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
  mock.timers.reset();
  return { log, waiting: client.waiting };
}

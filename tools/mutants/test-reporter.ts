/**
 * A reporter that reports only failures. While coverage is being measured, it writes failures to
 * file descriptor 3. Otherwise, the first failure ends the run.
 */
import { writeSync } from "node:fs";
import { coverageVariable } from "./coverage-recorder.js";
import type { TestNote } from "./test-process.js";

interface Event {
  readonly type: string;
  readonly data: { readonly name?: string };
}

export default async function* reportFailures(
  events: AsyncIterable<Event>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== "test:fail") continue;
    if (process.env[coverageVariable] === undefined) process.exit(1);
    const note: TestNote = { kind: "failed", name: data.name! };
    writeSync(3, `${JSON.stringify(note)}\n`);
  }
  yield "";
}

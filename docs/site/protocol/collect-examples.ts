/**
 * Collects examples of a protocol's messages for the pages of the site:
 * `node build/docs/site/protocol/collect-examples.js PROTOCOL PROGRAMS RECORDING…`. PROGRAMS describes the recorded
 * programs, such as "real adapters". The examples are published, so redact the recordings first.
 */
import { writeFileSync } from "node:fs";
import { openProtocol, openRecording } from "../../../cli/index.js";
import {
  MessageTracker,
  type TrackedMessage,
} from "../../../sessions/show/exchanges/message-tracker.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { readChunks } from "../../../generator/read/source/input-source.js";
import type { Example, Examples, ExampleStep } from "./example.js";
import { fromRoot } from "../../../test/support/paths.js";

/**
 * The maximum length of an example as JSON, in characters. Among the examples within this limit,
 * the longest is used.
 */
const maxLength = 1_000;
/**
 * The maximum number of messages to include after a response, to show the effects of the request.
 */
const maxFollowing = 3;

interface Found {
  readonly tracked: TrackedMessage;
  readonly message: object;
}

/** Reads the sessions in a recording, each as an array of messages. */
async function readSessions(file: string, protocol: Protocol): Promise<readonly Found[][]> {
  const source = { name: file, chunks: readChunks(file, "recording") };
  const recording = await openRecording([source], protocol, {});
  const tracker = new MessageTracker(protocol);
  const sessions = new Map<number, Found[]>();
  for await (const { entries } of recording.batches())
    for (const entry of entries) {
      if (entry.message === undefined) continue;
      const trackedMessage = { tracked: tracker.read(entry), message: entry.message };
      const session = sessions.get(entry.session ?? 0) ?? [];
      sessions.set(entry.session ?? 0, [...session, trackedMessage]);
    }
  return [...sessions.values()];
}

function stepOf({ tracked, message }: Found, isWhole: boolean): ExampleStep | undefined {
  const { from, kind, name } = tracked;
  if (kind === "none" || name === undefined) return undefined;
  return { from, kind, name, ...(isWhole && { message }) };
}

/** Returns a command without an id, and the messages up to the next command. */
function commandAt(session: readonly Found[], start: number): Example {
  const rest = session.slice(start + 1);
  const next = rest.findIndex(({ tracked }) => tracked.kind === "request");
  const following = rest.slice(0, next < 0 ? maxFollowing : Math.min(next, maxFollowing));
  return [session[start]!, ...following].flatMap((found) => stepOf(found, true) ?? []);
}

/**
 * Returns a request, its response, and the messages up to the next request. Returns undefined if
 * the request was refused or got no response.
 */
function exchangeAt(session: readonly Found[], start: number): Example | undefined {
  const { tracked, message } = session[start]!;
  const steps: ExampleStep[] = [];
  let following = -1;
  for (const found of session.slice(start)) {
    const isAnswer = found.tracked.answers === tracked.index && found.tracked.from !== tracked.from;
    if (isAnswer && found.tracked.hasFailed) return undefined;
    const isNext = found.tracked.from === tracked.from && found.tracked.kind === "request";
    if (following >= 0 && (isNext || following === maxFollowing)) break;
    const isOther = found.tracked.kind === "response" && !isAnswer;
    const step = stepOf(found, isAnswer || found.message === message);
    if (step !== undefined && !isOther && !isRepeat(step, steps.at(-1))) steps.push(step);
    if (isAnswer) following = 0;
    else if (following >= 0) following++;
  }
  return following < 0 ? undefined : steps;
}

/** Returns whether a step merely repeats the previous one. */
function isRepeat(step: ExampleStep, last: ExampleStep | undefined): boolean {
  return step.message === undefined && step.kind === last?.kind && step.name === last.name;
}

/** Collects the best example for each message from the sessions. */
function collect(
  sessions: Iterable<readonly Found[]>,
  protocol: Protocol,
): ReadonlyMap<string, Example> {
  const best = new Map<string, Example>();
  for (const session of sessions)
    for (const [at, found] of session.entries()) {
      const { kind, name } = found.tracked;
      if (kind !== "request" && kind !== "event") continue;
      const event = stepOf(found, true);
      const exchange = protocol.lanes === undefined ? exchangeAt : commandAt;
      const example = kind === "request" ? exchange(session, at) : event && [event];
      if (example === undefined) continue;
      const key = `${kind} ${name}`;
      const earlier = best.get(key);
      if (earlier === undefined || isBetter(example, earlier)) best.set(key, example);
    }
  const keys = protocol.messages.map(({ kind, name }) => `${kind} ${name}`);
  return new Map(keys.filter((key) => best.has(key)).map((key) => [key, best.get(key)!]));
}

/** For messages that are not JSON, adds the form in which they are sent. */
async function withTexts(example: Example, { name, notations }: Protocol): Promise<Example> {
  if (notations === undefined) return example;
  const { createEncoder } = (await import(`@wirewright/${name}`)) as {
    createEncoder(options: { from: string }): { encode(message: object): Uint8Array };
  };
  return example.map((step) => {
    if (step.message === undefined) return step;
    const bytes = createEncoder({ from: step.from }).encode(step.message);
    return { ...step, text: new TextDecoder().decode(bytes).trimEnd() };
  });
}

function isBetter(example: Example, earlier: Example): boolean {
  const [length, knownLength] = [lengthOf(example), lengthOf(earlier)];
  if (length > maxLength) return length < knownLength;
  return knownLength > maxLength || length > knownLength;
}

function lengthOf(example: Example): number {
  return JSON.stringify(example).length;
}

const [name, programs, ...files] = process.argv.slice(2);
if (name === undefined || programs === undefined || files.length === 0) {
  console.error(
    "Usage: node build/docs/site/protocol/collect-examples.js PROTOCOL PROGRAMS RECORDING…",
  );
  process.exitCode = 2;
} else {
  const protocol = await openProtocol(name);
  const sessions: (readonly Found[])[] = [];
  for (const file of files) sessions.push(...(await readSessions(file, protocol)));
  const byMessage: Record<string, Example> = {};
  for (const [key, example] of collect(sessions, protocol))
    byMessage[key] = await withTexts(example, protocol);
  const path = `docs/site/protocol/examples/${name}.json`;
  const examples: Examples = { programs, byMessage };
  writeFileSync(fromRoot(path), `${JSON.stringify(examples, null, 2)}\n`);
  const missing = protocol.messages
    .map(({ kind, name: own }) => `${kind} ${own}`)
    .filter((key) => byMessage[key] === undefined);
  console.log(`${path}: ${Object.keys(byMessage).length} examples. Missing: ${missing.join(", ")}`);
}

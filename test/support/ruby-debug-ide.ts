import {
  notations,
  type DebuggerToFrontend,
  type FrontendToDebugger,
  createEncoder,
} from "@wirewright/ruby-debug-ide";
import {
  createClient,
  type Client,
  type ClientOptions,
  type LaneError,
} from "@wirewright/ruby-debug-ide/connection";
import assert from "node:assert/strict";
import { textOf } from "./framed-text.js";
import { setImmediate as nextTurn } from "node:timers/promises";

export const textSilenceMs = 20;

/**
 * Creates a client whose peer is the test. Records the bytes it writes and the result of each
 * command.
 */
export function recordingClient(options: Partial<ClientOptions> = {}): {
  readonly client: Client;
  readonly log: string[];
  readonly run: (line: string) => void;
} {
  const log: string[] = [];
  const client = createClient({
    write: () => undefined,
    textSilenceMs,
    onEvent: ({ element }) => void log.push(`event ${element}`),
    onNote: () => void log.push("note"),
    onUnexpected: (message, command) =>
      void log.push(
        `unexpected ${(message as DebuggerToFrontend).element} after ${command ?? "nothing"}`,
      ),
    ...options,
  });
  const run = (line: string): void => {
    const [read] = notations.frontend.readLine(line) as [FrontendToDebugger];
    const known = read.command in notations.frontend ? undefined : read;
    const sent = (client.send as (name: string, values?: unknown) => Promise<unknown>).call(
      client,
      known!.command,
      (known as { arguments?: unknown }).arguments,
    );
    const name = (answer: unknown): string => (answer as DebuggerToFrontend).element;
    void sent.then(
      (answer) =>
        log.push(`${line}: ${answer === undefined ? "done" : [answer].flat().map(name).join(" ")}`),
      (error: LaneError) => log.push(`${line}: ${error.code} ${error.message}`),
    );
  };
  return { client, log, run };
}

const commandEncoder = createEncoder({ from: "frontend" });

/** Encodes a command and returns its line without the line ending. */
export function lineOf(command: object): string {
  const line = textOf(commandEncoder.encode(command as FrontendToDebugger));
  assert.ok(line.endsWith("\n"));
  return line.slice(0, -1);
}

export const frames = "<frames></frames>";

export const stopped = {
  element: "suspended",
  body: { file: "a", line: 1, threadId: 1, frames: 1 },
} as const;

/** Returns a promise's result, or the code it was rejected with. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(({ code, name }: LaneError) => code ?? name);
}

/** Returns whether a promise has settled. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const settle = (): void => void (is = true);
  promise.then(settle, settle);
  await nextTurn();
  return is;
}

export const never = (): Promise<void> => new Promise(() => undefined);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FrameDecoder } from "../../runtime/index.js";
import type { RecordedSession } from "./recorded-sessions.js";
import { framesOf, type Fields } from "./scripted-connection.js";

/** An adapter's messages, with its responses adapted to requests whose ids start at 1. */
export interface Replay {
  /** The names of the recorded requests in order. */
  readonly requests: readonly string[];
  /** The recorded adapter's messages in order: responses, events and reverse requests. */
  readonly messages: readonly Fields[];
  readonly bytes: Uint8Array;
}

/** Reads a recording for a client that sends the recorded requests in the same order. */
export function readReplay({ folder }: RecordedSession): Replay {
  const sent = messagesIn(join(folder, "out.bin")).filter(({ type }) => type === "request");
  const numbers = new Map(sent.map(({ seq }, index) => [seq, index + 1]));
  const answered = new Set<number>();
  const messages = messagesIn(join(folder, "in.bin")).flatMap((message) => {
    if (message["type"] !== "response") return [message];
    const number = numbers.get(message["request_seq"]);
    if (number === undefined || answered.has(number)) return [];
    answered.add(number);
    return [{ ...message, request_seq: number }];
  });
  return {
    requests: sent.map(({ command }) => String(command)),
    messages,
    bytes: framesOf(messages),
  };
}

function messagesIn(file: string): Fields[] {
  const messages: Fields[] = [];
  const decoder = new FrameDecoder({
    onMessage: (message) => void messages.push(message),
    onFault: () => undefined,
  });
  decoder.push(readFileSync(file));
  decoder.end();
  return messages;
}

/** Creates a generator of pseudo-random numbers below a limit, which are the same in every run. */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

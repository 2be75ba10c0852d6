import { readdirSync, readFileSync } from "node:fs";
import { fromRoot, shared } from "./paths.js";
import { join } from "node:path";
import { FrameDecoder } from "../../runtime/index.js";
import { framesOf, type Fields } from "./scripted-connection.js";

/**
 * A recorded DAP session: `in.bin`, `out.bin` and `chunks.jsonl`, plus `frames.jsonl` with a
 * verdict on each frame.
 */
export interface RecordedSession {
  readonly name: string;
  readonly folder: string;
}

/** The sessions in `test/fixtures/recordings`, and sessions with real adapters if available. */
export const recordedSessions: readonly RecordedSession[] = [
  ...["official-adapter", "example-adapter"].map((name) => ({
    name,
    folder: fromRoot(`test/fixtures/recordings/${name}`),
  })),
  ...["debugpy", "rdbg", "lldb-dap-19", "mock-debug-crash"].flatMap((name) => {
    const folder = shared(`traces/${name}`);
    return folder === undefined ? [] : [{ name, folder }];
  }),
];

/**
 * Names and folders of recorded ruby-debug-ide sessions. The files are `NAME.c2s.bin`,
 * `NAME.s2c.bin` and `NAME.jsonl`.
 */
export const rubySessions: readonly RecordedSession[] = [
  fromRoot("test/fixtures/recordings/ruby-debug-ide"),
  shared("streams/ruby-debug-ide"),
].flatMap((folder) =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((file) => file.endsWith(".s2c.bin"))
        .map((file) => ({ name: file.slice(0, -".s2c.bin".length), folder })),
);

export interface SentMessage {
  readonly from: "client" | "adapter";
  readonly message: Record<string, any>;
}

/** Reads a recorded session's messages in the order in which their last bytes arrived. */
export function readMessagesOf({ folder }: RecordedSession): readonly SentMessage[] {
  const messages: SentMessage[] = [];
  const decoders = {
    in: decoderOf("adapter", messages),
    out: decoderOf("client", messages),
  };
  const bytes = {
    in: readFileSync(join(folder, "in.bin")),
    out: readFileSync(join(folder, "out.bin")),
  };
  for (const line of readFileSync(join(folder, "chunks.jsonl"), "utf8").trimEnd().split("\n")) {
    const { dir, off, len } = JSON.parse(line) as { dir: "in" | "out"; off: number; len: number };
    // Skip stderr output, which some recordings also contain.
    if (dir in decoders) decoders[dir].push(bytes[dir].subarray(off, off + len));
  }
  return messages;
}

function decoderOf(from: SentMessage["from"], into: SentMessage[]): FrameDecoder {
  return new FrameDecoder({
    onMessage: (message) => void into.push({ from, message: message as SentMessage["message"] }),
    onFault: () => undefined,
  });
}

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

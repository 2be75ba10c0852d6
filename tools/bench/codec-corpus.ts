/** Streams for the codec benchmarks: typical DAP workloads, framed the way peers write them. */
export interface Workload {
  readonly name: string;
  readonly messages: readonly object[];
  /** The messages as `Content-Length` frames. */
  readonly framed: Buffer;
  /** The messages as lines of JSON. */
  readonly lines: Buffer;
}

function workload(name: string, bytes: number, make: (index: number) => object): Workload {
  const messages: object[] = [];
  for (let size = 0; size < bytes;) {
    const message = make(messages.length);
    messages.push(message);
    size += JSON.stringify(message).length;
  }
  const texts = messages.map((message) => JSON.stringify(message));
  return {
    name,
    messages,
    framed: Buffer.from(
      texts.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join(""),
    ),
    lines: Buffer.from(texts.map((text) => `${text}\n`).join("")),
  };
}

const path = "/home/user/projects/service/src/handlers/session.ts";

function tiny(index: number): object {
  return index % 2 === 0
    ? {
        seq: index + 1,
        type: "request",
        command: "stackTrace",
        arguments: { threadId: 1, startFrame: 0, levels: 20 },
      }
    : {
        seq: index + 1,
        type: "event",
        event: "stopped",
        body: { reason: "breakpoint", threadId: 1, allThreadsStopped: true },
      };
}

function output(text: string): (index: number) => object {
  return (index) => ({
    seq: index + 1,
    type: "event",
    event: "output",
    body: {
      category: "stdout",
      output: `${index} ${text}\n`,
      source: { name: "session.ts", path, sourceReference: 0 },
      line: 120 + (index % 50),
      column: 4,
      variablesReference: 0,
    },
  });
}

const asciiText =
  "handled request GET /api/v1/sessions/42 in 12 ms, 3 rows, cache miss; waiting for the next event on port 8080 while the debugger is attached to process 4242 and the log level is verbose (trace id 9f86d081884c7d65)";
const wideText =
  "Überprüfung läuft: 12 × 30 Zeilen gelesen — ✓ 処理が完了しました。次のイベントを待っています… Größe geändert, naïve Façade, Пожалуйста подождите несколько секунд; waiting for the next event on port 8080 (trace id 9f86d081884c7d65)";

function stackTrace(index: number): object {
  const stackFrames = Array.from({ length: 20 }, (_, frame) => ({
    id: 1000 + frame,
    name: `Handler.process${frame}(request: Request, context: Context)`,
    source: { name: "session.ts", path, sourceReference: 0, origin: "internal module" },
    line: 100 + frame,
    column: 5,
    endLine: 101 + frame,
    endColumn: 10,
    instructionPointerReference: `0x7ffee4c0${(4096 + frame).toString(16)}`,
    moduleId: "m1",
    presentationHint: "normal",
  }));
  return {
    seq: index + 1,
    type: "response",
    request_seq: index + 1,
    success: true,
    command: "stackTrace",
    body: { stackFrames, totalFrames: 20 },
  };
}

function variables(count: number, value: string): (index: number) => object {
  return (index) => ({
    seq: index + 1,
    type: "response",
    request_seq: index + 1,
    success: true,
    command: "variables",
    body: {
      variables: Array.from({ length: count }, (_, at) => ({
        name: `item${at}`,
        value: `${value} ${at}`,
        type: "SessionState",
        evaluateName: `items[${at}]`,
        variablesReference: at % 3 === 0 ? 2000 + at : 0,
        presentationHint: { kind: "property", visibility: "public" },
      })),
    },
  });
}

const small = 400_000;
const ascii = output(asciiText);
const wide = output(wideText);
const stack = stackTrace;
const hundred = variables(100, "{ id: 42, state: 'ready' }");

/** The workloads in the decoding table, by message size. */
export const workloads = {
  tiny: workload("tiny messages", small, tiny),
  output: workload("output events", small, ascii),
  outputWide: workload("output events, non-ASCII", small, wide),
  stack: workload("stack trace of 20 frames", small, stack),
  variables: workload("100 variables", small, hundred),
  mixed: workload("mixed session", small, (index) => {
    const kind = index % 20;
    return kind === 19
      ? hundred(index)
      : kind === 18
        ? stack(index)
        : kind >= 14
          ? wide(index)
          : kind >= 8
            ? ascii(index)
            : tiny(index);
  }),
  large: workload("1 MB of variables", 1_000_000, variables(5_600, "{ id: 42, state: 'ready' }")),
} as const satisfies Record<string, Workload>;

/**
 * Creates a workload with one message of about `bytes` bytes, most of which is a single string.
 * With many objects instead, the parser's time per byte would grow with the heap and hide the
 * decoder's time.
 */
export function bodyOf(bytes: number): Workload {
  const line = "    const block = await this.read(handle, offset, length); // the next one\n";
  const content = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  return workload(`${bytes} B body`, 1, () => ({
    seq: 1,
    type: "response",
    request_seq: 1,
    success: true,
    command: "source",
    body: { content },
  }));
}

/** Creates a `variables` response of about `bytes` bytes. */
export function variablesOf(bytes: number): object {
  return variables(Math.ceil(bytes / 180), "{ id: 42, state: 'ready' }")(0);
}

/**
 * Returns only the beginning of a workload, for chunk sizes at which some libraries are very slow.
 */
export function beginningOf({ name, messages }: Workload, bytes: number): Workload {
  return workload(name, bytes, (index) => messages[index]!);
}

/** Splits a stream into chunks that each own their memory, as chunks from a socket do. */
export function chunksOf(stream: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length; at += size)
    chunks.push(Buffer.from(stream.subarray(at, at + size)));
  return chunks;
}

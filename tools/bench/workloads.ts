/** Typical DAP messages, as data and as the bytes that peers write. */
export interface Workload {
  readonly name: string;
  readonly messages: readonly Message[];
  /** The messages as `Content-Length` frames. */
  readonly framed: Buffer;
}

export interface Message {
  seq: number;
  readonly type: string;
}

const path = "/home/user/projects/service/src/handlers/session.ts";

function request(command: string, args: object): object {
  return { type: "request", command, arguments: args };
}

function response(command: string, body: object): object {
  return { type: "response", request_seq: 1, success: true, command, body };
}

function event(event: string, body: object): object {
  return { type: "event", event, body };
}

function output(text: string): object {
  const source = { name: "session.ts", path, sourceReference: 0 };
  return event("output", {
    category: "stdout",
    output: text,
    source,
    line: 120,
    column: 4,
    variablesReference: 0,
  });
}

function stackTrace(): object {
  const stackFrames = Array.from({ length: 20 }, (_, index) => ({
    id: 1000 + index,
    name: `Handler.process${index}(request: Request, context: Context)`,
    source: { name: "session.ts", path, sourceReference: 0, origin: "internal module" },
    line: 100 + index,
    column: 5,
    endLine: 101 + index,
    endColumn: 10,
    instructionPointerReference: `0x7ffee4c0${(4096 + index).toString(16)}`,
    moduleId: "m1",
    presentationHint: "normal",
  }));
  return response("stackTrace", { stackFrames, totalFrames: 20 });
}

function variables(count: number): object {
  return response("variables", {
    variables: Array.from({ length: count }, (_, index) => ({
      name: `item${index}`,
      value: `{ id: 42, state: 'ready' } ${index}`,
      type: "SessionState",
      evaluateName: `items[${index}]`,
      variablesReference: index % 3 === 0 ? 2000 + index : 0,
      presentationHint: { kind: "property", visibility: "public" },
    })),
  });
}

const tiny = [
  request("stackTrace", { threadId: 1, startFrame: 0, levels: 20 }),
  event("stopped", { reason: "breakpoint", threadId: 1, allThreadsStopped: true }),
];
const ascii = output(
  "handled request GET /api/v1/sessions/42 in 12 ms, 3 rows, cache miss; waiting for the next event on port 8080 while the debugger is attached to process 4242 and the log level is verbose\n",
);
const wide = output(
  "Überprüfung läuft: 12 × 30 Zeilen gelesen — ✓ 処理が完了しました。次のイベントを待っています… Größe geändert, naïve Façade, Пожалуйста подождите несколько секунд\n",
);

/** Repeats messages until they make up about 400 kB. Each is an object of its own. */
function workload(name: string, repeated: readonly object[]): Workload {
  const texts: string[] = [];
  for (let bytes = 0; bytes < 400_000; bytes += texts.at(-1)!.length)
    texts.push(
      JSON.stringify({ seq: texts.length + 1, ...repeated[texts.length % repeated.length] }),
    );
  return {
    name,
    messages: texts.map((text) => JSON.parse(text) as Message),
    framed: Buffer.from(
      texts.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join(""),
    ),
  };
}

export const workloads: readonly Workload[] = [
  workload("tiny messages", tiny),
  workload("output events", [ascii]),
  workload("output events, non-ASCII", [wide]),
  workload("stack traces of 20 frames", [stackTrace()]),
  workload("100 variables", [variables(100)]),
  workload("mixed session", [
    ...[...tiny, ...tiny, ...tiny, ...tiny],
    ...Array<object>(6).fill(ascii),
    ...Array<object>(4).fill(wide),
    stackTrace(),
    variables(100),
  ]),
  // Node keeps strings of 1,031,913 bytes and more outside its heap.
  ...["1 MB", "1.1 MB", "10 MB"].map((size) =>
    workload(`${size} of variables`, [variables(parseFloat(size) * 5_000)]),
  ),
];

/** Splits a stream into chunks that each own their memory, as chunks from a socket do. */
export function chunksOf(stream: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
    Buffer.from(stream.subarray(index * size, (index + 1) * size)),
  );
}

/**
 * A small program that runs in every host. It decodes and validates a recording, and connects over
 * a message port and over WHATWG streams. It imports nothing at run time, and returns JSON.
 */
import type * as Adapters from "@wirewright/dap/adapter";
import type * as Connections from "@wirewright/dap/connection";
import type * as Messages from "@wirewright/dap";
import type * as Validators from "@wirewright/dap/validators";

/** Everything exported from the packed package's entry points. */
export type Dap = typeof Messages & typeof Validators & typeof Connections & typeof Adapters;

const sent: readonly object[] = [
  { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "é日本😀" } },
  { seq: 1, type: "response", request_seq: 1, success: true, command: "initialize", body: {} },
  { seq: 2, type: "event", event: "initialized" },
  { seq: 3, type: "event", event: "output", body: { output: "plain ascii ".repeat(200) } },
  { seq: 4, type: "event", event: "output", body: { output: `${"mostly ".repeat(200)}é\ud800` } },
  { seq: 5, type: "event", event: "stopped", body: { reason: 7, threadId: "one" } },
  { seq: 6, type: "event", event: "mine", body: [1.5, null, { deep: [[true]] }] },
  { seq: 7, type: "request" },
  { seq: 8, type: "response", request_seq: 2, success: false, command: "next", message: "no" },
];

export async function run(dap: Dap): Promise<Record<string, unknown>> {
  const bytes = recording(dap);
  const messages: object[] = [];
  const decoded = decode(dap, bytes, messages);
  return {
    version: dap.protocolVersion,
    length: bytes.length,
    decoded,
    read: await read(dap, bytes),
    streamed: await stream(dap, bytes),
    invalid: messages.map((message) => [dap.isValid(message), issuesOf(dap.validate(message))]),
    peeked: peek(dap, messages),
    unwritable: unwritable(dap),
    overPort: await converse(dap, overPort(dap)),
    overStreams: await converse(dap, overStreams(dap)),
  };
}

/** Frames with noise and a broken frame between them. */
function recording(dap: Dap): Uint8Array {
  const encoder = dap.createEncoder();
  const text = (line: string): Uint8Array => new TextEncoder().encode(line);
  return joined([
    text("Debugger listening…\n"),
    ...sent.map((message) => encoder.encode(message as never)),
    text('Content-Length: 5\r\nContent-Type: x\r\n\r\n{"a":'),
    encoder.encode(sent[2] as never),
  ]);
}

/** Formats a value as JSON. Long JSON is truncated and followed by its length. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 60)}… ${text.length}` : text;
}

function issuesOf(validation: Validators.Validation<object>): unknown {
  return validation.ok ? validation.deviations : validation.issues;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Chunks of 1, 2, 3… bytes. */
function* chunks(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0, size = 1; at < bytes.length; at += size++) yield bytes.slice(at, at + size);
}

function decode(dap: Dap, bytes: Uint8Array, messages: object[]): readonly unknown[] {
  const seen: unknown[] = [];
  const decoder = dap.createDecoder({
    onMessage: (classified) => {
      const message = classified.status === "malformed" ? classified.value : classified.message;
      messages.push(message as object);
      seen.push([classified.status, shown(message)]);
    },
    onFault: ({ code, offset }) => seen.push(`${code} at ${offset}`),
    onNoise: (noise) => seen.push(`noise of ${noise.length} bytes`),
  });
  for (const chunk of chunks(bytes)) decoder.push(chunk);
  decoder.end();
  return seen;
}

async function read(dap: Dap, bytes: Uint8Array): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for await (const classified of dap.readMessages(chunks(bytes)))
    seen.push(classified.status === "malformed" ? classified.reason : classified.kind);
  return seen;
}

async function stream(dap: Dap, bytes: Uint8Array): Promise<number> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks(bytes)) controller.enqueue(chunk);
      controller.close();
    },
  });
  const reader = source.pipeThrough(dap.createDecoderStream()).getReader();
  for (let count = 0; ; count++) if ((await reader.read()).done) return count;
}

function peek(dap: Dap, messages: readonly object[]): readonly unknown[] {
  return messages.map((message) => {
    const body = new TextEncoder().encode(JSON.stringify(message));
    const renumbered = dap.peek.renumber(body, 4711);
    return [
      dap.peek(body),
      renumbered === undefined ? undefined : new TextDecoder().decode(renumbered).slice(0, 60),
    ];
  });
}

function unwritable(dap: Dap): string {
  const loop: Record<string, unknown> = { seq: 1, type: "event", event: "loop" };
  loop["body"] = { loop };
  try {
    dap.createEncoder().encode(loop as never);
    return "written";
  } catch (error) {
    return error instanceof dap.EncodeError ? `${error.code} at ${error.pointer}` : String(error);
  }
}

type Transports = readonly [Connections.Transport, Connections.Transport];

function overPort(dap: Dap): Transports {
  const { port1, port2 } = new MessageChannel();
  return [dap.portTransport(port1), dap.portTransport(port2)];
}

function overStreams(dap: Dap): Transports {
  const [there, back] = [
    new TransformStream<Uint8Array, Uint8Array>(),
    new TransformStream<Uint8Array, Uint8Array>(),
  ];
  return [
    dap.streamTransport({ readable: back.readable, writable: there.writable }),
    dap.streamTransport({ readable: there.readable, writable: back.writable }),
  ];
}

async function converse(dap: Dap, [own, peers]: Transports): Promise<object> {
  const seen: unknown[] = [];
  let stopped = 0;
  const adapter = dap.defineAdapter({
    capabilities: { supportsCancelRequest: true },
    handlers: {
      threads: () => ({ threads: [{ id: 1, name: "é日本😀" }] }),
      launch: () => {
        throw new dap.Refusal("there is no program", { error: { id: 3, format: "no" } });
      },
      evaluate: (
        { expression }: Messages.EvaluateArguments,
        { signal }: Connections.RequestContext,
      ) =>
        new Promise((resolve) => {
          if (expression === "quick")
            resolve({ result: "x".repeat(3_000_000), variablesReference: 0 });
          signal.addEventListener("abort", () => {
            stopped++;
            resolve({ result: "stopped", variablesReference: 0 });
          });
        }),
      cancel: () => undefined,
    } as never,
  })(peers);
  const client = dap.connect("client", own, {
    onProblem: ({ code }) => seen.push(code),
  });
  client.on("output", ({ output }) => seen.push(`output ${output.length}`));
  const outcome = async (asked: Promise<unknown>): Promise<void> => {
    try {
      seen.push(shown(await asked));
    } catch (error) {
      seen.push(error instanceof dap.RequestError ? `${error.code}: ${error.message}` : `${error}`);
    }
  };
  await outcome(client.request("initialize", { adapterID: "x" }));
  await outcome(client.request("threads"));
  await outcome(client.request("launch", {}));
  await outcome(client.request("evaluate", { expression: "quick" }));
  await outcome(client.request("evaluate", { expression: "slow" }, { timeoutMs: 20 }));
  const controller = new AbortController();
  const aborted = client.request("evaluate", { expression: "slow" }, controller);
  controller.abort(new Error("changed my mind"));
  await outcome(aborted);
  const output = client.once("output");
  await adapter.notify("output", { output: "é".repeat(100_000) });
  await output;
  const left = client.request("evaluate", { expression: "slow" });
  await client.close();
  await outcome(left);
  await Promise.all([client.closed, adapter.closed]);
  return { seen, stopped };
}

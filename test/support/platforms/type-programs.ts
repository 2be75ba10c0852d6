import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../compilers.js";
import { specifier, type Installed } from "./packed-app.js";

/** The programs that use packed packages, by feature. */
export const packedPrograms: Readonly<Record<string, Program>> = {
  "nodenext, no types": {
    resolution: "nodenext",
    lib: ["es2022"],
    types: [],
    files: ["web.mts", "use.mts"],
  },
  "nodenext, Node": {
    resolution: "nodenext",
    lib: ["es2022"],
    types: ["node"],
    files: ["web.mts", "node.mts", "use.mts", "node-host.mts"],
  },
  "nodenext, ./node without types": {
    resolution: "nodenext",
    lib: ["es2022"],
    types: [],
    files: ["node.mts"],
  },
  // Before version 5.8, TypeScript does not let CommonJS modules require ES modules.
  "nodenext, CommonJS": {
    resolution: "nodenext",
    lib: ["es2022"],
    types: ["node"],
    files: ["web.cts", "node.cts"],
  },
  "bundler, no types": {
    resolution: "bundler",
    lib: ["es2022"],
    types: [],
    files: ["web.ts", "use.ts"],
  },
  "bundler, DOM": {
    resolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    files: ["web.ts", "use.ts", "web-host.ts"],
  },
  "bundler, web worker": {
    resolution: "bundler",
    lib: ["es2022", "webworker"],
    types: [],
    files: ["web.ts", "use.ts", "web-host.ts"],
  },
};

/** The programs that include generated sources. */
export const sourcePrograms: Readonly<Record<string, Program>> = {
  "sources, no types": {
    resolution: "nodenext",
    lib: ["es2022"],
    types: [],
    files: ["sources.ts"],
  },
  "sources, Node": {
    resolution: "bundler",
    lib: ["es2022"],
    types: ["node"],
    files: ["sources.ts", "node-sources.ts"],
  },
  "sources, DOM": {
    resolution: "bundler",
    lib: ["es2022", "dom"],
    types: [],
    files: ["sources.ts"],
  },
};

/** Writes the source files of the programs that use packed packages. */
export function writePackedPrograms(
  app: string,
  packages: readonly Installed[],
  entryOf: (name: string) => string,
): void {
  const all = packages.flatMap((each) => each.entries.map((entry) => specifier(each, entry)));
  const node = all.filter((each) => each.endsWith("/node"));
  const web = all.filter((each) => !node.includes(each));
  const write = (file: string, text: string): void => writeFileSync(join(app, file), text);
  for (const [name, specifiers] of [
    ["web", web],
    ["node", node],
  ] as const) {
    const modules = specifiers.flatMap((from, index) => [
      `import * as entry${index} from "${from}";`,
      `export type Entry${index} = typeof entry${index};`,
    ]);
    write(`${name}.mts`, modules.join("\n"));
    write(`${name}.ts`, modules.join("\n"));
    // With `verbatimModuleSyntax`, CommonJS files must not contain import declarations, so use
    // import types.
    const types = specifiers.map(
      (from, index) => `export type Entry${index} = typeof import("${from}");`,
    );
    write(`${name}.cts`, types.join("\n"));
  }
  for (const [name, text] of Object.entries(texts)) {
    const resolved = text.replaceAll(
      /from "#(\w+)"/g,
      (_, value: string) => `from "${entryOf(value)}"`,
    );
    write(`${name}.mts`, resolved);
    write(`${name}.ts`, resolved);
  }
}

/**
 * The source of each program. In an import, `#name` stands for the entry point that exports `name`.
 */
const texts: Readonly<Record<string, string>> = {
  use: `
import { classify, createDecoder, isEvent, isRequest, requests, supports } from "@wirewright/dap";
import type { Capabilities, KnownMessage, StoppedEvent } from "@wirewright/dap";
import { connect } from "#connect";
import { defineAdapter } from "#defineAdapter";
import { RequestError } from "#RequestError";
import type { Middleware, RequestContext, RequestOptions, Transport } from "#connect";
import { isValid } from "#isValid";
import { validate } from "#validate";

export const next: "next" = requests.next.name;

export function threadOf(message: KnownMessage): number | undefined {
  if (isEvent(message, "stopped")) {
    const event: StoppedEvent = message;
    return event.body.threadId;
  }
  return isRequest(message, "next") ? message.arguments.threadId : undefined;
}

export function canStepBack(capabilities: Capabilities): boolean {
  return supports(capabilities, "stepBack");
}

export function check(value: unknown): readonly string[] {
  const validation = validate(value);
  if (isValid(value) && validation.ok) return [];
  return validation.ok ? [] : validation.issues.map(({ pointer }) => pointer);
}

export const decoder: { push(bytes: Uint8Array): void } = createDecoder({
  onMessage: (message) => void (message.status === "known" && classify(message.message)),
});

/** Anything that can be aborted serves as a signal. */
const signal = {
  aborted: false,
  addEventListener(_type: "abort", _listener: () => void): void {},
  removeEventListener(_type: "abort", _listener: () => void): void {},
};
export const options: RequestOptions = { signal, timeoutMs: 5 };

export async function converse(transport: Transport, middleware: readonly Middleware[]): Promise<string> {
  const client = connect("client", transport, { middleware });
  client.on("output", ({ output }) => void output.length);
  try {
    const { threads } = await client.request("threads", undefined, options);
    return threads.map(({ name }) => name).join();
  } catch (error) {
    return error instanceof RequestError ? error.code : "";
  }
}

export const listen: (context: RequestContext) => boolean = ({ signal }) => {
  signal.addEventListener("abort", () => undefined);
  return signal.aborted;
};

export const adapter: (transport: Transport) => unknown = defineAdapter({
  capabilities: { supportsStepBack: true },
  handlers: {
    stepBack: ({ threadId }, context) => void (listen(context) && threadId),
    reverseContinue: () => undefined,
    launch: () => undefined,
    attach: () => undefined,
    threads: () => ({ threads: [{ id: 1, name: "main" }] }),
  },
});
`,
  "web-host": `
import { createDecoderStream, type Classified } from "#createDecoderStream";
import { portTransport } from "#portTransport";
import { streamTransport } from "#streamTransport";
import type { RequestContext, RequestOptions, Transport } from "#connect";

declare const worker: Worker;
export const overPort: Transport = portTransport(new MessageChannel().port1);
export const overWorker: Transport = portTransport(worker);

const readable: ReadableStream<Uint8Array> = new ReadableStream();
export const overStreams: readonly Transport[] = [
  streamTransport(new TransformStream<Uint8Array, Uint8Array>()),
  streamTransport({ readable, writable: new WritableStream() }),
];

export const messages: ReadableStream<Classified> = readable.pipeThrough(createDecoderStream());
export const transform: TransformStream<Uint8Array, Classified> = createDecoderStream();

export const options: RequestOptions = { signal: AbortSignal.timeout(5) };
export function load({ signal }: RequestContext): Promise<unknown> {
  const real: AbortSignal = signal;
  return fetch("/", { signal: real });
}
`,
  "node-host": `
import { ReadableStream, TransformStream, WritableStream } from "node:stream/web";
import { setTimeout } from "node:timers/promises";
import { MessageChannel, parentPort, Worker } from "node:worker_threads";
import { createDecoderStream, type Classified } from "#createDecoderStream";
import { portTransport } from "#portTransport";
import { streamTransport } from "#streamTransport";
import type { RequestContext, RequestOptions, Transport } from "#connect";
import { createMessageTransform, nodeTransport, spawnAdapter } from "@wirewright/dap/node";

export const overPort: Transport = portTransport(new MessageChannel().port1);
export const overParent: Transport | undefined = parentPort === null ? undefined : portTransport(parentPort);
export const overWorker: Transport = portTransport(new Worker("./worker.js"));

const readable: ReadableStream<Uint8Array> = new ReadableStream();
export const overStreams: readonly Transport[] = [
  streamTransport(new TransformStream<Uint8Array, Uint8Array>()),
  streamTransport({ readable, writable: new WritableStream() }),
  nodeTransport(process.stdin, process.stdout),
];

export const messages: ReadableStream<Classified> = readable.pipeThrough(createDecoderStream());
export const transform: NodeJS.ReadWriteStream = createMessageTransform();

export const options: RequestOptions = { signal: AbortSignal.timeout(5) };
export async function stackOf({ signal }: RequestContext): Promise<unknown> {
  const real: AbortSignal = signal;
  await setTimeout(5, undefined, { signal: real });
  const { connection, exited } = await spawnAdapter("adapter", [], { timeoutMs: 5 });
  return [await connection.request("stackTrace", { threadId: 1 }), exited];
}
`,
};

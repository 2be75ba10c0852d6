/**
 * Shares one adapter between several clients. The first client leads. Have it start this command in
 * place of the adapter:
 *
 * node build/examples/mux.js 4711 python3 -m debugpy.adapter
 *
 * Others join at any time: they connect to the port and send `attach`. They receive the state so
 * far, follow the session, and may read but not change it. The session ends with the leader.
 */
import { isEvent, isRequest, isResponse, protocol, supports } from "@wirewright/dap";
import type * as dap from "@wirewright/dap";
import { defineAdapter, type AdapterConnection, type Positions } from "@wirewright/dap/adapter";
import { bridge, Refusal, type BridgeMiddleware } from "@wirewright/dap/connection";
import { nodeTransport, serveAdapter, spawnTransport } from "@wirewright/dap/node";

const [port = "", command, ...args] = process.argv.slice(2);
if (!/^\d+$/.test(port) || command === undefined) {
  console.error("usage: mux PORT ADAPTER [ARGUMENT...]");
  process.exit(2);
}

type Request = dap.KnownRequest | dap.CustomRequest;

/** Requests that only read. Viewers may send those that the adapter supports. */
const reading = [
  ...(["threads", "stackTrace", "scopes", "variables", "source", "modules"] as const),
  ...(["loadedSources", "exceptionInfo", "locations", "readMemory", "disassemble"] as const),
];
/** Requests that clients send without a capability, and that only the leader may send. */
const leading = ["continue", "next", "stepIn", "stepOut", "pause", "evaluate"] as const;
const resuming = new Set<string>(protocol.conversation.resumes);
const maxOutputs = 1_000;

/** Events that a late viewer has to receive, by what they are about. */
const state = new Map<string, { readonly name: string; readonly body: object }>();
/** The leader's breakpoints by path and by requested line. */
const breakpoints = new Map<string, ReadonlyMap<number, dap.Breakpoint>>();
const viewers = new Set<AdapterConnection>();
/** The leader's requests that have not been answered, each with the number of stops before it. */
const pending = new Map<number, { readonly request: Request; readonly stops: number }>();
let [stops, outputs] = [0, 0];
let positions: Positions = {};

/** Returns what an event is about. A later event about the same replaces it. */
function subjectOf(message: dap.KnownEvent): string | undefined {
  const name = message.event;
  switch (name) {
    case "output":
      return `output ${outputs++}`;
    case "stopped":
    case "thread":
      return `${name} ${message.body.threadId}`;
    case "module":
      return `module ${message.body.module.id}`;
    case "breakpoint":
      return `breakpoint ${message.body.breakpoint.id}`;
    case "loadedSource":
      return `source ${message.body.source.path ?? message.body.source.sourceReference}`;
    case "process":
    case "exited":
    case "terminated":
      return name;
    default:
      return undefined; // only matters at the moment when it is sent
  }
}

/** Updates the state, and tells the viewers. */
function publish(message: dap.KnownEvent | dap.CustomEvent): void {
  const { event: name, body = {} } = message as { event: string; body?: object };
  if (name === "initialized") return; // Each viewer gets its own.
  if (isEvent(message, "continued")) {
    const { threadId, allThreadsContinued = true } = message.body;
    for (const subject of state.keys())
      if (allThreadsContinued ? subject.startsWith("stopped ") : subject === `stopped ${threadId}`)
        state.delete(subject);
  }
  if (isEvent(message, "stopped")) stops++;
  const subject = subjectOf(message as dap.KnownEvent);
  if (subject !== undefined) {
    state.delete(subject); // so that the events stay in order
    const { reason } = body as { readonly reason?: unknown };
    if (reason !== "removed" && (name !== "thread" || reason !== "exited"))
      state.set(subject, { name, body });
    if (name === "output") state.delete(`output ${outputs - maxOutputs}`);
  }
  for (const viewer of viewers)
    if (name !== "output" || viewer.hasRoom) void viewer.notifyCustom(name, body);
}

const watch: BridgeMiddleware = {
  fromClient(message) {
    if (!isRequest(message)) return;
    if (isRequest(message, "initialize")) {
      const {
        linesStartAt1 = true,
        columnsStartAt1 = true,
        pathFormat = "path",
      } = message.arguments;
      positions = { linesStartAt1, columnsStartAt1, pathFormat };
    }
    pending.set(message.seq, { request: message, stops });
  },
  fromAdapter(message) {
    if (isEvent(message)) publish(message);
    if (!isResponse(message)) return;
    const asked = pending.get(message.request_seq);
    pending.delete(message.request_seq);
    if (asked === undefined || !message.success) return;
    const { request } = asked;
    if (isResponse(message, "initialize")) void serve((message.body ?? {}) as dap.Capabilities);
    if (isRequest(request, "setBreakpoints")) {
      const { source, breakpoints: wanted = [] } = request.arguments;
      const { breakpoints: set } = message.body as dap.SetBreakpointsResponseBody;
      breakpoints.set(source.path ?? "", new Map(wanted.map(({ line }, i) => [line, set[i]!])));
    }
    // The adapter need not send `continued` to the client that has resumed the program.
    if (resuming.has(message.command) && asked.stops === stops) {
      const { threadId = 0, singleThread = false } = (request.arguments ??
        {}) as Partial<dap.ContinueArguments>;
      const body = { threadId, allThreadsContinued: !singleThread };
      publish({ seq: 0, type: "event", event: "continued", body });
    }
  },
};

const onProblem = ({ message }: { readonly message: string }): void => console.error(message);
const adapter = await spawnTransport(command, args);
const client = nodeTransport(process.stdin, process.stdout);
const session = bridge(client, adapter, { middleware: [watch], onProblem });

/** Lets viewers join. Their lines, columns and paths are converted to the leader's. */
async function serve(capabilities: dap.Capabilities): Promise<void> {
  const allowed = reading.filter((name) => supports(capabilities, name));
  const read = allowed.map((name) => [
    name,
    (given: object, { signal }: { signal: AbortSignal }) =>
      session.requestCustom("adapter", name, given, { signal }),
  ]);
  const refuse = leading.map((name) => [
    name,
    () => {
      throw new Refusal(`This client may only read: "${name}" is up to the leading client`);
    },
  ]);
  const viewer = defineAdapter({
    positions,
    onClose: (connection: AdapterConnection) => viewers.delete(connection),
    session: (connection) => connection,
    handlers: {
      ...(Object.fromEntries([...read, ...refuse]) as object),
      attach(_, { connection, configured }) {
        void configured.then(() => {
          for (const { name, body } of state.values()) void connection.notifyCustom(name, body);
          viewers.add(connection);
        });
      },
      setBreakpoints({ source, breakpoints: wanted = [] }) {
        const set = breakpoints.get(source.path ?? "");
        const message = "Only the leading client sets breakpoints";
        return {
          breakpoints: wanted.map(({ line }) => set?.get(line) ?? { verified: false, message }),
        };
      },
    },
  });
  const server = await serveAdapter(viewer, { port: Number(port), onProblem });
  console.error(`Others may join on port ${server.port}`);
  await session.closed;
  await server.close();
}

/** Tests the guarantees that the connection types make. Compiling this file is the test. */
import * as acp from "@wirewright/acp-breakpoints/connection";
import {
  type Capabilities,
  type CustomEvent,
  type CustomRequest,
  type ErrorResponse,
  type RunInTerminalRequest,
  type StepBackRequest,
  type StoppedEvent,
} from "@wirewright/dap";
import {
  type AdapterConnection,
  type AdapterContext,
  defineAdapter,
} from "@wirewright/dap/adapter";
import {
  connect,
  RequestError,
  type Connection,
  type Middleware,
  type RequestErrorCode,
  type Transport,
} from "@wirewright/dap/connection";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export async function ask(client: Connection<"client">): Promise<void> {
  const { stackFrames } = await client.request("stackTrace", { threadId: 1 }, { timeoutMs: 5 });
  assertType<Equal<(typeof stackFrames)[number]["line"], number>>();
  await client.request("threads");
  await client.request("threads", undefined, { timeoutMs: 5 });
  await client.request("configurationDone");
  // @ts-expect-error TS2554: `next` requires a thread.
  await client.request("next");
  // @ts-expect-error TS2345: the adapter sends this request, not the client.
  await client.request("runInTerminal", { args: [], cwd: "/" });
  // @ts-expect-error TS2345: the protocol does not define this request. `requestCustom` can send
  // it.
  await client.request("vendor/x", {});
  assertType<Equal<Awaited<ReturnType<typeof client.requestCustom>>, unknown>>();
  client.on("stopped", (body, message) => {
    assertType<Equal<typeof body, StoppedEvent["body"]>>();
    assertType<Equal<typeof message, StoppedEvent>>();
  });
  // @ts-expect-error TS2345: there is no event of this name.
  client.on("stoped", () => undefined);
  // @ts-expect-error TS2345: events are sent by the adapter, not by the client.
  await client.notify("stopped", { reason: "step" });
  assertType<Equal<typeof client.capabilities, Capabilities | undefined>>();
}

export async function answer(adapter: Connection<"adapter">): Promise<void> {
  await adapter.notify("stopped", { reason: "step", threadId: 1 });
  await adapter.notify("initialized");
  // @ts-expect-error TS2554: `stopped` requires a reason.
  await adapter.notify("stopped");
  const { processId } = await adapter.request("runInTerminal", { args: ["a"], cwd: "/" });
  assertType<Equal<typeof processId, number | undefined>>();
}

// Every request that an announced capability allows must have a handler. Other requests may have
// one.
export const whole = defineAdapter({
  capabilities: { supportsStepBack: true, supportsGotoTargetsRequest: false },
  handlers: {
    launch: (args) => assertType<Equal<typeof args.program, unknown>>(),
    stepBack: ({ threadId }) => void threadId,
    reverseContinue: () => undefined,
    setBreakpoints: ({ breakpoints = [] }) => ({
      breakpoints: breakpoints.map(({ line }) => ({ verified: true, line })),
    }),
    threads: () => ({ threads: [] }),
  },
});
export const lacking = defineAdapter({
  capabilities: { supportsStepBack: true },
  // @ts-expect-error TS2741: reverseContinue is announced, but its handler is missing.
  handlers: { launch: () => undefined, stepBack: () => undefined },
});
const widened = { supportsStepBack: true };
export const lackingWidened = defineAdapter({
  capabilities: widened,
  // @ts-expect-error TS2741: reverseContinue may be announced, but its handler is missing.
  handlers: { launch: () => undefined, stepBack: () => undefined },
});
export const wholeWidened = defineAdapter({
  capabilities: widened,
  handlers: {
    launch: () => undefined,
    stepBack: () => undefined,
    reverseContinue: () => undefined,
  },
});
const unknownFlags: Capabilities = { supportsStepBack: true };
export const lackingUnknown = defineAdapter({
  // @ts-expect-error TS2322: the type does not show which handlers these capabilities require.
  capabilities: unknownFlags,
  handlers: { launch: () => undefined },
});
export const wrong = defineAdapter({
  capabilities: {},
  // @ts-expect-error TS2322: the result must contain an array of threads.
  handlers: { launch: () => undefined, threads: () => ({ frames: [] }) },
});
export const misspelled = defineAdapter({
  // @ts-expect-error TS2353: there is no request of this name.
  handlers: { launch: () => undefined, thread: () => ({ threads: [] }) },
});
export const misspelledCapability = defineAdapter({
  // @ts-expect-error TS2322: there is no capability of this name.
  capabilities: { supportsEvaluateForHovers: true, supportTerminateDebugge: true },
  handlers: { launch: () => undefined },
});
export const neverStarted = defineAdapter({
  // @ts-expect-error TS2322: a handler for launch or attach is required.
  handlers: { threads: () => ({ threads: [] }) },
});

interface MyLaunch {
  readonly program: string;
  readonly stopOnEntry?: boolean;
}
interface MyAttach {
  readonly port: number;
}
class Debuggee {
  line = 1;
}

// The types of the adapter's own arguments and of the session state are inferred.
export const inferred = defineAdapter({
  capabilities: { supportsStepBack: true },
  session: (connection) => {
    assertType<Equal<typeof connection, AdapterConnection>>();
    return new Debuggee();
  },
  onClose: (session) => assertType<Equal<typeof session, Debuggee>>(),
  handlers: {
    launch(args: MyLaunch, { session, progress, configured, after, signal }) {
      assertType<Equal<typeof session, Debuggee>>();
      const { update } = progress("Loading", { cancellable: true });
      update(args.program, 50);
      after(() => configured);
      void signal;
    },
    async attach(args: MyAttach) {
      void args.port;
    },
    stepBack: (_, { session, request }) => {
      assertType<Equal<typeof session, Debuggee>>();
      assertType<Equal<typeof request, StepBackRequest>>();
    },
    reverseContinue: () => undefined,
  },
});
// One handler for both requests, with arguments that are optional in the protocol.
async function start(
  { program }: MyLaunch,
  { session, configured, request }: AdapterContext<"launch" | "attach", Debuggee>,
): Promise<void> {
  await configured;
  assertType<Equal<typeof request.command, "launch" | "attach">>();
  void [session.line, program];
}
export const shared = defineAdapter({
  session: () => new Debuggee(),
  handlers: {
    launch: start,
    attach: start,
    breakpointLocations: ({ source, line }) => ({ breakpoints: source.path ? [{ line }] : [] }),
  },
});

export const started = (transport: Transport): Debuggee => inferred(transport).session;

export function speak(transport: Transport): void {
  const client = connect("client", transport, {
    handlers: {
      runInTerminal: async ({ args }, { request, connection }) => {
        assertType<Equal<typeof request, RunInTerminalRequest>>();
        assertType<Equal<typeof connection, Connection<"client">>>();
        return { processId: args.length };
      },
      // @ts-expect-error TS2353: this request is handled by the adapter, not by the client.
      threads: () => ({ threads: [] }),
    },
  });
  void client;
  const agent = acp.connect("agent", transport);
  void agent.notify("session/update", {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } },
  });
}

export async function seeWholeMessages(client: Connection<"client">): Promise<void> {
  assertType<Equal<typeof client.capabilities, Capabilities | undefined>>();
  // @ts-expect-error TS2339: there is no capability of this name.
  void client.capabilities?.supportsTimeTravel;
  try {
    await client.request("threads");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    assertType<Equal<typeof error.response, ErrorResponse | undefined>>();
    assertType<Equal<typeof error.code, RequestErrorCode>>();
    void error.response?.body?.error?.showUser;
    // @ts-expect-error TS2339: the body of a failure does not have this property.
    void error.response?.body?.threads;
  }
  client.on("*", (body, message) => {
    assertType<Equal<typeof body, unknown>>();
    if (message.event === "stopped") assertType<Equal<typeof message, StoppedEvent>>();
    // @ts-expect-error TS2339: an event has no command.
    void message.command;
  });
  // @ts-expect-error TS2345: a listener takes either one name or `*`.
  client.on("s*", () => undefined);
  const since = client.mark();
  const { reason } = await client.once("stopped", {
    since,
    where: ({ threadId }, message) => threadId === 1 && message.event === "stopped",
  });
  assertType<Equal<typeof reason, StoppedEvent["body"]["reason"]>>();
  // @ts-expect-error TS2322: `since` takes a mark from `mark()`, not a time.
  void client.once("stopped", { since: 5 });
  // @ts-expect-error TS2339: this property belongs to another event.
  void client.once("stopped", { where: ({ output }) => output === "" });
}

interface Beep {
  readonly hertz: number;
}

export async function customMessages(adapter: Connection<"adapter">): Promise<void> {
  adapter.handleCustom<Beep>("vendor/beep", ({ hertz }, { request, connection }) => {
    assertType<Equal<typeof request, CustomRequest<string, Beep>>>();
    assertType<Equal<typeof connection, Connection<"adapter">>>();
    return hertz;
  });
  adapter.handleCustom("vendor/any", (parameters) => {
    assertType<Equal<typeof parameters, unknown>>();
    // @ts-expect-error TS18046: the parameter types are unknown here.
    void parameters.hertz;
  });
  adapter.onCustom<Beep>("vendor/beeped", (body, message) => {
    assertType<Equal<typeof body, Beep>>();
    assertType<Equal<typeof message, CustomEvent<string, Beep>>>();
  });
  assertType<Equal<Awaited<ReturnType<typeof adapter.requestCustom<Beep>>>, Beep>>();
}

export const typedMiddleware: Middleware<"client"> = {
  beforeSend(message) {
    if (message.type === "request" && message.command === "next")
      assertType<Equal<typeof message.arguments.threadId, number>>();
    // @ts-expect-error TS2367: events are sent by the adapter, not by the client.
    if (message.type === "event" && message.event === "stopped") return null;
    return message;
  },
  afterReceive(message, bytes) {
    assertType<Equal<typeof bytes, Uint8Array>>();
    if (message.type === "event" && message.event === "stopped")
      assertType<Equal<typeof message, StoppedEvent>>();
  },
  // @ts-expect-error TS2322: a message that has been sent cannot be changed.
  afterSend: "late",
};
export const untypedMiddleware: Middleware = {
  // @ts-expect-error TS2322: a hook returns a message, null or nothing.
  beforeSend: () => "text",
};

/** Promises of the types of connections. Compiling this file is the test. */
import * as acp from "../../generated/acp-breakpoints/index.js";
import {
  connect,
  defineAdapter,
  type AdapterConnection,
  type Capabilities,
  type Connection,
  type RunInTerminalRequest,
  type StepBackRequest,
  type StoppedEvent,
  type Transport,
} from "../../generated/dap/index.js";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export async function ask(client: Connection<"client">): Promise<void> {
  const { stackFrames } = await client.request("stackTrace", { threadId: 1 }, { timeoutMs: 5 });
  assertType<Equal<(typeof stackFrames)[number]["line"], number>>();
  await client.request("threads");
  await client.request("threads", undefined, { timeoutMs: 5 });
  await client.request("configurationDone");
  // @ts-expect-error TS2554: a thread must be given.
  await client.request("next");
  // @ts-expect-error TS2345: the adapter asks for this, not the client.
  await client.request("runInTerminal", { args: [], cwd: "/" });
  // @ts-expect-error TS2345: the protocol does not define it; `requestCustom` sends it.
  await client.request("vendor/x", {});
  assertType<Equal<Awaited<ReturnType<typeof client.requestCustom>>, unknown>>();
  client.on("stopped", (body, message) => {
    assertType<Equal<typeof body, StoppedEvent["body"]>>();
    assertType<Equal<typeof message, StoppedEvent>>();
  });
  // @ts-expect-error TS2345: there is no such event.
  client.on("stoped", () => undefined);
  // @ts-expect-error TS2345: the adapter sends events, the client does not.
  await client.notify("stopped", { reason: "step" });
  assertType<Equal<typeof client.announced, Capabilities | undefined>>();
}

export async function answer(adapter: Connection<"adapter">): Promise<void> {
  await adapter.notify("stopped", { reason: "step", threadId: 1 });
  await adapter.notify("initialized");
  // @ts-expect-error TS2554: a reason must be given.
  await adapter.notify("stopped");
  const { processId } = await adapter.request("runInTerminal", { args: ["a"], cwd: "/" });
  assertType<Equal<typeof processId, number | undefined>>();
}

// Every request that the capabilities announce needs a handler; the others may have one.
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
  // @ts-expect-error TS2741: reverseContinue is announced, too.
  handlers: { launch: () => undefined, stepBack: () => undefined },
});
const widened = { supportsStepBack: true };
export const lackingWidened = defineAdapter({
  capabilities: widened,
  // @ts-expect-error TS2741: reverseContinue may be announced, too.
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
  // @ts-expect-error TS2322: nothing says which handlers this needs.
  capabilities: unknownFlags,
  handlers: { launch: () => undefined },
});
export const wrong = defineAdapter({
  capabilities: {},
  // @ts-expect-error TS2322: a list of threads must be given.
  handlers: { launch: () => undefined, threads: () => ({ frames: [] }) },
});
export const misspelled = defineAdapter({
  // @ts-expect-error TS2353: there is no such request.
  handlers: { launch: () => undefined, thread: () => ({ threads: [] }) },
});
export const neverStarted = defineAdapter({
  // @ts-expect-error TS2322: neither launch nor attach.
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

// Own arguments and the state of a session, as given types.
export const owned = defineAdapter<{ launch: MyLaunch; attach: MyAttach; session: Debuggee }>({
  capabilities: { supportsEvaluateForHovers: true, supportsStepBack: false },
  session: () => new Debuggee(),
  handlers: {
    launch(args, { session, request, connection }) {
      assertType<Equal<typeof args.program, string>>();
      assertType<Equal<typeof args.noDebug, boolean | undefined>>();
      assertType<Equal<typeof session, Debuggee>>();
      assertType<Equal<typeof request.command, "launch">>();
      assertType<Equal<typeof connection, AdapterConnection>>();
      // @ts-expect-error TS2339: there is no such argument.
      void args.programme;
    },
    attach: ({ port }) => assertType<Equal<typeof port, number>>(),
    next: ({ threadId }, { session }) => void (session.line += threadId),
  },
});
export const ownedAnnouncing = defineAdapter<{ launch: MyLaunch }>({
  // @ts-expect-error TS2322: the handlers announce it.
  capabilities: { supportsStepBack: true },
  handlers: { launch: () => undefined },
});
// @ts-expect-error TS2345: nothing creates the session.
export const ownedWithoutSession = defineAdapter<{ launch: MyLaunch; session: Debuggee }>({
  handlers: { launch: () => undefined },
});

// The same, inferred.
export const inferred = defineAdapter({
  capabilities: { supportsStepBack: true },
  session: (connection) => {
    assertType<Equal<typeof connection, AdapterConnection>>();
    return new Debuggee();
  },
  dispose: (session) => assertType<Equal<typeof session, Debuggee>>(),
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
export const started = (transport: Transport): Debuggee => inferred(transport).session;

export function speak(transport: Transport): void {
  const client = connect("client", transport, {
    handlers: {
      runInTerminal: async ({ args }, { request, connection }) => {
        assertType<Equal<typeof request, RunInTerminalRequest>>();
        assertType<Equal<typeof connection, Connection<"client">>>();
        return { processId: args.length };
      },
      // @ts-expect-error TS2353: the adapter answers this, not the client.
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

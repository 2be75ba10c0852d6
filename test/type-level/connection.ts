/** Promises of the types of connections. Compiling this file is the test. */
import * as acp from "../../generated/acp-breakpoints/connection.js";
import { type Capabilities, type StoppedEvent } from "../../generated/dap/index.js";
import {
  connect,
  defineAdapter,
  type Connection,
  type Transport,
} from "../../generated/dap/connection.js";

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
  handlers: { stepBack: () => undefined },
});
export const wrong = defineAdapter({
  capabilities: {},
  // @ts-expect-error TS2322: a list of threads must be given.
  handlers: { threads: () => ({ frames: [] }) },
});

export function speak(transport: Transport): void {
  const client = connect("client", transport, {
    handlers: {
      runInTerminal: async ({ args }) => ({ processId: args.length }),
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

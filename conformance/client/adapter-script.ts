import type { Capabilities } from "@wirewright/dap/types";
import type { AdapterScript, ScriptedAdapter } from "@wirewright/dap/testing";
import type { AnyMessage } from "../session/wire.js";
import type { PlayedSession } from "./played-session.js";

/** The parts of an adapter's behaviour that scenarios can change. */
export interface Freedom {
  readonly capabilities?: Capabilities;
  /**
   * Milliseconds between `launch` and `initialized`. By default, `initialized` follows
   * `initialize`.
   */
  readonly initializedAfterMs?: number;
  /** Whether `launch` is answered only after `configurationDone`. */
  readonly answersLate?: boolean;
  /** Called once the program has been configured, before it stops. */
  readonly begin?: (session: PlayedSession) => Promise<void> | void;
  /** Called when the client continues the program. By default, the program ends. */
  readonly continued?: (session: PlayedSession) => Promise<void> | void;
  readonly handlers?: (session: PlayedSession) => AdapterScript;
}

export const someCapabilities: Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsEvaluateForHovers: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [{ filter: "uncaught", label: "Uncaught" }],
};

/** Sends the events that announce the end of the program. */
export function endProgram({ adapter }: PlayedSession): void {
  adapter.event("thread", { reason: "exited", threadId: 1 });
  adapter.event("exited", { exitCode: 0 });
  adapter.event("terminated");
}

/** Stops the program. If the client does not continue, the program ends after a few seconds. */
export async function stopProgram(session: PlayedSession): Promise<void> {
  session.adapter.event("stopped", { reason: "entry", threadId: 1, allThreadsStopped: true });
  const isDriven = await session.until(() => session.sent("continue").length > 0, 6_000);
  if (isDriven || session.isOver || session.played("terminated").length > 0) return;
  session.adapter.event("continued", { threadId: 1, allThreadsContinued: true });
  endProgram(session);
}

/** An adapter with one thread, a stack of two frames, and a few variables. */
export function scriptOf(session: PlayedSession, freedom: Freedom): AdapterScript {
  const { capabilities = someCapabilities, initializedAfterMs, answersLate = false } = freedom;
  const { begin = () => undefined, continued = endProgram } = freedom;
  let [startedBy, isBegun] = [undefined as AnyMessage | undefined, false];
  /** Incremented whenever the program continues, so that each stop uses new references. */
  let stops = 0;
  const run = async (): Promise<void> => {
    if (isBegun || startedBy === undefined) return;
    isBegun = true;
    const { adapter } = session;
    if (answersLate) adapter.answer(startedBy);
    adapter.event("process", { name: "program", startMethod: "launch" });
    adapter.event("thread", { reason: "started", threadId: 1 });
    await begin(session);
    if (!session.isOver && session.played("terminated").length === 0) await stopProgram(session);
  };
  const start = (request: AnyMessage, adapter: ScriptedAdapter): undefined => {
    startedBy = request;
    if (!answersLate) adapter.answer(request);
    if (initializedAfterMs !== undefined)
      void session.pause(initializedAfterMs).then(() => adapter.event("initialized"));
    if (capabilities.supportsConfigurationDoneRequest !== true)
      // Without configurationDone, the adapter cannot detect when the client is ready, so it waits.
      void session.pause(500).then(run);
    return undefined;
  };
  const breakpoints = ({ arguments: args }: AnyMessage): object => ({
    breakpoints: (args?.breakpoints ?? []).map(({ line }: AnyMessage, index: number) => ({
      id: index + 1,
      verified: true,
      ...(line === undefined ? {} : { line }),
    })),
  });
  return {
    initialize(request, adapter) {
      session.client = (request["arguments"] ?? {}) as AnyMessage;
      adapter.answer(request, capabilities);
      if (initializedAfterMs === undefined) adapter.event("initialized");
      return undefined;
    },
    launch: start,
    attach: start,
    setBreakpoints: breakpoints,
    setFunctionBreakpoints: breakpoints,
    setExceptionBreakpoints: () => ({}),
    configurationDone(request, adapter) {
      adapter.answer(request);
      void run();
      return undefined;
    },
    threads: { threads: [{ id: 1, name: "main" }] },
    stackTrace: () => ({
      stackFrames: [
        {
          id: stops * 10 + 1,
          name: "inner",
          line: 1,
          column: 1,
          source: { name: "text", sourceReference: 1 },
        },
        {
          id: stops * 10 + 2,
          name: "outer",
          line: 2,
          column: 1,
          source: { name: "text", sourceReference: 1 },
        },
      ],
      totalFrames: 2,
    }),
    scopes: () => ({
      scopes: [{ name: "Locals", variablesReference: stops * 10 + 1, expensive: false }],
    }),
    variables: { variables: [{ name: "answer", value: "42", variablesReference: 0 }] },
    source: { content: "first line\nsecond line\n" },
    evaluate: { result: "42", variablesReference: 0 },
    continue(request, adapter) {
      adapter.answer(request, { allThreadsContinued: true });
      stops++;
      void continued(session);
      return undefined;
    },
    terminate(request, adapter) {
      adapter.answer(request);
      endProgram(session);
      return undefined;
    },
    disconnect(request, adapter) {
      adapter.answer(request);
      void session.pause(300).then(() => session.end());
      return undefined;
    },
    ...freedom.handlers?.(session),
  };
}

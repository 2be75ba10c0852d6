import { endProgram, scriptOf, someCapabilities, stopProgram } from "./adapter-script.js";
import type { PlayedSession, Scenario } from "./played-session.js";

type Judge = NonNullable<Scenario["judge"]>;

/**
 * Checks that the client continues the program or ends the session after the adapter's last message
 * with the given name.
 */
const survives =
  (check: string, name: string, what: string): Judge =>
  (session, verdict) => {
    const last = session.played(name).at(-1)?.index ?? -1;
    const later = [...session.sent("continue"), ...session.sent("disconnect")].filter(
      ({ index }) => index > last,
    );
    verdict(check, later.length > 0, {
      expected: `continue or disconnect after ${what}`,
      actual: session.isClosedByClient ? "the client has closed the connection" : "neither",
    });
  };

/** Sends a request to the client and waits for its response. */
const ask = (session: PlayedSession, command: string, args: object): Promise<boolean> => {
  session.adapter.send({ type: "request", command, arguments: args });
  return session.until(() => session.responseTo(command) !== undefined, 3_000);
};

const answers =
  (
    check: string,
    command: string,
    isFine: (success: boolean, reason: string) => boolean,
    expected: string,
  ): Judge =>
  (session, verdict) => {
    if (session.played(command).length === 0) return;
    const response = session.responseTo(command);
    verdict("rev-01", response !== undefined, {
      expected: `a response to ${command}`,
      actual: "no response within 3 s",
    });
    if (response === undefined) return;
    const reason = String(response["message"] ?? response["body"]?.error?.format ?? "");
    verdict(check, isFine(response["success"] === true, reason), {
      expected,
      actual: JSON.stringify(response),
    });
  };

export const scenarios: readonly Scenario[] = [
  {
    name: "plain",
    title: "The adapter behaves like most adapters",
    script: (session) => scriptOf(session, {}),
    judge(session, verdict) {
      if (session.played("terminated").length === 0) return;
      verdict("end-01", session.sent("disconnect").length > 0 || session.isClosedByClient, {
        expected: "disconnect, or the end of the connection, after terminated",
        actual: "neither",
      });
    },
  },
  {
    name: "initialized-late",
    title: "initialized is sent half a second after launch",
    script: (session) => scriptOf(session, { initializedAfterMs: 500 }),
    judge(session, verdict) {
      verdict("conf-05", session.sent("configurationDone").length > 0, {
        expected: "configurationDone after a late initialized",
        actual: "none",
      });
    },
  },
  {
    name: "launch-late",
    title: "the response to launch comes after configurationDone",
    script: (session) => scriptOf(session, { answersLate: true }),
    judge(session, verdict) {
      verdict("conf-04", session.sent("configurationDone").length > 0, {
        expected: "configurationDone before the response to launch",
        actual: "no configurationDone, because the client waits",
      });
    },
  },
  {
    name: "breakpoints-move",
    title: "Breakpoints are verified later, on other lines",
    script: (session) =>
      scriptOf(session, {
        begin({ adapter }) {
          for (let id = 1; id <= setCount(session); id++)
            adapter.event("breakpoint", {
              reason: "changed",
              breakpoint: { id, verified: true, line: 2 },
            });
        },
        handlers: () => ({
          setBreakpoints: ({ arguments: args }) => {
            const { breakpoints = [] } = args as { breakpoints?: readonly object[] };
            return {
              breakpoints: breakpoints.map((_, index) => ({ id: index + 1, verified: false })),
            };
          },
        }),
      }),
    judge: survives("evt-03", "breakpoint", "the breakpoint events"),
  },
  {
    name: "few-capabilities",
    title: "The adapter announces no capabilities",
    script: (session) => scriptOf(session, { capabilities: {} }),
  },
  {
    name: "terminal",
    title: "The adapter requests a terminal",
    script: (session) =>
      scriptOf(session, {
        async begin() {
          if (session.client["supportsRunInTerminalRequest"] === true)
            await ask(session, "runInTerminal", {
              kind: "integrated",
              title: "program",
              cwd: "",
              args: ["true"],
            });
        },
      }),
    judge: answers(
      "rev-03",
      "runInTerminal",
      (success, reason) => success || reason !== "",
      "success, or a failure with a reason",
    ),
  },
  {
    name: "unknown-request",
    title: "The adapter sends an unknown request",
    script: (session) =>
      scriptOf(session, { begin: async () => void (await ask(session, "wirewrightUnknown", {})) }),
    judge: answers("rev-02", "wirewrightUnknown", (success) => !success, "a failure"),
  },
  {
    name: "child",
    title: "The adapter requests a child session",
    script: (session) =>
      scriptOf(session, {
        async begin() {
          if (session.client["supportsStartDebuggingRequest"] !== true) return;
          await ask(session, "startDebugging", {
            request: "attach",
            configuration: { name: "child", isChild: true },
          });
          await session.until(() => session.children > 0, 3_000);
        },
      }),
    judge(session, verdict) {
      if (session.responseTo("startDebugging")?.["success"] !== true) return;
      verdict("chd-01", session.children > 0, {
        expected: "a second connection within 3 s",
        actual: "none",
      });
    },
  },
  {
    name: "progress",
    title: "The adapter reports its progress",
    script: (session) =>
      scriptOf(session, {
        capabilities: { ...someCapabilities, supportsCancelRequest: true },
        async begin({ adapter, client }) {
          if (client["supportsProgressReporting"] !== true) return;
          adapter.event("progressStart", { progressId: "load", title: "Load", cancellable: true });
          adapter.event("progressUpdate", { progressId: "load", percentage: 50 });
          await session.pause(200);
          adapter.event("progressEnd", { progressId: "load" });
        },
      }),
  },
  {
    name: "unknown-event",
    title: "The adapter sends an unknown event",
    script: (session) =>
      scriptOf(session, {
        begin: ({ adapter }) => adapter.event("wirewrightUnknown", { value: 1 }),
      }),
    judge: survives("evt-01", "wirewrightUnknown", "the unknown event"),
  },
  {
    name: "continued",
    title: "The program continues by itself, and stops again",
    script: (session) =>
      scriptOf(session, {
        async begin({ adapter }) {
          adapter.event("stopped", { reason: "pause", threadId: 1, allThreadsStopped: true });
          await session.pause(300);
          adapter.event("continued", { threadId: 1, allThreadsContinued: true });
          await session.pause(100);
        },
        // The client may continue the program before the program continues by itself.
        continued(session) {
          if (session.played("stopped").length > 1) endProgram(session);
        },
      }),
    judge: survives("evt-02", "continued", "the program has continued by itself"),
  },
  {
    name: "output",
    title: "The program prints 2,000 lines at once",
    script: (session) =>
      scriptOf(session, {
        begin({ adapter }) {
          for (let line = 1; line <= 2_000; line++)
            adapter.event("output", { category: "stdout", output: `line ${line} 世界 🎉\n` });
        },
      }),
    judge: survives("evt-04", "output", "2,000 output events"),
  },
  {
    name: "slow",
    title: "The response to threads takes three seconds",
    script: (session) =>
      scriptOf(session, {
        handlers: () => ({
          threads(request, adapter) {
            void session
              .pause(3_000)
              .then(() => adapter.answer(request, { threads: [{ id: 1, name: "main" }] }));
            return undefined;
          },
        }),
      }),
    judge(session, verdict) {
      if (session.sent("threads").length === 0) return;
      survives("rsp-01", "threads", "a slow response")(session, verdict);
    },
  },
  {
    name: "huge",
    title: "A response is 4 MiB long",
    script: (session) =>
      scriptOf(session, {
        handlers: () => ({
          threads: { threads: [{ id: 1, name: "x".repeat(4_194_304) }] },
        }),
      }),
    judge(session, verdict) {
      if (session.sent("threads").length === 0) return;
      survives("rsp-02", "threads", "a large response")(session, verdict);
    },
  },
  {
    name: "terminate-veto",
    title: "The program does not end after terminate",
    script: (session) =>
      scriptOf(session, {
        async continued() {
          // A client that ends the session on its own may send terminate now.
          const isAsked = await session.until(() => session.sent("terminate").length > 0, 2_000);
          if (!isAsked) endProgram(session);
        },
        handlers: () => ({
          terminate(request, adapter) {
            adapter.answer(request);
            void session.pause(3_000).then(() => {
              if (session.sent("disconnect").length === 0) endProgram(session);
            });
            return undefined;
          },
        }),
      }),
    judge(session, verdict) {
      if (session.sent("terminate").length === 0) return;
      verdict("end-03", session.sent("disconnect").length > 0, {
        expected: "disconnect after a terminate that had no effect",
        actual: "none",
      });
    },
  },
  {
    name: "crash",
    title: "The adapter crashes",
    script: (session) =>
      scriptOf(session, {
        capabilities: someCapabilities,
        async begin() {
          void stopProgram(session);
          await session.pause(200);
          session.end();
        },
      }),
  },
];

const setCount = (session: PlayedSession): number =>
  session.sent("setBreakpoints").at(-1)?.message["arguments"]?.breakpoints?.length ?? 0;

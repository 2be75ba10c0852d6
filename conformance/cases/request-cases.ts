import type { Case } from "./case.js";

/** Cases covering requests that are large, are cancelled, or report progress. */
export const requestCases: readonly Case[] = [
  {
    name: "large-message",
    program: "loop",
    checks: ["base-12"],
    async run(s) {
      await s.step("base-12", "a response to an initialize request of 256 KiB", () =>
        s.initialize({ clientName: "x".repeat(262_144) }),
      );
      s.pass("base-12");
    },
  },
  {
    name: "cancel",
    program: "loop",
    checks: ["cxl-01", "cxl-02", "cxl-03"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["next"] });
      const requestId = s.wire.send("evaluate", {
        expression: s.language.text.iExpression,
        frameId: frame["id"],
        context: "watch",
      });
      const cancel = s.wire.send("cancel", { requestId });
      const reply = await s.step("cxl-01", "a response to the cancelled evaluate request", () =>
        s.reply(requestId, "evaluate"),
      );
      s.pass("cxl-01");
      if (reply.success) s.skip("cxl-03", "the request completed before it was cancelled");
      else
        s.verify("cxl-03", reply.message["message"] === "cancelled", {
          expected: 'the message "cancelled"',
          actual: reply.message,
        });
      await s.step("cxl-02", "a response to cancel", () => s.reply(cancel, "cancel"));
      s.pass("cxl-02");
    },
  },
  {
    // The messages in this case are judged by lint rules.
    name: "progress",
    program: "loop",
    checks: [],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({
        initialize: {
          supportsProgressReporting: true,
          supportsInvalidatedEvent: true,
          supportsMemoryEvent: true,
          supportsMemoryReferences: true,
          supportsVariableType: true,
        },
        breakpoints: ["loop"],
      });
      await s.ask("scopes", { frameId: frame["id"] });
      await s.ask("setBreakpoints", { source: { path: s.program.source }, breakpoints: [] });
      await s.finish(threadId);
    },
  },
  {
    name: "terminal",
    program: "loop",
    checks: ["term-01"],
    launches: true,
    async run(s) {
      const { terminal } = s.settings;
      if (terminal === undefined)
        return s.skip("term-01", "there are no launch arguments that request a terminal");
      await s.connect();
      const requests = s.openTerminal();
      await s.step("term-01", "a stop in the program that runs in the terminal", () =>
        s.startToStop({
          initialize: { supportsRunInTerminalRequest: true },
          launch: terminal,
          breakpoints: ["loop"],
        }),
      );
      s.verify("term-01", requests.length > 0, {
        expected: "a runInTerminal request before the stop",
        actual: "none",
      });
    },
  },
  {
    name: "terminal-refused",
    program: "loop",
    checks: ["term-02"],
    launches: true,
    async run(s) {
      const { terminal } = s.settings;
      if (terminal === undefined)
        return s.skip("term-02", "there are no launch arguments that request a terminal");
      if (s.settings.isInChild) return s.skip("term-02", "the program runs in a child session");
      await s.initialize({ supportsRunInTerminalRequest: true });
      const seq = s.wire.send("launch", { ...s.settings.launch, ...terminal });
      // Debuggers that ignore the refusal wait for up to a minute for the program to connect.
      const timeoutMs = 7 * s.deadlineMs;
      const launched = s.step("term-02", "a launch failure", () =>
        s.reply(seq, "launch", { timeoutMs }),
      );
      // Configure the adapter, because it may not start the terminal before that.
      let isOver = false;
      const ready = s
        .event("initialized", { timeoutMs })
        .then(() => (isOver ? undefined : s.endConfiguration()))
        .catch(() => undefined);
      const { success, message } = await launched;
      // A configuration that has begun would otherwise leave a request unanswered.
      if (s.events("initialized").length > 0) await ready;
      isOver = true;
      if (!s.trace.some(({ message }) => message["command"] === "runInTerminal"))
        return s.skip("term-02", "the adapter did not request a terminal");
      s.verify("term-02", !success, {
        expected: "a launch failure, because the client refuses runInTerminal",
        actual: message,
      });
    },
  },
];

import type { Case } from "./case.js";

export const endCases: readonly Case[] = [
  {
    name: "launch-missing",
    program: "loop",
    checks: ["launch-04"],
    launches: true,
    async run(s) {
      const missing = `${s.program.program}.missing`;
      const changed = Object.fromEntries(
        Object.entries(s.settings.launch).map(([name, value]) => [
          name,
          value === s.program.program ? missing : value,
        ]),
      );
      const { launched } = await s.step("launch-04", "a launch failure", () =>
        s.start({ launch: changed }),
      );
      if (!launched.success) return s.pass("launch-04");
      if (s.language.isEndless === true)
        return s.skip("launch-04", "the browser shows an error in the page");
      // An interpreter may start successfully, and exit only when it cannot find the program.
      await s.step("launch-04", "a launch failure, or the end of the session", () =>
        s.event("terminated", { follows: "end-01" }),
      );
      const code = s.events("exited")[0]?.body["exitCode"];
      s.verify("launch-04", code !== 0, {
        expected: "a launch failure or a failing program, because the program does not exist",
        actual: `success, and the exit code ${code}`,
        messageNumber: launched.index + 1,
      });
    },
  },
  {
    name: "no-debug",
    program: "loop",
    checks: ["launch-05"],
    without: ["initialized.missing"],
    launches: true,
    async run(s) {
      await s.initialize();
      if (s.settings.isInChild) return s.skip("launch-05", "the program runs in a child session");
      // If the program is not debugged, there is nothing to configure, so `initialized` may be
      // missing.
      s.wire.send("launch", { ...s.settings.launch, noDebug: true });
      await s.step("launch-05", "a program that runs without debugging ends", async () => {
        const { message } = await s.wire.until(
          ({ message: { event } }) => event === "initialized" || event === "terminated",
          { what: "initialized or terminated event", follows: "launch-01" },
        );
        if (message["event"] === "terminated") return;
        await s.request("setBreakpoints", s.breakpointsAt(["loop"]));
        await s.endConfiguration();
        await s.wire.until(
          ({ message: { event } }) => event === "stopped" || event === "terminated",
          { what: "terminated event", follows: "end-01" },
        );
      });
      s.verify("launch-05", s.events("stopped").length === 0, {
        expected: "no stop with noDebug",
        actual: s.events("stopped").map(({ body }) => body),
      });
    },
  },
  {
    name: "hold",
    program: "loop",
    checks: ["launch-03"],
    launches: true,
    async run(s) {
      let early: readonly object[] = [];
      await s.step("launch-03", "a stop at the first line, or the end", async () => {
        await s.start({
          breakpoints: ["first"],
          configure: async () => {
            await s.runs();
            early = ["stopped", "terminated", "exited"].flatMap((name) => s.events(name));
          },
        });
        // The debugger may already be at the first line and miss the breakpoint there, so a program
        // that ends is accepted as well.
        await s.wire.until(
          ({ message: { event } }) => event === "stopped" || event === "terminated",
          { what: "stopped or terminated event" },
        );
      });
      s.verify("launch-03", early.length === 0, {
        expected: "a program that does not run before configurationDone",
        actual: early,
      });
    },
  },
  {
    name: "terminate",
    program: "loop",
    checks: ["end-05"],
    async run(s) {
      await s.startToStop({ breakpoints: ["loop"] });
      const since = s.position;
      await s.announced("terminate", {});
      await s.step("end-05", "terminated after terminate", () =>
        s.event("terminated", { since, follows: "end-01" }),
      );
      s.pass("end-05");
    },
  },
  {
    name: "terminate-running",
    program: "waits",
    checks: ["end-14"],
    async run(s) {
      await s.startToRun("ready");
      const since = s.position;
      await s.announced("terminate", {});
      await s.step("end-14", "terminated after terminate", () =>
        s.event("terminated", { since, follows: "end-01" }),
      );
      const printed = s.events("output").map(({ body }) => String(body["output"]));
      if (!printed.join("").includes("ready"))
        return s.skip("end-14", "the adapter does not capture the program's output");
      s.verify("end-14", printed.join("").includes("cleaned up"), {
        expected: "output from the program's termination signal handler",
        actual: printed,
      });
    },
  },
  {
    name: "restart",
    program: "loop",
    checks: ["end-06"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop"] });
      await s.resume("continue", threadId);
      const since = s.position;
      const again = await s.step("end-06", "a stop at the breakpoint after restart", async () => {
        const { request, launch } = s.settings;
        await s.announced("restart", {
          arguments: { ...launch, request },
        });
        return s.stop(since);
      });
      const frame = await s.topFrame(again.threadId);
      const i = await s.iAtLoop(frame);
      s.verify("end-06", i === 0, {
        expected: `a stop at line ${s.line("loop")} when i is 0, because the program starts again`,
        actual: `line ${frame["line"]}, i is ${i}`,
      });
    },
  },
];

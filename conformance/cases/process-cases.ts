import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../session/adapter-target.js";
import { failure } from "../session/adapter-session.js";
import type { CaseSession } from "../session/case-session.js";
import { fillIn } from "../session/programs.js";
import { StepError } from "../session/wire.js";
import type { Case } from "./case.js";

const cannotTell = "the program's processes cannot be found";

/** Cases covering how the program's processes, its children, and the adapter end. */
export const processCases: readonly Case[] = [
  {
    name: "disconnect",
    program: "waits",
    checks: ["end-02", "end-09", "end-15"],
    launches: true,
    async run(s) {
      await s.startToStop({ breakpoints: ["ready"] });
      await s.clearBreakpoints();
      const canTell = s.isRunning() === true;
      const reply = await s.step("end-09", "a response to disconnect", () =>
        s.request("disconnect", {}),
      );
      s.verify("end-09", reply.success, { expected: "success", actual: reply.message });
      if (!canTell) s.skip("end-02", cannotTell);
      else
        s.verify("end-02", await s.hasEnded(), {
          expected: "the launched program ends after disconnect",
          actual: "the program is still running",
          messageNumber: reply.index + 1,
        });
      if (s.adapter.isServer) return s.skip("end-15", "the adapter is a server");
      s.adapter.endInput();
      const end = await s.exitWithin(s.deadlineMs);
      s.verify("end-15", end !== "running", {
        expected: "the adapter exits after disconnect, once its input ends",
        actual: "the adapter is still running",
      });
    },
  },
  {
    name: "disconnect-keep",
    program: "waits",
    checks: ["end-04"],
    launches: true,
    async run(s) {
      await s.startToStop({ breakpoints: ["ready"] });
      await s.clearBreakpoints();
      if (s.isRunning() !== true) return s.skip("end-04", cannotTell);
      const reply = await s.step("end-04", "a response to disconnect", () =>
        s.request("disconnect", { terminateDebuggee: false }),
      );
      await s.runs();
      s.verify("end-04", s.isRunning() === true, {
        expected: "a running program, because terminateDebuggee is false",
        actual: "the program has ended",
        messageNumber: reply.index + 1,
      });
    },
  },
  {
    name: "attach",
    program: "waits",
    checks: ["attach-01", "end-03"],
    async run(s) {
      const program = await attach(s, ["attach-01", "end-03"]);
      if (program === undefined) return;
      s.pass("attach-01");
      await s.clearBreakpoints();
      await s.step("end-03", "a response to disconnect", () => s.request("disconnect", {}));
      s.verify("end-03", !(await endsWithin(program, Math.max(1_500, s.deadlineMs / 4))), {
        expected: "a running program, because the session attached to it",
        actual: "the program has ended",
      });
    },
  },
  {
    name: "attach-end",
    program: "waits",
    checks: ["end-13"],
    async run(s) {
      const program = await attach(s, ["end-13"]);
      if (program === undefined) return;
      await s.clearBreakpoints();
      await s.step("end-13", "a response to disconnect", () =>
        s.request("disconnect", { terminateDebuggee: true }),
      );
      s.verify("end-13", await endsWithin(program, s.deadlineMs), {
        expected: "the program ends, because terminateDebuggee is true",
        actual: "the program is still running",
      });
    },
  },
  {
    name: "child-process",
    program: "child",
    checks: ["chd-01"],
    async run(s) {
      const announces = { initialize: { supportsStartDebuggingRequest: true } };
      const early = s.settings.isInChild
        ? undefined
        : (await s.connect()).received("startDebugging");
      await s.start(announces);
      const request = early ?? s.wire.received("startDebugging");
      const none = (): undefined => undefined;
      const child = await Promise.race([request, s.runToEnd().then(none, none)]);
      if (child === undefined)
        return s.skip("chd-01", "the adapter does not follow child processes");
      const stopped = await s.step("chd-01", "a stop in the child", async () => {
        await s.startChild({ breakpoints: ["child"] }, child);
        return s.stop();
      });
      s.verifyLine("chd-01", await s.topFrame(stopped.threadId), "child", " in the child");
    },
  },
  {
    name: "next-client",
    program: "loop",
    checks: ["end-07"],
    launches: true,
    async run(s) {
      if (!s.adapter.isServer) return s.skip("end-07", "the adapter is not a server");
      if (s.settings.isInChild) return s.skip("end-07", "the program runs in a child session");
      await s.startToStop({ breakpoints: ["loop"] });
      await s.request("disconnect", {});
      // Close the first connection, because some servers serve only one client at a time.
      await s.wire.close();
      const end = await s.exitWithin(1_000);
      const isServing =
        (end === "running" || end === undefined) && (await s.connect().catch(() => undefined));
      if (!isServing) return s.skip("end-07", "the adapter ends after one session");
      const { frame } = await s.step("end-07", "a stop in the session of the next client", () =>
        s.startToFrame({ breakpoints: ["next"] }),
      );
      s.verifyLine("end-07", frame, "next", ", without the earlier client's breakpoints");
    },
  },
];

/** Returns whether a program ends within the given number of milliseconds. */
async function endsWithin(program: ChildProcess, ms: number): Promise<boolean> {
  const hasEnded = (): boolean => program.exitCode !== null || program.signalCode !== null;
  const signal = AbortSignal.timeout(Math.round(ms));
  if (!hasEnded()) await once(program, "exit", { signal }).catch(() => undefined);
  // If this process was busy, it has not heard of the exit yet.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return hasEnded();
}

/**
 * Starts the program, attaches to it, and waits for a stop. Returns undefined if the suite was not
 * given any arguments for attaching.
 */
async function attach(
  s: CaseSession,
  checks: readonly string[],
): Promise<ChildProcess | undefined> {
  const { attach: settings } = s.settings;
  if (settings === undefined) {
    s.skip(checks, "no attach arguments are given");
    return undefined;
  }
  const port = await freePort();
  const names = { program: s.program.program };
  const command = fillIn(settings.command ?? s.language.run, { ...names, port: String(port) });
  const program = s.spawn(command);
  if (program?.pid === undefined) throw new StepError(`cannot start ${command.join(" ")}`);
  await s.runs();
  const args = fillIn(settings.arguments, { ...names, port, pid: program.pid });
  const reach = async (): Promise<void> => {
    if (settings.isAdapter === true) await s.connect({ port });
    const { launched } = await s.startOne({ breakpoints: ["tick"], request: "attach" }, args);
    if (!launched.success) throw failure("attach", launched);
    await s.stop();
  };
  const [check] = checks;
  await (check === "attach-01" ? s.step(check, "a stop in the attached program", reach) : reach());
  return program;
}

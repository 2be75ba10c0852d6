import { type Stop } from "../session/case-session.js";
import { StepError, type AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

export const runCases: readonly Case[] = [
  {
    name: "steps",
    program: "calls",
    checks: ["run-04", "run-10", "run-11", "run-12", "thr-02", "thr-07"],
    async run(s) {
      const first = await s.startToStop({ breakpoints: ["outer"] });
      const { threadId } = first;
      const { threads = [] } = await s.ask("threads");
      s.verify(
        "thr-02",
        (threads as AnyMessage[]).some(({ id }) => id === threadId),
        {
          expected: `a thread with the id ${threadId}, as in the stopped event`,
          actual: threads,
        },
      );
      const verifyStep = async (
        check: string,
        expected: string,
        command: string,
        to: (frame: AnyMessage, depth: number) => boolean,
      ) => {
        const next = await s.step(check, expected, () => s.resume(command, threadId));
        const { [0]: frame, length: depth } = await s.frames(next.threadId);
        const isThere = s.verify(check, to(frame!, depth), {
          expected,
          actual: `line ${frame?.["line"]} of ${frame?.["name"]}`,
        });
        s.verify("thr-07", next.threadId === threadId, {
          expected: `a stop in thread ${threadId}, the thread that was stepping`,
          actual: `a stop in thread ${next.threadId}`,
          messageNumber: next.entry.index + 1,
        });
        s.verifyReason("run-12", next, "step");
        return isThere;
      };
      // Not every debugger names frames after functions, so the stack depth is also used to
      // identify the function.
      const isIn = (frame: AnyMessage, name: string): boolean =>
        String(frame["name"]).includes(name);
      let outside = 0;
      const line = s.line("outer-next");
      const isNext = await verifyStep(
        "run-04",
        `next stops at the next line, ${line}`,
        "next",
        (frame, depth) => {
          outside = depth;
          return frame["line"] === line;
        },
      );
      if (!isNext) throw new StepError("next did not stop at the next line", { check: "run-04" });
      const hasEntered = await verifyStep(
        "run-10",
        "stepIn enters inner",
        "stepIn",
        (frame, depth) => isIn(frame, "inner") || depth > outside,
      );
      if (!hasEntered) throw new StepError("stepIn did not enter inner", { check: "run-10" });
      await verifyStep(
        "run-11",
        "stepOut returns to outer",
        "stepOut",
        (frame, depth) => isIn(frame, "outer") || depth === outside || frame["line"] === line,
      );
    },
  },
  {
    name: "pause",
    program: "waits",
    checks: ["run-05", "run-13"],
    async run(s) {
      const threadId = await s.startToRun("ready");
      const pause = async (): Promise<Stop> => {
        const since = s.position;
        await s.ask("pause", { threadId });
        return s.stop(since);
      };
      const paused = await s.step("run-13", "a stop after pause", pause);
      s.pass("run-13");
      s.verifyReason("run-05", paused, "pause");
      // Whether the response comes before the stop may be a matter of chance.
      for (let times = 1; times < 5; times++) {
        await s.ask("continue", { threadId });
        await s.runs();
        await pause();
      }
    },
  },
  {
    name: "continue",
    program: "loop",
    checks: ["run-03"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop", "next"] });
      const { reply } = await s.resume("continue", threadId);
      const { threads = [] } = await s.ask("threads");
      if (threads.length !== 1) return s.skip("run-03", "there is more than one thread");
      s.verify("run-03", reply.body["allThreadsContinued"] !== false, {
        expected: "allThreadsContinued true or absent, because there is only one thread",
        actual: reply.body,
      });
    },
  },
  {
    name: "step-in-targets",
    program: "calls",
    checks: ["run-06"],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["outer"] });
      const { targets = [] } = await s.announced("stepInTargets", {
        frameId: frame["id"],
      });
      const target = (targets as AnyMessage[]).find(({ label }) => String(label).includes("inner"));
      if (target === undefined)
        return s.skip("run-06", "there is no step-in target on the line of a call");
      const next = await s.step("run-06", "a stop in the target", () =>
        s.resumeToFrame("stepIn", threadId, { targetId: target["id"] }),
      );
      s.verify("run-06", String(next.frame["name"]).includes("inner"), {
        expected: "a stop in inner, the target",
        actual: next.frame["name"],
      });
    },
  },
  {
    name: "step-in-nothing",
    program: "loop",
    checks: ["run-23"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop"] });
      const { frame } = await s.step("run-23", "a stop after stepIn", () =>
        s.resumeToFrame("stepIn", threadId),
      );
      s.verifyLine("run-23", frame, "next", ", as after next, because the line calls nothing");
    },
  },
  {
    name: "goto",
    program: "loop",
    checks: ["run-07", "run-14"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop"] });
      const { targets = [] } = await s.announced("gotoTargets", {
        source: s.source,
        line: s.line("next"),
      });
      if (targets.length === 0) return s.skip("run-07", "there is no goto target");
      const next = await s.step("run-07", "a stop after goto", () =>
        s.resume("goto", threadId, { targetId: targets[0].id }),
      );
      s.verifyReason("run-07", next, "goto");
      const frame = await s.topFrame(next.threadId);
      const total = (await s.localOf(frame, "total"))?.["value"];
      s.verify("run-14", frame["line"] === s.line("next") && Number(total) === 0, {
        expected: `line ${s.line("next")}, without running the line before it`,
        actual: `line ${frame["line"]}, total ${total}`,
      });
    },
  },
  {
    name: "restart-frame",
    program: "calls",
    checks: ["run-08"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["outer"] });
      const { frame } = await s.resumeToFrame("next", threadId);
      if (frame["canRestart"] === false) return s.skip("run-08", "the frame cannot be restarted");
      // Remove the breakpoints, because a breakpoint at the frame's first line would also be a
      // valid reason to stop.
      await s.clearBreakpoints();
      const since = s.position;
      const next = await s.step("run-08", "a stop after restartFrame", async () => {
        await s.announced("restartFrame", { frameId: frame["id"] });
        return s.stop(since);
      });
      s.verifyReason("run-08", next, "restart");
    },
  },
  {
    name: "step-back",
    program: "loop",
    checks: ["run-09", "run-15"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop", "end"] });
      await s.resume("next", threadId);
      const { frame } = await s.step("run-09", "a stop after stepBack", () =>
        s.resumeToFrame("stepBack", threadId),
      );
      s.verifyLine("run-09", frame, "loop", " again");
      await s.resume("continue", threadId);
      const position = async () => {
        const top = await s.topFrame(threadId);
        return { line: Number(top["line"]), i: await s.valueOfI(top) };
      };
      const before = await position();
      await s.step("run-15", "a stop after reverseContinue", () =>
        s.resume("reverseContinue", threadId),
      );
      const after = await position();
      // Also accept an earlier line, because mock-debug runs through its program's lines only once.
      s.verify("run-15", after.i < before.i || after.line < before.line, {
        expected: `a position before line ${before.line} with i = ${before.i}`,
        actual: `line ${after.line} with i ${after.i}`,
      });
    },
  },
  {
    name: "granularity",
    program: "loop",
    checks: ["run-16"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop"] });
      const { frame } = await s.step("run-16", "a stop after a step of one instruction", () =>
        s.resumeToFrame("next", threadId, { granularity: "instruction" }),
      );
      const { line } = frame;
      s.verify("run-16", line === s.line("loop") || line === s.line("next"), {
        expected: "the same line or the next one",
        actual: line,
      });
    },
  },
];

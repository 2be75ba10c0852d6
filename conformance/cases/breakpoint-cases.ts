import type { CaseSession } from "../session/case-session.js";
import { StepError, type AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

/** A breakpoint's state: initially as in the response, then as changed by later events. */
function latestOf(s: CaseSession, first: AnyMessage): AnyMessage {
  const later = s
    .events("breakpoint")
    .map(({ body }) => body["breakpoint"] as AnyMessage | undefined)
    .filter((breakpoint) => breakpoint?.["id"] !== undefined && breakpoint["id"] === first["id"]);
  return Object.assign({}, first, ...later) as AnyMessage;
}

export const breakpointCases: readonly Case[] = [
  {
    name: "breakpoint-order",
    program: "loop",
    checks: ["bp-01", "bp-17"],
    async run(s) {
      let answered: readonly AnyMessage[] = [];
      const { threadId } = await s.startToStop({
        breakpoints: ["loop"],
        configure: async () => {
          const lines = [s.line("end"), 99_999, s.line("loop")];
          const args = { source: s.source, breakpoints: lines.map((line) => ({ line })), lines };
          ({ breakpoints: answered = [] } = await s.ask("setBreakpoints", args));
        },
      });
      // Check bp-26 covers the number of breakpoints.
      if (answered.length !== 3)
        throw new StepError(`${answered.length} breakpoints, although three were requested`, {
          check: "bp-26",
        });
      const [end, , loop] = answered;
      // Until a breakpoint is verified, its line may be missing, or still be the requested line.
      const isOrdered =
        (end?.["line"] ?? s.line("end")) === s.line("end") &&
        (loop?.["line"] ?? s.line("loop")) === s.line("loop");
      s.verify("bp-01", isOrdered, { expected: "the order of the request", actual: answered });
      const bad = latestOf(s, answered[1]!);
      s.verify("bp-17", bad["verified"] === false || (bad["line"] ?? 99_999) < 99_999, {
        expected: "the breakpoint at line 99999 is not verified, or has moved",
        actual: bad,
      });
      await s.finish(threadId);
    },
  },
  {
    name: "breakpoint-replace",
    program: "loop",
    checks: ["bp-02"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop", "next"] });
      await s.setBreakpoints(["end"]);
      const { frame } = await s.step("bp-02", "a stop at the new breakpoint", () =>
        s.resumeToFrame("continue", threadId),
      );
      s.verifyLine("bp-02", frame, "end", ", because the earlier breakpoints are replaced");
    },
  },
  {
    name: "breakpoint-clear",
    program: "loop",
    checks: ["bp-18"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["loop"] });
      const { breakpoints } = await s.clearBreakpoints();
      s.verify("bp-18", Array.isArray(breakpoints) && breakpoints.length === 0, {
        expected: "an empty array, because there are no breakpoints",
        actual: breakpoints,
      });
      const since = s.position;
      await s.step("bp-18", "the end of the program", () =>
        s.finish(threadId).catch((error: Error) => {
          // Check end-01 covers whether the event is sent.
          if (s.wire.end === undefined) throw error;
        }),
      );
      const stops = s
        .events("stopped", since)
        .filter(({ body }) => body["reason"] === "breakpoint");
      s.verify("bp-18", stops.length === 0, {
        expected: "no stop after the breakpoints are cleared",
        actual: stops.map(({ body }) => body),
      });
    },
  },
  {
    name: "breakpoint-moved",
    program: "loop",
    checks: ["bp-03"],
    async run(s) {
      const { breakpoints, frame } = await s.startToFrame({ breakpoints: ["blank", "end"] });
      const actual = latestOf(s, breakpoints[0] ?? {});
      if (frame["line"] === s.line("end"))
        return void s.verify("bp-03", actual["verified"] !== true, {
          expected: "an unverified breakpoint on a line without code, which is never hit",
          actual,
        });
      s.verify("bp-03", actual["line"] === frame["line"], {
        expected: `the line of the stop, ${frame["line"]}`,
        actual,
      });
    },
  },
  {
    name: "breakpoint-hit",
    program: "loop",
    checks: ["bp-06", "bp-04", "bp-19", "launch-06"],
    async run(s) {
      const stopped = await s.step("bp-06", "a stop at the breakpoint", () =>
        s.startToStop({ breakpoints: ["loop"] }),
      );
      const { breakpoints, body, entry } = stopped;
      s.verifyReason("bp-06", stopped, "breakpoint");
      await judgeVerification(s, breakpoints[0], entry.index);
      const hits = body["hitBreakpointIds"];
      if (hits === undefined) s.skip("bp-19", "hitBreakpointIds is absent, which is allowed");
      else
        s.verify("bp-19", hits.includes(breakpoints[0]?.["id"]), {
          expected: `hitBreakpointIds with ${breakpoints[0]?.["id"]}`,
          actual: hits,
          messageNumber: entry.index + 1,
        });
      const names = s.wires.flatMap(({ trace }) =>
        trace.filter(({ message }) => message["event"] === "process"),
      );
      if (names.length === 0) s.skip("launch-06", "no process event");
      else
        s.verify(
          "launch-06",
          names.length <= s.wires.length &&
            names.every(({ message }) => String(message["body"]?.name ?? "") !== ""),
          {
            expected: "one process event with a name",
            actual: names.map(({ message }) => message["body"]),
          },
        );
    },
  },
  {
    name: "breakpoint-while-running",
    program: "waits",
    checks: ["bp-07", "thr-03"],
    async run(s) {
      await s.startToRun("ready");
      const threads = await s.step("thr-03", "threads while the program runs", () =>
        s.request("threads"),
      );
      const { success, message } = threads;
      if (message["message"] === "notStopped")
        s.skip("thr-03", "the adapter answers notStopped, which the protocol defines");
      else
        s.verify("thr-03", success, {
          expected: "success while the program runs",
          actual: message,
        });
      const since = s.position;
      const expected = "a stop at a breakpoint that was set while the program was running";
      const hasStopped = await s.step("bp-07", expected, async () => {
        const [tick] = await s.setBreakpoints(["tick"]);
        return s.stop(since).then(
          () => true,
          (error: unknown) => {
            if (tick?.["verified"] !== false) throw error;
            return false;
          },
        );
      });
      if (!hasStopped)
        return s.skip("bp-07", "the breakpoint is not verified while the program runs");
      s.pass("bp-07");
    },
  },
];

/**
 * Checks that an event reports that a breakpoint at which the program stopped has been verified. The
 * event may come after the stop.
 */
async function judgeVerification(
  s: CaseSession,
  first: AnyMessage | undefined,
  stopped: number,
): Promise<void> {
  if (first?.["verified"] === true)
    return s.skip("bp-04", "breakpoints are verified in the response");
  const id: unknown = first?.["id"];
  const where = ({ breakpoint }: AnyMessage): boolean =>
    id !== undefined && breakpoint?.id === id && breakpoint.verified === true;
  await s.event("breakpoint", { where }).catch(() => undefined);
  const changed = s.events("breakpoint").filter(({ body }) => body["breakpoint"]?.id === id);
  s.verify(
    "bp-04",
    changed.some(({ body }) => where(body)),
    {
      expected: `a breakpoint event that verifies breakpoint ${id}`,
      actual: changed.map(({ body }) => body),
      messageNumber: stopped + 1,
    },
  );
}

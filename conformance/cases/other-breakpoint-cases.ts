import type { CaseSession } from "../session/case-session.js";
import { StepError, type AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

export const otherBreakpointCases: readonly Case[] = [
  {
    name: "function-breakpoint",
    program: "calls",
    checks: ["bp-11", "bp-22"],
    async run(s) {
      let answered: readonly AnyMessage[] = [];
      const names = [{ name: "wirewright_missing" }, { name: s.language.text.function }];
      const { reason, entry, frame } = await s.step("bp-11", `a stop in ${names[1]!.name}`, () =>
        s.startToFrame({
          breakpoints: ["end"],
          configure: async () => {
            ({ breakpoints: answered = [] } = await s.announced("setFunctionBreakpoints", {
              breakpoints: names,
            }));
          },
        }),
      );
      s.verify("bp-22", answered[0]?.["verified"] === false, {
        expected: "an unverified first breakpoint, because its function does not exist",
        actual: answered,
      });
      const isIn = String(frame["name"]).includes("inner");
      s.verify("bp-11", isIn && reason === "function breakpoint", {
        expected: "a stop in inner with the reason function breakpoint",
        actual: `${reason} in ${frame["name"]}`,
        messageNumber: entry.index + 1,
      });
    },
  },
  ...(
    [
      ["replaced-function-breakpoint", "bp-38"],
      ["cleared-function-breakpoint", "bp-39"],
    ] as const
  ).map(([name, check]): Case => ({
    name,
    program: "calls",
    checks: [check],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["call", "end"] });
      const inner = s.language.text.function;
      const others = check === "bp-38" ? [{ name: inner.replace("inner", "outer") }] : [];
      const set = (breakpoints: readonly object[]): Promise<AnyMessage> =>
        s.announced("setFunctionBreakpoints", { breakpoints });
      await set([{ name: inner }]);
      await set(others);
      await verifyNoStopInInner(s, check, threadId);
    },
  })),
  {
    name: "exception",
    program: "throws",
    checks: ["bp-12", "bp-23", "exc-01"],
    async run(s) {
      const filters: string[] = [];
      let breakpoints: readonly object[] | undefined;
      const stopped = await s.step("bp-12", "a stop at an exception", () =>
        s.startToStop({
          configure: async () => {
            filters.push(...s.filters);
            ({ breakpoints } = await s.ask("setExceptionBreakpoints", { filters }));
          },
          filters,
        }),
      );
      s.verifyReason("bp-12", stopped, "exception");
      if (breakpoints === undefined) s.skip("bp-23", "the response contains no breakpoints");
      else
        s.verify("bp-23", breakpoints.length === filters.length, {
          expected: `${filters.length} breakpoints for ${filters.length} filters`,
          actual: breakpoints,
        });
      if (s.capabilities.supportsExceptionInfoRequest !== true)
        return s.skip("exc-01", "supportsExceptionInfoRequest is not announced");
      const { threadId } = stopped;
      const info = await s.announced("exceptionInfo", { threadId }, "supportsExceptionInfoRequest");
      s.verify("exc-01", typeof info["exceptionId"] === "string" && info["exceptionId"] !== "", {
        expected: "an exceptionId",
        actual: info,
      });
    },
  },
  {
    name: "unknown-filter",
    program: "loop",
    checks: ["bp-13"],
    breaksRules: true,
    async run(s) {
      await s.startToStop({ breakpoints: ["loop"] });
      const { success, body, message } = await s.request("setExceptionBreakpoints", {
        filters: ["wirewright-unknown"],
      });
      if (success && body["breakpoints"] === undefined)
        return s.skip("bp-13", "the response contains no breakpoints, which is allowed");
      const [first] = body["breakpoints"] ?? [];
      s.verify("bp-13", !success || first?.verified !== true, {
        expected: "a failure or an unverified breakpoint, because the filter does not exist",
        actual: message,
      });
    },
  },
  {
    name: "data-breakpoint",
    program: "data",
    checks: ["bp-14"],
    async run(s) {
      const watched = await watchNumber(s, "bp-14");
      if (watched === undefined) return;
      const { threadId, breakpoints } = watched;
      if (breakpoints[0]?.["verified"] !== true) {
        s.verify("bp-14", false, { expected: "a verified data breakpoint", actual: breakpoints });
        return;
      }
      const next = await s.step("bp-14", "a stop when the variable is written", () =>
        s.resume("continue", threadId),
      );
      s.verifyReason("bp-14", next, "data breakpoint");
    },
  },
  {
    name: "cleared-data-breakpoint",
    program: "data",
    checks: ["bp-40"],
    async run(s) {
      const watched = await watchNumber(s, "bp-40");
      if (watched === undefined) return;
      await s.ask("setDataBreakpoints", { breakpoints: [] });
      await s.finish(watched.threadId);
      verifyNoStop(s, "bp-40", "data breakpoint");
    },
  },
  {
    name: "cleared-filters",
    program: "throws",
    checks: ["bp-42"],
    async run(s) {
      const { threadId } = await s.startToStop({
        breakpoints: ["uncaught"],
        // The configuration ends with a request that sets no filter.
        configure: async () =>
          void (await s.ask("setExceptionBreakpoints", { filters: s.filters })),
      });
      await s.finish(threadId);
      verifyNoStop(s, "bp-42", "exception");
    },
  },
  {
    name: "instruction-breakpoint",
    program: "calls",
    checks: ["bp-15"],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["inner"] });
      const instructionReference = frame["instructionPointerReference"];
      if (instructionReference === undefined)
        return s.skip("bp-15", "frames have no instructionPointerReference");
      await s.clearBreakpoints();
      await s.announced("setInstructionBreakpoints", {
        breakpoints: [{ instructionReference }],
      });
      const next = await s.step("bp-15", "a stop at the instruction, in the second call", () =>
        s.resume("continue", threadId),
      );
      s.verifyReason("bp-15", next, "instruction breakpoint");
    },
  },
  {
    name: "cleared-instruction-breakpoint",
    program: "calls",
    checks: ["bp-41"],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["inner"] });
      const instructionReference = frame["instructionPointerReference"];
      if (instructionReference === undefined)
        return s.skip("bp-41", "frames have no instructionPointerReference");
      await s.ask("setBreakpoints", s.breakpointsAt(["end"]));
      for (const breakpoints of [[{ instructionReference }], []])
        await s.announced("setInstructionBreakpoints", {
          breakpoints,
        });
      await verifyNoStopInInner(s, "bp-41", threadId);
    },
  },
  {
    name: "breakpoint-locations",
    program: "loop",
    checks: ["bp-16", "launch-07"],
    async run(s) {
      const args = { source: s.source, line: s.line("loop"), endLine: s.line("end") };
      let early = 0;
      await s.startToStop({
        breakpoints: ["loop"],
        configure: async () => {
          early = s.wire.send("breakpointLocations", args);
        },
      });
      // The adapter may wait until it has loaded the program before it responds.
      await s.step(
        "launch-07",
        "a response to a breakpointLocations request sent before the response to launch",
        () => s.reply(early, "breakpointLocations"),
      );
      s.pass("launch-07");
      const { breakpoints: locations = [] } = await s.announced("breakpointLocations", args);
      const lines = [...new Set((locations as AnyMessage[]).map(({ line }) => line as number))];
      const { breakpoints = [] } = await s.ask("setBreakpoints", {
        source: s.source,
        breakpoints: lines.map((line) => ({ line })),
        lines,
      });
      const set = (breakpoints as AnyMessage[])
        .slice(0, lines.length)
        .map(({ line }, index) => line ?? lines[index]);
      s.verify("bp-16", JSON.stringify(set) === JSON.stringify(lines), {
        expected: `breakpoints at lines ${lines.join(", ")}`,
        actual: set,
      });
    },
  },
];

/**
 * Stops where the variable `number` still has its first value, and sets a data breakpoint on it.
 * Resolves to undefined, and skips the check, if the variable cannot have one.
 */
async function watchNumber(
  s: CaseSession,
  check: string,
): Promise<{ threadId: number; breakpoints: readonly AnyMessage[] } | undefined> {
  const { threadId, frame } = await s.startToFrame({ breakpoints: ["data"] });
  const name = s.language.text.number;
  const variable = await s.localOf(frame, "number");
  if (variable === undefined) throw new StepError(`the variable ${name} is not shown`);
  const info = await s.announced("dataBreakpointInfo", {
    variablesReference: variable["within"],
    name,
  });
  if (typeof info["dataId"] !== "string") {
    s.skip(check, `there is no dataId: ${info["description"]}`);
    return undefined;
  }
  const { breakpoints = [] } = await s.ask("setDataBreakpoints", {
    breakpoints: [{ dataId: info["dataId"], accessType: "write" }],
  });
  return { threadId, breakpoints };
}

function verifyNoStop(s: CaseSession, check: string, reason: string): void {
  const stop = s.events("stopped").find(({ body }) => body["reason"] === reason);
  s.verify(check, stop === undefined, {
    expected: `no stop with the reason ${reason}`,
    actual: stop?.body,
    messageNumber: stop === undefined ? undefined : stop.index + 1,
  });
}

/**
 * Continues to the breakpoint at the end of the program, and verifies the stops on the way. A stop
 * with the reason `breakpoint` may be at a source breakpoint.
 */
async function verifyNoStopInInner(s: CaseSession, check: string, threadId: number): Promise<void> {
  const stops: string[] = [];
  for (let isAtEnd = false; !isAtEnd && stops.length < 20;) {
    const { reason, frame } = await s.resumeToFrame("continue", threadId);
    stops.push(`${reason} in ${frame["name"]}`);
    isAtEnd = frame["line"] === s.line("end");
  }
  s.verify(check, !stops.some((each) => /^(?!breakpoint ).* in .*inner/.test(each)), {
    expected: "no stop in inner",
    actual: stops,
  });
}

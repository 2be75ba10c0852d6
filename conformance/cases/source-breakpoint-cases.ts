import {
  breakpointsOf,
  filtersOf,
  framesOf,
  startToStop,
  type CaseBreakpoint,
} from "../session/drive.js";
import { StepError, type AnyMessage } from "../session/wire.js";
import { valueOfI } from "./breakpoint-cases.js";
import type { Case } from "./case.js";

/** Further cases covering breakpoints in source files. */
export const sourceBreakpointCases: readonly Case[] = [
  ...(["bp-08", "bp-20"] as const).map((check): Case => ({
    name: check === "bp-08" ? "condition" : "condition-never",
    program: "loop",
    gate: "supportsConditionalBreakpoints",
    checks: [check],
    async run(s) {
      const { isFive, never } = s.language.text;
      const condition = check === "bp-08" ? isFive : never;
      const breakpoints: readonly CaseBreakpoint[] = [{ mark: "loop", condition }, "end"];
      const { threadId } = await s.step(check, "a stop", () => startToStop(s, { breakpoints }));
      const [frame] = await framesOf(s, threadId);
      if (check === "bp-20")
        return void s.verify(check, frame?.["line"] === s.line("end"), {
          expected: `no stop at line ${s.line("loop")}, whose condition is never true`,
          actual: frame?.["line"],
        });
      const i = frame?.["line"] === s.line("loop") ? await valueOfI(s, threadId) : undefined;
      s.verify(check, i === 5, {
        expected: `a stop when i is 5, for ${isFive}`,
        actual: i === undefined ? "no stop at the breakpoint" : `a stop when i is ${i}`,
      });
    },
  })),
  {
    name: "hit-condition",
    program: "loop",
    gate: "supportsHitConditionalBreakpoints",
    checks: ["bp-09"],
    async run(s) {
      const breakpoints: readonly CaseBreakpoint[] = [{ mark: "loop", hitCondition: "3" }, "end"];
      const { threadId } = await s.step("bp-09", "a stop", () => startToStop(s, { breakpoints }));
      const [frame] = await framesOf(s, threadId);
      const i = frame?.["line"] === s.line("loop") ? await valueOfI(s, threadId) : undefined;
      // Adapters interpret the hit condition 3 in different ways: the third hit only, or every hit
      // from the third or fourth onwards.
      s.verify("bp-09", i === 2 || i === 3, {
        expected: "a stop at the third hit, or after three hits",
        actual: i === undefined ? "none" : `at hit ${i + 1}`,
      });
    },
  },
  {
    name: "logpoint",
    program: "loop",
    gate: "supportsLogPoints",
    checks: ["bp-10", "bp-21"],
    async run(s) {
      const logMessage = `counted {${s.language.text.iExpression}} so far`;
      const { threadId } = await startToStop(s, {
        breakpoints: [{ mark: "loop", logMessage }, "end"],
      });
      const [frame] = await framesOf(s, threadId);
      const isEnd = s.verify("bp-10", frame?.["line"] === s.line("end"), {
        expected: "no stop at a logpoint",
        actual: `a stop at line ${frame?.["line"]}`,
      });
      if (!isEnd) throw new StepError("the program stopped at a logpoint", { check: "bp-10" });
      const lines = ["counted 0 so far", "counted 9 so far"];
      const text = s.wires
        .flatMap(({ trace }) => trace.map(({ message }) => message["body"]?.output ?? ""))
        .join("");
      s.verify(
        "bp-21",
        lines.every((line) => text.includes(line)),
        {
          expected: `output with ${lines.join(" and ")}`,
          actual: text,
        },
      );
    },
  },
  {
    name: "breakpoint-other-source",
    program: "loop",
    checks: ["bp-27"],
    async run(s) {
      const other = s.settings.programs.get("data").source;
      const { threadId } = await s.step("bp-27", "a stop at the program's breakpoint", () =>
        startToStop(s, {
          breakpoints: ["loop"],
          configure: async () => {
            const source = { name: other.replace(/^.*\//, ""), path: other };
            await s.request("setBreakpoints", { source, breakpoints: [], lines: [] });
          },
        }),
      );
      const [frame] = await framesOf(s, threadId);
      s.verify("bp-27", frame?.["line"] === s.line("loop"), {
        expected: `a stop at line ${s.line("loop")}, although breakpoints in another source were cleared`,
        actual: frame?.["line"],
      });
    },
  },
  {
    name: "condition-invalid",
    program: "loop",
    gate: "supportsConditionalBreakpoints",
    checks: ["bp-28"],
    async run(s) {
      const condition = s.language.text.invalid;
      const { breakpoints, threadId } = await startToStop(s, {
        breakpoints: [{ mark: "loop", condition }, "end"],
      });
      const [frame] = await framesOf(s, threadId);
      const [first] = breakpoints;
      // The adapter may refuse the breakpoint, report the problem later, stop at the breakpoint
      // anyway, or print why it does not stop.
      const later = s.events("breakpoint").some(({ body }) => body["breakpoint"]?.message);
      const isReported =
        (first?.["verified"] === false && Boolean(first["message"])) ||
        later ||
        frame?.["line"] === s.line("loop") ||
        s
          .events("output")
          .some(({ body }) =>
            ["console", "important", "stderr"].includes(body["category"] ?? "console"),
          );
      s.verify("bp-28", isReported, {
        expected: `a message about the condition ${condition}, or a stop`,
        actual: breakpoints,
      });
    },
  },
  {
    name: "hit-condition-with-condition",
    program: "loop",
    gate: "supportsHitConditionalBreakpoints",
    checks: ["bp-29"],
    async run(s) {
      if (s.capabilities.supportsConditionalBreakpoints !== true)
        return s.skip("bp-29", "supportsConditionalBreakpoints is not announced");
      const condition = s.language.text.isLate;
      const breakpoints: readonly CaseBreakpoint[] = [
        { mark: "loop", condition, hitCondition: "2" },
        "end",
      ];
      const { threadId } = await s.step("bp-29", "a stop", () => startToStop(s, { breakpoints }));
      const [frame] = await framesOf(s, threadId);
      const i = frame?.["line"] === s.line("loop") ? await valueOfI(s, threadId) : undefined;
      // It is up to the adapter which hits it counts, and how it interprets the hit condition 2.
      s.verify("bp-29", i === undefined || i >= 5, {
        expected: `no stop at the breakpoint unless ${condition}`,
        actual: `a stop when i is ${i}`,
      });
    },
  },
  {
    name: "filter-options",
    program: "loop",
    gate: "supportsExceptionFilterOptions",
    checks: ["bp-30"],
    async run(s) {
      const [first, second = first] = filtersOf(s);
      if (first === undefined) return s.skip("bp-30", "there are no exception filters");
      await startToStop(s, { breakpoints: ["loop"] });
      const body: AnyMessage = await s.announced(
        "supportsExceptionFilterOptions",
        "setExceptionBreakpoints",
        { filters: [first], filterOptions: [{ filterId: second! }] },
      );
      if (body["breakpoints"] === undefined)
        return s.skip("bp-30", "the response contains no breakpoints, which is allowed");
      s.verify("bp-30", body["breakpoints"].length === 2, {
        expected: "two breakpoints: one for a filter, and one for a filter with options",
        actual: body["breakpoints"],
      });
    },
  },
  {
    name: "filter-ids",
    program: "loop",
    gate: "exceptionBreakpointFilters",
    checks: ["init-10"],
    async run(s) {
      await startToStop(s, { breakpoints: ["loop"] });
      const ids = filtersOf(s);
      s.verify("init-10", new Set(ids).size === ids.length, {
        expected: "a unique id for each filter",
        actual: ids,
      });
    },
  },
  {
    name: "single-thread",
    program: "threads",
    gate: "supportsSingleThreadExecutionRequests",
    checks: ["run-18"],
    async run(s) {
      const { threadId } = await startToStop(s, { breakpoints: ["worker"] });
      const { threads = [] } = await s.ask("threads");
      if (threads.length < 2) return s.skip("run-18", "there is only one thread");
      await s.ask("setBreakpoints", breakpointsOf(s, []));
      const body = await s.announced("supportsSingleThreadExecutionRequests", "continue", {
        threadId,
        singleThread: true,
      });
      s.verify("run-18", body["allThreadsContinued"] === false, {
        expected: "allThreadsContinued false, because only one of several threads continues",
        actual: body,
      });
    },
  },
];

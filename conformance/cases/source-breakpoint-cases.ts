import type { Capabilities } from "@wirewright/dap/types";
import type { Language } from "../session/programs.js";
import { StepError } from "../session/wire.js";
import type { Case } from "./case.js";

/** A breakpoint at the line `loop` that stops the program only under a condition. */
interface Conditional {
  readonly name: string;
  readonly check: string;
  readonly gates: readonly (keyof Capabilities)[];
  readonly breakpoint: (text: Language["text"]) => object;
  /** Receives the value of `i` at the stop, or undefined if the program stopped elsewhere. */
  readonly isFine: (i: number | undefined) => boolean;
  readonly expected: string;
}

const conditionals: readonly Conditional[] = [
  {
    name: "condition",
    check: "bp-08",
    gates: ["supportsConditionalBreakpoints"],
    breakpoint: ({ isFive: condition }) => ({ condition }),
    isFine: (i) => i === 5,
    expected: "a stop when i is 5",
  },
  {
    name: "condition-never",
    check: "bp-20",
    gates: ["supportsConditionalBreakpoints"],
    breakpoint: ({ never: condition }) => ({ condition }),
    isFine: (i) => i === undefined,
    expected: "no stop, because the condition is never true",
  },
  {
    // Adapters interpret the hit condition 3 in different ways: the third hit only, or every hit
    // from the third or fourth onwards.
    name: "hit-condition",
    check: "bp-09",
    gates: ["supportsHitConditionalBreakpoints"],
    breakpoint: () => ({ hitCondition: "3" }),
    isFine: (i) => i === 2 || i === 3,
    expected: "a stop when i is 2 or 3: at the third hit, or after three hits",
  },
  {
    // It is up to the adapter which hits it counts, and how it interprets the hit condition 2.
    name: "hit-condition-with-condition",
    check: "bp-29",
    gates: ["supportsHitConditionalBreakpoints", "supportsConditionalBreakpoints"],
    breakpoint: ({ isLate: condition }) => ({ condition, hitCondition: "2" }),
    isFine: (i) => i === undefined || i >= 5,
    expected: "no stop unless i is 5 or more",
  },
];

/** Further cases covering breakpoints in source files. */
export const sourceBreakpointCases: readonly Case[] = [
  ...conditionals.map(({ name, check, gates, breakpoint, isFine, expected }): Case => ({
    name,
    program: "loop",
    checks: [check],
    async run(s) {
      const missing = gates.find((gate) => s.capabilities[gate] !== true);
      if (missing !== undefined) return s.skip(check, `${missing} is not announced`);
      const conditional = { mark: "loop", ...breakpoint(s.language.text) } as const;
      const { frame } = await s.step(check, "a stop", () =>
        s.startToFrame({ breakpoints: [conditional, "end"] }),
      );
      const i = await s.iAtLoop(frame);
      s.verify(check, isFine(i), {
        expected: `${expected}, for ${JSON.stringify(conditional)}`,
        actual: i === undefined ? "no stop at the breakpoint" : `a stop when i is ${i}`,
      });
    },
  })),
  {
    name: "logpoint",
    program: "loop",
    checks: ["bp-10", "bp-21"],
    async run(s) {
      const logMessage = `counted {${s.language.text.iExpression}} so far`;
      const { frame } = await s.startToFrame({
        breakpoints: [{ mark: "loop", logMessage }, "end"],
      });
      if (!s.verifyLine("bp-10", frame, "end", ", without a stop at the logpoint"))
        throw new StepError("the program stopped at a logpoint", { check: "bp-10" });
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
      const { frame } = await s.step("bp-27", "a stop at the program's breakpoint", () =>
        s.startToFrame({
          breakpoints: ["loop"],
          configure: async () => {
            const source = { name: other.replace(/^.*\//, ""), path: other };
            await s.request("setBreakpoints", { source, breakpoints: [], lines: [] });
          },
        }),
      );
      s.verifyLine("bp-27", frame, "loop", ", although another source's breakpoints were cleared");
    },
  },
  {
    name: "condition-invalid",
    program: "loop",
    checks: ["bp-28"],
    async run(s) {
      const condition = s.language.text.invalid;
      const { breakpoints, frame } = await s.startToFrame({
        breakpoints: [{ mark: "loop", condition }, "end"],
      });
      const [first] = breakpoints;
      // The adapter may refuse the breakpoint, report the problem later, stop at the breakpoint
      // anyway, or print why it does not stop.
      const later = s.events("breakpoint").some(({ body }) => body["breakpoint"]?.message);
      const isReported =
        (first?.["verified"] === false && Boolean(first["message"])) ||
        later ||
        frame["line"] === s.line("loop") ||
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
    name: "filter-options",
    program: "loop",
    checks: ["bp-30"],
    async run(s) {
      const [first, second = first] = s.filters;
      if (first === undefined) return s.skip("bp-30", "there are no exception filters");
      await s.startToStop({ breakpoints: ["loop"] });
      const body = await s.announced("setExceptionBreakpoints", {
        filters: [first],
        filterOptions: [{ filterId: second! }],
      });
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
    checks: ["init-10"],
    async run(s) {
      await s.startToStop({ breakpoints: ["loop"] });
      const ids = s.filters;
      s.verify("init-10", new Set(ids).size === ids.length, {
        expected: "a unique id for each filter",
        actual: ids,
      });
    },
  },
  {
    name: "single-thread",
    program: "threads",
    checks: ["run-18"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["worker"] });
      const { threads = [] } = await s.ask("threads");
      if (threads.length < 2) return s.skip("run-18", "there is only one thread");
      await s.clearBreakpoints();
      const body = await s.announced("continue", {
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

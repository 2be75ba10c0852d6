import type { CaseSession } from "../session/case-session.js";
import { framesOf, localsOf, startToStop, verifyEvaluation } from "../session/drive.js";
import type { AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

/** Values of variables and expressions. */
export const valueCases: readonly Case[] = [
  {
    name: "nested-variables",
    program: "data",
    checks: ["var-11", "var-14"],
    async run(s) {
      const { locals } = await atData(s);
      const nested = locals.find(({ name }) => name === s.language.text.nested);
      if (nested === undefined || !(nested["variablesReference"] > 0))
        s.skip("var-11", "no variable has members of members");
      else {
        const found = await valuesBelow(s, nested["variablesReference"], 4);
        s.verify(
          "var-11",
          ["1", "2", "3"].every((each) => found.includes(each)),
          {
            expected: "the values 1, 2 and 3 among the members of members",
            actual: found,
          },
        );
      }
      const located = locals.find(
        (each) => each["declarationLocationReference"] ?? each["valueLocationReference"],
      );
      const locationReference =
        located?.["declarationLocationReference"] ?? located?.["valueLocationReference"];
      if (locationReference === undefined)
        return s.skip("var-14", "no variable has a reference to a location");
      const { success, body, message } = await s.request("locations", { locationReference });
      s.verify("var-14", success && body["line"] > 0 && body["source"] !== undefined, {
        expected: "a source and a line",
        actual: message,
      });
    },
  },
  {
    name: "hexadecimal",
    program: "data",
    gate: "supportsValueFormattingOptions",
    checks: ["var-13"],
    async run(s) {
      const { locals } = await atData(s);
      const { number } = s.language.text;
      const plain = locals.find(({ name }) => name === number);
      if (plain === undefined) return s.skip("var-13", `the variable ${number} is not shown`);
      const { variables = [] } = await s.announced("supportsValueFormattingOptions", "variables", {
        variablesReference: plain["within"],
        format: { hex: true },
      });
      const value = (variables as AnyMessage[]).find(({ name }) => name === number)?.["value"];
      s.verify("var-13", /(?:^|[^\da-f])(?:0x)?0*2a\b/i.test(String(value)), {
        expected: `${number}, which is 42, as 2a`,
        actual: value,
      });
    },
  },
  {
    name: "variable-filter",
    program: "data",
    checks: ["var-10"],
    async run(s) {
      const { locals } = await atData(s, { supportsVariablePaging: true });
      const large = locals.find(({ name }) => name === s.language.text.large);
      if (!(large?.["indexedVariables"] > 0))
        return s.skip("var-10", "indexedVariables is not used");
      const { variables = [] } = await s.ask("variables", {
        variablesReference: large!["variablesReference"],
        filter: "named",
      });
      const indexed = (variables as AnyMessage[]).filter(({ name }) => /^\[?\d+\]?$/.test(name));
      s.verify("var-10", indexed.length === 0, {
        expected: "named variables only",
        actual: `${variables.length} variables, among them ${indexed.length} indexed ones`,
      });
    },
  },
  {
    name: "evaluate-contexts",
    program: "loop",
    checks: ["evl-05", "evl-07"],
    async run(s) {
      const { threadId } = await startToStop(s, { breakpoints: ["next"] });
      const [frame] = await framesOf(s, threadId);
      const { sum, constant } = s.language.text;
      if (sum === "") {
        for (const check of ["evl-05", "evl-07"]) s.skip(check, "the language has no expressions");
        return;
      }
      const frameId = frame!["id"];
      const repl = await s.step("evl-07", "an answer", () =>
        s.request("evaluate", { expression: sum, frameId, context: "repl" }),
      );
      const printed = s.events("output").map(({ body }) => body["output"]);
      const shown = `${repl.body["result"]} ${printed.join(" ")}`;
      s.verify("evl-07", repl.success && /\b1\b/.test(shown), {
        expected: `${sum} is 1 in the context repl`,
        actual: repl.message,
      });
      const global = await s.step("evl-05", "an answer", () =>
        s.request("evaluate", { expression: constant, context: "watch" }),
      );
      s.verify("evl-05", global.success && /\b23\b/.test(String(global.body["result"])), {
        expected: `${constant} is 23 without a frame`,
        actual: global.message,
      });
    },
  },
  {
    name: "evaluate-hover",
    program: "loop",
    gate: "supportsEvaluateForHovers",
    checks: ["evl-06"],
    async run(s) {
      const { threadId } = await startToStop(s, { breakpoints: ["next"] });
      const [frame] = await framesOf(s, threadId);
      const { assignment: expression, total } = s.language.text;
      await s.step("evl-06", "an answer", () =>
        s.request("evaluate", { expression, frameId: frame!["id"], context: "hover" }),
      );
      const [again] = await framesOf(s, threadId);
      const after = (await localsOf(s, again!["id"])).find(({ name }) => name === total);
      if (after === undefined) return s.skip("evl-06", `the variable ${total} is not shown`);
      s.verify("evl-06", Number(after["value"]) === 0, {
        expected: `${total} is 0 after ${expression} in the context hover`,
        actual: after,
      });
    },
  },
  {
    name: "evaluate-clipboard",
    program: "data",
    gate: "supportsClipboardContext",
    checks: ["evl-08"],
    async run(s) {
      const { frameId } = await atData(s);
      const { numberExpression: expression } = s.language.text;
      const asked = { expression, frameId, context: "clipboard" };
      await verifyEvaluation(s, "evl-08", "supportsClipboardContext", asked, 42);
    },
  },
];

async function atData(
  s: CaseSession,
  initialize: object = {},
): Promise<{ readonly frameId: number; readonly locals: readonly AnyMessage[] }> {
  const { threadId } = await startToStop(s, { initialize, breakpoints: ["data"] });
  const [frame] = await framesOf(s, threadId);
  const frameId = frame!["id"];
  return { frameId, locals: await localsOf(s, frameId) };
}

async function valuesBelow(
  s: CaseSession,
  variablesReference: number,
  depth: number,
): Promise<readonly string[]> {
  const { variables = [] } = await s.ask("variables", { variablesReference });
  const found: string[] = [];
  for (const each of (variables as AnyMessage[]).slice(0, 30)) {
    found.push(String(each["value"]));
    if (depth > 0 && each["variablesReference"] > 0 && !/^__|^#|prototype/i.test(each["name"]))
      found.push(...(await valuesBelow(s, each["variablesReference"], depth - 1)));
  }
  return found;
}

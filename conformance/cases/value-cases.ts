import type { CaseSession } from "../session/case-session.js";
import { StepError, type AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

/** Cases covering the values of variables and expressions. */
export const valueCases: readonly Case[] = [
  ...(
    [
      ["set-variable", "var-05"],
      ["set-expression", "var-08"],
    ] as const
  ).map(([name, check]): Case => ({
    name,
    program: "loop",
    checks: [check],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["loop"] });
      const { total, totalExpression, value } = s.language.text;
      const before = await s.localOf(frame, "total");
      if (before === undefined) throw new StepError(`the variable ${total} is not shown`);
      if (check === "var-05") {
        const args = { variablesReference: before["within"], name: total, value };
        await s.announced("setVariable", args);
      } else
        await s.announced("setExpression", {
          expression: before["evaluateName"] ?? totalExpression,
          value,
          frameId: frame["id"],
        });
      const again = await s.topFrame(threadId);
      const after = await s.localOf(again, "total");
      const isShown = Number(after?.["value"]) === Number(value);
      // Until the program continues, a debugger may show variables as they were at the stop.
      const evaluation = {
        expression: totalExpression,
        frameId: again["id"],
        context: "watch",
      };
      const changed = isShown ? after : (await s.request("evaluate", evaluation)).body;
      s.verify(check, isShown || Number(changed?.["result"]) === Number(value), {
        expected: `${total} is ${value} afterwards`,
        actual: [after, changed],
      });
    },
  })),
  {
    name: "evaluate",
    program: "loop",
    checks: ["evl-01", "evl-03", "evl-04"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["next"] });
      const { sum, invalid } = s.language.text;
      const frameId = frame["id"];
      if (sum === "") s.skip(["evl-01", "evl-03"], "the language has no expressions");
      else {
        const good = await s.step("evl-01", "a response", () =>
          s.request("evaluate", { expression: sum, frameId, context: "watch" }),
        );
        s.verify("evl-01", good.success && /\b1\b/.test(String(good.body["result"])), {
          expected: `${sum} is 1`,
          actual: good.message,
        });
        const bad = await s.step("evl-03", "a response to an invalid expression", () =>
          s.request("evaluate", { expression: invalid, frameId, context: "watch" }),
        );
        s.verify("evl-03", !bad.success, {
          expected: "a failure, because the expression is invalid",
          actual: bad.message,
        });
      }
      if (s.capabilities.supportsEvaluateForHovers !== true)
        return s.skip("evl-04", "supportsEvaluateForHovers is not announced");
      const expression = s.language.text.iExpression;
      const evaluation = { expression, frameId, context: "hover" };
      await verifyEvaluation(s, "evl-04", "supportsEvaluateForHovers", evaluation, 0);
    },
  },
  {
    name: "completions",
    program: "loop",
    checks: ["evl-02"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["next"] });
      const text = s.language.text.totalExpression.slice(0, -1);
      const { targets = [] } = await s.announced("completions", {
        frameId: frame["id"],
        text,
        column: text.length + 1,
      });
      if (targets.length === 0) return s.skip("evl-02", `there are no completions for ${text}`);
      const isFine = (targets as AnyMessage[]).every(
        ({ label, start: from = 0, length = 0 }) =>
          typeof label === "string" && from >= 0 && from + length <= text.length + 1,
      );
      s.verify("evl-02", isFine, { expected: "a range within the text", actual: targets });
    },
  },
  {
    name: "nested-variables",
    program: "data",
    checks: ["var-11", "var-14"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["data"] });
      const locals = await s.localsOf(frame);
      const nested = locals.find(({ name }) => name === s.language.text.nested);
      if (nested === undefined || !(nested["variablesReference"] > 0))
        s.skip("var-11", "no variable has nested members");
      else {
        const values = await valuesBelow(s, nested["variablesReference"], 4);
        s.verify(
          "var-11",
          ["1", "2", "3"].every((item) => values.includes(item)),
          {
            expected: "the values 1, 2 and 3 among the nested members",
            actual: values,
          },
        );
      }
      const located = locals.find(
        (variable) =>
          variable["declarationLocationReference"] ?? variable["valueLocationReference"],
      );
      const locationReference =
        located?.["declarationLocationReference"] ?? located?.["valueLocationReference"];
      if (locationReference === undefined)
        return s.skip("var-14", "no variable has a location reference");
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
    checks: ["var-13", "evl-10"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["data"] });
      const { number, numberExpression: expression } = s.language.text;
      const isHexadecimal = (value: unknown): boolean =>
        /(?:^|[^\da-f])(?:0x)?0*2a\b/i.test(String(value));
      const { result } = await s.announced("evaluate", {
        expression,
        frameId: frame["id"],
        context: "watch",
        format: { hex: true },
      });
      s.verify("evl-10", isHexadecimal(result), {
        expected: `${expression}, which is 42, as 2a`,
        actual: result,
      });
      const plain = await s.localOf(frame, "number");
      if (plain === undefined) return s.skip("var-13", `the variable ${number} is not shown`);
      const { variables = [] } = await s.announced("variables", {
        variablesReference: plain["within"],
        format: { hex: true },
      });
      const value = (variables as AnyMessage[]).find(({ name }) => name === number)?.["value"];
      s.verify("var-13", isHexadecimal(value), {
        expected: `${number}, which is 42, as 2a`,
        actual: value,
      });
    },
  },
  {
    name: "lower-frame",
    program: "calls",
    checks: ["stk-15", "evl-09"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["deep"] });
      const [top, below] = await s.frames(threadId, { levels: 2 });
      // The function calls itself with 1 less each time, until n is 0.
      const countIn = async (frame: AnyMessage | undefined): Promise<AnyMessage | undefined> =>
        frame && (await s.localsOf(frame)).find(({ name }) => /^\$?n$/.test(name));
      const count = await countIn(top);
      if (Number(count?.["value"]) !== 0)
        return s.skip(["stk-15", "evl-09"], "the variable n is not shown");
      // Check stk-08 covers frames with the same id.
      if (below === undefined || below["id"] === top!["id"])
        return s.skip(["stk-15", "evl-09"], "no other frame");
      const countBelow = await countIn(below);
      s.verify("stk-15", Number(countBelow?.["value"]) === 1, {
        expected: "n is 1 in the second frame",
        actual: countBelow,
      });
      const { body, message } = await s.step("evl-09", "a response", () =>
        s.request("evaluate", {
          expression: count!["evaluateName"] ?? count!["name"],
          frameId: below["id"],
          context: "watch",
        }),
      );
      s.verify("evl-09", /\b1\b/.test(String(body["result"])), {
        expected: "n is 1 in the second frame",
        actual: message,
      });
    },
  },
  {
    name: "variable-filter",
    program: "data",
    checks: ["var-10"],
    async run(s) {
      const { frame } = await s.startToFrame({
        initialize: { supportsVariablePaging: true },
        breakpoints: ["data"],
      });
      const large = await s.localOf(frame, "large");
      if (!(large?.["indexedVariables"] > 0))
        return s.skip("var-10", "indexedVariables is not used");
      const { variables = [] } = await s.ask("variables", {
        variablesReference: large!["variablesReference"],
        filter: "named",
      });
      const indexed = (variables as AnyMessage[]).filter(({ name }) => /^\[?\d+\]?$/.test(name));
      s.verify("var-10", indexed.length === 0, {
        expected: "named variables only",
        actual: `${variables.length} variables, ${indexed.length} of them indexed`,
      });
    },
  },
  {
    name: "evaluate-contexts",
    program: "loop",
    checks: ["evl-05", "evl-07"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["next"] });
      const { sum, constant } = s.language.text;
      if (sum === "") return s.skip(["evl-05", "evl-07"], "the language has no expressions");
      const repl = await s.step("evl-07", "a response", () =>
        s.request("evaluate", { expression: sum, frameId: frame["id"], context: "repl" }),
      );
      const printed = s.events("output").map(({ body }) => body["output"]);
      const output = `${repl.body["result"]} ${printed.join(" ")}`;
      s.verify("evl-07", repl.success && /\b1\b/.test(output), {
        expected: `${sum} is 1 in the repl context`,
        actual: repl.message,
      });
      const global = await s.step("evl-05", "a response", () =>
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
    checks: ["evl-06"],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["next"] });
      const { assignment: expression, total } = s.language.text;
      const before = await s.localOf(frame, "total");
      await s.step("evl-06", "a response", () =>
        s.request("evaluate", { expression, frameId: frame["id"], context: "hover" }),
      );
      const after = await s.localOf(await s.topFrame(threadId), "total");
      if (before === undefined || after === undefined)
        return s.skip("evl-06", `the variable ${total} is not shown`);
      s.verify("evl-06", after["value"] === before["value"], {
        expected: `${total} is ${before["value"]} after ${expression} in the hover context`,
        actual: after,
      });
    },
  },
  {
    name: "evaluate-clipboard",
    program: "data",
    checks: ["evl-08"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["data"] });
      const { numberExpression: expression } = s.language.text;
      const evaluation = { expression, frameId: frame["id"], context: "clipboard" };
      await verifyEvaluation(s, "evl-08", "supportsClipboardContext", evaluation, 42);
    },
  },
];

/**
 * Verifies the value of an expression evaluated in a context whose support is announced by a
 * capability.
 */
async function verifyEvaluation(
  s: CaseSession,
  check: string,
  capability: string,
  evaluation: { readonly expression: string; readonly frameId: number; readonly context: string },
  value: number,
): Promise<void> {
  const body = await s.announced("evaluate", evaluation, capability);
  s.verify(check, new RegExp(`\\b${value}\\b`).test(String(body["result"])), {
    expected: `${evaluation.expression} is ${value} in the ${evaluation.context} context`,
    actual: body,
  });
}

async function valuesBelow(
  s: CaseSession,
  variablesReference: number,
  depth: number,
): Promise<readonly string[]> {
  const { variables = [] } = await s.ask("variables", { variablesReference });
  const values: string[] = [];
  for (const variable of (variables as AnyMessage[]).slice(0, 30)) {
    values.push(String(variable["value"]));
    if (
      depth > 0 &&
      variable["variablesReference"] > 0 &&
      !/^__|^#|prototype/i.test(variable["name"])
    )
      values.push(...(await valuesBelow(s, variable["variablesReference"], depth - 1)));
  }
  return values;
}

import { nameOfSource } from "../session/case-session.js";
import type { AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

export const stateCases: readonly Case[] = [
  {
    name: "threads-early",
    program: "loop",
    checks: ["thr-01"],
    async run(s) {
      await s.start({ breakpoints: ["loop"] });
      const { success, body, message } = await s.step(
        "thr-01",
        "a response to threads after launch",
        async () => {
          const early = await s.request("threads");
          if (early.message["message"] !== "notStopped") return early;
          // The program has not reached its breakpoint yet, so the request may be sent again then.
          await s.stop();
          return s.request("threads");
        },
      );
      s.verify("thr-01", success && Array.isArray(body["threads"]), {
        expected: "a list of threads after the response to launch",
        actual: message,
      });
    },
  },
  {
    name: "stack",
    program: "calls",
    checks: ["stk-01", "stk-02", "stk-04", "stk-06", "stk-07"],
    async run(s) {
      const { threadId } = await s.startToStop({ breakpoints: ["deep"] });
      const all = await s.step("stk-01", "frames", () => s.frames(threadId));
      const zero = await s.frames(threadId, { startFrame: 0, levels: 0 });
      s.verify("stk-01", all.length > 60 && zero.length === all.length, {
        expected: "all frames, more than 60, if levels is absent or 0",
        actual: `${all.length} and ${zero.length}`,
      });
      const [top = {}] = all;
      s.verifyLine("stk-06", top, "deep");
      s.verify("stk-07", nameOfSource(top) === s.program.source.replace(/^.*\//, ""), {
        expected: `the source ${s.program.source}`,
        actual: top["source"],
      });
      const bare = all.find(({ source }) => source === undefined || source === null);
      if (bare === undefined) s.skip("stk-04", "all frames have a source");
      else
        s.verify("stk-04", bare["line"] === 0 && bare["column"] === 0, {
          expected: "line 0 and column 0 for frames without a source",
          actual: bare,
        });
      if (s.capabilities.supportsDelayedStackTraceLoading !== true)
        return s.skip("stk-02", "supportsDelayedStackTraceLoading is not announced");
      const pages: AnyMessage[] = [];
      let total = 0;
      for (let page = 20; page >= 20 && pages.length < 500;) {
        const args = { threadId, startFrame: pages.length, levels: 20 };
        const { totalFrames = Infinity, stackFrames = [] } = await s.ask("stackTrace", args);
        [total, page] = [totalFrames, stackFrames.length];
        // Check stk-09 covers whether there are more frames than requested.
        pages.push(...stackFrames.slice(0, 20));
      }
      const lines = (frames: readonly AnyMessage[]): string =>
        frames.map(({ name, line }) => `${name}:${line}`).join(" ");
      const isWhole = lines(pages.slice(0, all.length)) === lines(all);
      s.verify("stk-02", isWhole && total >= pages.length, {
        expected: `the same ${all.length} frames in pages, and totalFrames of at least that number`,
        actual: `${pages.length} frames, totalFrames ${total}`,
      });
    },
  },
  {
    name: "threads",
    program: "threads",
    checks: ["stk-03", "thr-04"],
    async run(s) {
      await s.startToStop({ breakpoints: ["worker"] });
      const { threads = [] } = await s.ask("threads");
      s.verify("thr-04", threads.length >= 2, { expected: "two threads or more", actual: threads });
      const ids: number[] = [];
      for (const { id } of (threads as AnyMessage[]).slice(0, 8)) {
        const { success, body } = await s.request("stackTrace", { threadId: id, levels: 5 });
        if (success)
          ids.push(...(body["stackFrames"] ?? []).map((frame: AnyMessage) => frame["id"]));
      }
      s.verify("stk-03", new Set(ids).size === ids.length, {
        expected: "stack frame ids that are unique across threads",
        actual: ids,
      });
    },
  },
  {
    name: "variables",
    program: "data",
    checks: ["var-01", "var-04", "var-06", "stk-05"],
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["data"] });
      const locals = await s.localsOf(frame);
      const { number } = s.language.text;
      const variable = locals.find(({ name }) => name === number);
      s.verify("var-06", variable !== undefined && Number(variable["value"]) === 42, {
        expected: `the variable ${number} with the value 42`,
        actual: variable ?? locals.map(({ name }) => name),
      });
      // Other cases read large variables, in pages.
      const withMembers = locals
        .filter(
          ({ variablesReference, indexedVariables = 0 }) =>
            variablesReference > 0 && indexedVariables < 1_000,
        )
        .slice(0, 5);
      for (const { name, variablesReference } of withMembers) {
        const { success, body, message } = await s.request("variables", { variablesReference });
        s.verify("var-01", success && Array.isArray(body["variables"]), {
          expected: `members of ${name}`,
          actual: message,
        });
      }
      if (withMembers.length === 0) s.skip("var-01", "no variable has members");
      const expression = variable?.["evaluateName"];
      if (expression === undefined) s.skip("var-04", "variables have no evaluateName");
      else {
        const { success, body, message } = await s.request("evaluate", {
          expression,
          frameId: frame["id"],
          context: "watch",
        });
        s.verify("var-04", success && body["result"] === variable!["value"], {
          expected: `${expression} is ${variable!["value"]}`,
          actual: message,
        });
      }
      const frames = await s.frames(threadId);
      const source = frames
        .map(({ source }) => source)
        .find((source) => source?.sourceReference > 0);
      if (source === undefined) return s.skip("stk-05", "no source has a sourceReference");
      const { success, body, message } = await s.request("source", {
        source,
        sourceReference: source.sourceReference,
      });
      s.verify("stk-05", success && typeof body["content"] === "string", {
        expected: "the text of the source",
        actual: message,
      });
    },
  },
  {
    name: "stale-reference",
    program: "data",
    checks: ["var-02"],
    breaksRules: true,
    async run(s) {
      const { threadId, frame } = await s.startToFrame({ breakpoints: ["data"] });
      const { scopes = [] } = await s.ask("scopes", { frameId: frame["id"] });
      const { variablesReference } = scopes[0];
      const before = await s.ask("variables", { variablesReference });
      await s.resume("next", threadId);
      const { success, body } = await s.request("variables", { variablesReference });
      const names = (list: AnyMessage): string =>
        (list["variables"] ?? []).map(({ name }: AnyMessage) => name).join(" ");
      // A scope may keep its reference if its contents have not changed.
      const isSame = !success || names(body) === "" || names(body) === names(before);
      s.verify("var-02", isSame, {
        expected:
          "for a reference from the earlier stop: a failure, no variables, or the same scope",
        actual: names(body),
      });
    },
  },
  {
    name: "variable-pages",
    program: "data",
    checks: ["var-03", "var-07"],
    async run(s) {
      const { frame } = await s.startToFrame({
        initialize: { supportsVariablePaging: true },
        breakpoints: ["data"],
      });
      const large = await s.localOf(frame, "large");
      const indexed = large?.["indexedVariables"] ?? 0;
      if (!(indexed > 0)) return s.skip(["var-03", "var-07"], "indexedVariables is not used");
      const page = async (start: number, count: number): Promise<readonly AnyMessage[]> => {
        const { variablesReference } = large!;
        const args = { variablesReference, filter: "indexed", start, count };
        const { variables = [] } = await s.ask("variables", args);
        return variables;
      };
      const [first, second, both] = [await page(0, 5), await page(5, 5), await page(0, 10)];
      const values = (list: readonly AnyMessage[]): string =>
        list.map(({ value }) => value).join(" ");
      const joined = [...first.slice(0, 5), ...second.slice(0, 5)];
      // Check var-09 covers whether there are more variables than requested.
      s.verify("var-03", joined.length === 10 && values(joined) === values(both.slice(0, 10)), {
        expected: "two pages of 5 with the same variables as one page of 10",
        actual: [values(first), values(second), values(both)],
      });
      const beyond = await page(indexed + 10, 5).catch((error: Error) => error.message);
      s.verify("var-07", typeof beyond === "string" || beyond.length === 0, {
        expected: "an empty array or a failure beyond the end",
        actual: beyond,
      });
    },
  },
  {
    name: "loaded-sources",
    program: "loop",
    checks: ["src-01"],
    async run(s) {
      await s.startToStop({ breakpoints: ["loop"] });
      const { sources } = await s.announced("loadedSources", {});
      const name = s.program.source.replace(/^.*\//, "");
      s.verify(
        "src-01",
        (sources as AnyMessage[])?.some((source) => nameOfSource({ source }) === name),
        {
          expected: `${name} among the loaded sources`,
          actual: (sources as AnyMessage[])?.length,
        },
      );
    },
  },
  {
    name: "modules",
    program: "loop",
    checks: ["mod-01"],
    async run(s) {
      await s.startToStop({ breakpoints: ["loop"] });
      const { modules } = await s.announced("modules", {});
      // Check mod-03 covers the number of modules.
      await s.request("modules", { startModule: 0, moduleCount: 1 });
      s.verify(
        "mod-01",
        Array.isArray(modules) && modules.every(({ id, name }) => id !== undefined && name),
        {
          expected: "modules with an id and a name",
          actual: modules,
        },
      );
    },
  },
];

import type { AdapterScript, ScriptedAdapter } from "@wirewright/dap/testing";
import type { Message, ProgramRun } from "./program-run.js";

/** Returns handlers for requests that resume the program. */
export function runRequests(run: ProgramRun): AdapterScript {
  const { has } = run;
  const argumentsOf = (request: Message): Message => request["arguments"] ?? {};
  const depth = (): number => run.here?.stack.length ?? 1;
  const step =
    (mistake: string, fits: (from: number) => (depth: number) => boolean, direction = 1) =>
    (request: Message, self: ScriptedAdapter): undefined => {
      const from = depth();
      self.answer(request, {});
      const isOfCalls = mistake === "run-04" || mistake === "run-10";
      if (has(mistake) && (!isOfCalls || run.name === "calls")) run.stopAt("step");
      else run.step(fits(from), direction);
    };
  const intoTarget = step("", () => () => true);
  const over = step("", (from) => (depth) => depth <= from);
  return {
    continue(request, self) {
      const isSingle = argumentsOf(request)["singleThread"] === true;
      self.answer(request, { allThreadsContinued: !isSingle });
      run.run();
      return undefined;
    },
    reverseContinue(request, self) {
      self.answer(request, {});
      if (has("run-15")) run.stopAt("breakpoint");
      else run.run(-1);
      return undefined;
    },
    next(request, self) {
      if (argumentsOf(request)["granularity"] !== undefined && has("run-16")) {
        self.answer(request, {});
        run.at = run.moments.length - 1;
        return run.stopAt("step");
      }
      return step("run-04", (from) => (depth) => depth <= from)(request, self);
    },
    stepInTargets: () => ({ targets: [{ id: 1, label: "inner(n)" }] }),
    stepIn(request, self) {
      const isTarget = argumentsOf(request)["targetId"] !== undefined;
      if (isTarget && has("run-06")) return over(request, self);
      if (run.name === "loop" && has("run-23"))
        return step("run-23", () => () => true)(request, self);
      return isTarget ? intoTarget(request, self) : step("run-10", () => () => true)(request, self);
    },
    stepOut: step("run-11", (from) => (depth) => depth < from),
    stepBack: step("run-09", () => () => true, -1),
    gotoTargets(request) {
      const { line } = argumentsOf(request);
      return { targets: [{ id: line, label: `line ${line}`, line }] };
    },
    goto(request, self) {
      const { targetId } = argumentsOf(request);
      const all = run.moments.flatMap(({ at }, index) =>
        run.lineOf(at) === targetId && index > run.at ? [index] : [],
      );
      self.answer(request, {});
      run.at = all[has("run-14") ? 1 : 0]!;
      run.stopAt("goto");
      return undefined;
    },
    restartFrame(request, self) {
      self.answer(request, {});
      const from = depth();
      while ((run.moments[run.at - 1]?.stack.length ?? 0) >= from) run.at--;
      run.stopAt("restart");
      return undefined;
    },
    pause(request, self) {
      self.answer(request, {});
      if (!has("run-13")) run.stopAt("pause");
      return undefined;
    },
    restart(request, self) {
      self.answer(request, {});
      if (!has("end-06")) {
        run.at = -1;
        for (const each of run.breakpoints) (each as { hits: number }).hits = 0;
      }
      run.run();
      return undefined;
    },
    terminate(request, self) {
      self.answer(request, {});
      if (run.name === "waits" && !has("end-14"))
        self.event("output", { category: "stdout", output: "cleaned up\n" });
      if (!has("end-05") || run.name !== "loop") run.end();
      return undefined;
    },
  };
}

import type { AdapterScript } from "@wirewright/dap/testing";
import { isCondition, type Message, type ProgramRun } from "./program-run.js";

/**
 * Returns handlers for requests that set breakpoints. Source breakpoints are verified once the
 * program is configured.
 */
export function breakpointRequests(
  run: ProgramRun,
  isConfigured: () => boolean,
  isFirst: boolean,
): AdapterScript {
  const { has } = run;
  const argumentsOf = (request: Message): Message => request["arguments"] ?? {};
  const nameAt = (line: number): string | undefined =>
    run.lines[line - 1 + run.shift]?.split(" ").at(-1);
  let ids = 0;
  return {
    setBreakpoints(request, self) {
      const { breakpoints: asked = [], source } = argumentsOf(request);
      const isOther =
        String(source.path).replace(/^file:\/\//, "") !==
        String(run.source["path"]).replace(/^file:\/\//, "");
      const rows = (asked as Message[]).map((each): Message => {
        const name = nameAt(each["line"]);
        const id = ++ids;
        if (name === undefined) return { id, verified: false, message: "there is no such line" };
        if (each["condition"] !== undefined && !isCondition(each["condition"]))
          return { id, verified: false, message: "this is not a condition" };
        const line = run.lineOf(name === "blank" ? "next" : name);
        const place = { line, source: run.source };
        return isConfigured()
          ? { id, verified: true, ...place }
          : {
              id,
              verified: false,
              reason: "pending",
              ...(name === "blank" ? {} : { line }),
              place,
            };
      });
      if (!isOther || has("bp-27")) {
        const kept = has("bp-02") || (has("bp-18") && run.name === "loop" && rows.length === 0);
        const former = kept && (rows.length > 0 || has("bp-18")) ? run.breakpoints : [];
        const isIgnored = has("bp-07") && run.isRunning;
        const fresh = rows.flatMap((row, index) => {
          const place = row["place"] ?? row;
          return place.line === undefined
            ? []
            : [{ ...asked[index], ...place, id: row["id"], isPending: !isConfigured(), hits: 0 }];
        });
        if (!isIgnored) run.breakpoints = [...former, ...fresh];
      }
      if (isFirst) run.shared.breakpoints = run.breakpoints;
      else if (has("end-07")) run.breakpoints.push(...run.shared.breakpoints);
      self.answer(request, { breakpoints: rows.map(({ place: _, ...row }) => row) });
      const ticks = run.breakpoints.find(({ line }) => line === run.lineOf("tick"));
      if (run.isRunning && ticks !== undefined) run.stopAt("breakpoint", [ticks["id"]]);
      return undefined;
    },
    breakpointLocations(request) {
      const { line, endLine = line } = argumentsOf(request);
      return {
        breakpoints: run.lines
          .map((text, index) => ({ text, line: index + 1 - run.shift }))
          .filter(
            (each) => each.line >= line && each.line <= endLine && !each.text.endsWith("blank"),
          )
          .map((each) => ({ line: each.line })),
      };
    },
    setFunctionBreakpoints(request) {
      const asked: readonly Message[] = argumentsOf(request)["breakpoints"];
      const isKept = has(asked.length > 0 ? "bp-38" : "bp-39");
      run.functions = isKept ? [...run.functions, ...asked] : asked;
      const verified = (name: string): boolean => ["inner", "outer", "deep"].includes(name);
      return {
        breakpoints: asked.map(({ name }) => ({ id: ++ids, verified: verified(name) })),
      };
    },
    setExceptionBreakpoints(request) {
      const { filters = [], filterOptions = [] } = argumentsOf(request);
      const all = [...filters, ...filterOptions.map(({ filterId }: Message) => filterId)];
      if (all.length > 0 || !has("bp-42")) run.filters = all;
      const counted = has("bp-30") ? filters : all;
      return {
        breakpoints: counted.map((each: string) => ({
          verified: ["all", "uncaught"].includes(each),
        })),
      };
    },
    dataBreakpointInfo: (request) => ({
      dataId: argumentsOf(request)["name"],
      description: "a variable",
      accessTypes: ["write"],
    }),
    setDataBreakpoints(request) {
      const [first] = argumentsOf(request)["breakpoints"];
      if (first !== undefined) run.watched = { name: first.dataId, id: ++ids };
      else if (!has("bp-40")) run.watched = undefined;
      return { breakpoints: first === undefined ? [] : [{ id: ids, verified: true }] };
    },
    setInstructionBreakpoints(request) {
      const asked: Message[] = argumentsOf(request)["breakpoints"];
      if (asked.length > 0 || !has("bp-41"))
        run.instructions = asked.map((each) => (Number(each["instructionReference"]) - 4_096) / 16);
      return { breakpoints: asked.map(() => ({ id: ++ids, verified: true })) };
    },
  };
}

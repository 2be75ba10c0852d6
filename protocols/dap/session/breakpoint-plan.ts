import type { SessionOptions } from "./session-options.js";
import type { FunctionBreakpoint, Source, SourceBreakpoint } from "../../../generated/dap/types.js";

/** The breakpoints to set in each session of a session tree. */
export interface BreakpointPlan {
  readonly sources: Map<string, PlannedSource>;
  functions: readonly FunctionBreakpoint[];
  /** The exception filters to set; undefined to use the adapter's defaults. */
  filters: readonly string[] | undefined;
}

interface PlannedSource {
  readonly source: Source;
  readonly breakpoints: readonly SourceBreakpoint[];
}

export function planBreakpoints({
  breakpoints = {},
  functionBreakpoints = [],
  exceptionFilters,
}: SessionOptions): BreakpointPlan {
  const sources = Object.entries(breakpoints).map(([path, given]): [string, PlannedSource] => [
    path,
    { source: { path }, breakpoints: given.map(sourceBreakpoint) },
  ]);
  const functions = functionBreakpoints.map(functionBreakpoint);
  return { sources: new Map(sources), functions, filters: exceptionFilters };
}

export function sourceBreakpoint(given: number | SourceBreakpoint): SourceBreakpoint {
  return typeof given === "number" ? { line: given } : given;
}

export function functionBreakpoint(given: string | FunctionBreakpoint): FunctionBreakpoint {
  return typeof given === "string" ? { name: given } : given;
}

/** Returns a source's key in breakpoint maps. */
export function keyOf(source: string | Source): string {
  if (typeof source === "string") return source;
  return source.path ?? `${source.name ?? ""}#${source.sourceReference ?? 0}`;
}

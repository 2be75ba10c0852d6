import {
  after,
  drop,
  event,
  inBody,
  inBreakpoints,
  oneMore,
  reason,
  remember,
} from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";

/** Mutants with mistakes in breakpoints or in stops at breakpoints. */
export const breakpointMutants: readonly Mutant[] = [
  {
    check: "bp-01",
    send: inBody("setBreakpoints", ({ breakpoints }) =>
      breakpoints.some(({ message }: any) => message === "there is no such line")
        ? { breakpoints: breakpoints.toReversed() }
        : {},
    ),
  },
  { check: "bp-02" },
  {
    check: "bp-03",
    send: inBody("breakpoint", ({ breakpoint }) =>
      breakpoint.line === 4 ? { breakpoint: { ...breakpoint, line: 3 } } : {},
    ),
  },
  { check: "bp-04", send: drop("breakpoint", ({ body }) => body.breakpoint.line === 2) },
  {
    check: "bp-05",
    send: inBody("breakpoint", ({ breakpoint }) => ({
      breakpoint: { ...breakpoint, reason: "pending" },
    })),
  },
  { check: "bp-06", send: reason("breakpoint", "pause") },
  { check: "bp-07" },
  {
    check: "bp-08",
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 5" ? { condition: "i == 6" } : {},
    ),
  },
  {
    check: "bp-09",
    receive: inBreakpoints(({ hitCondition }) =>
      hitCondition === "3" ? { hitCondition: undefined } : {},
    ),
  },
  { check: "bp-10" },
  { check: "bp-11", send: reason("function breakpoint", "breakpoint") },
  { check: "bp-12", send: reason("exception", "pause") },
  {
    check: "bp-13",
    receive: remember,
    send: inBody("setExceptionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map(() => ({ verified: true })),
    })),
  },
  { check: "bp-14", send: reason("data breakpoint", "breakpoint") },
  { check: "bp-15", send: reason("instruction breakpoint", "breakpoint") },
  {
    check: "bp-16",
    send: inBody("breakpointLocations", () => ({
      breakpoints: [2, 3, 4, 5].map((line) => ({ line })),
    })),
  },
  {
    check: "bp-17",
    send: inBody("setBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: any) =>
        each.message === "there is no such line" ? { id: each.id, verified: true } : each,
      ),
    })),
  },
  { check: "bp-18" },
  {
    check: "bp-19",
    send: inBody("stopped", ({ hitBreakpointIds }) =>
      hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [] },
    ),
  },
  {
    check: "bp-20",
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 99" ? { condition: "i == 9" } : {},
    ),
  },
  {
    check: "bp-21",
    receive: inBreakpoints(({ logMessage }) =>
      logMessage === undefined ? {} : { logMessage: "counted so far" },
    ),
  },
  {
    check: "bp-22",
    send: inBody("setFunctionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: object) => ({ ...each, verified: true })),
    })),
  },
  {
    check: "bp-23",
    receive: remember,
    send: inBody("setExceptionBreakpoints", ({ breakpoints }, { setExceptionBreakpoints }) =>
      setExceptionBreakpoints.filters.length === 2 ? { breakpoints: breakpoints.slice(1) } : {},
    ),
  },
  {
    check: "bp-25",
    send: after("process", () => [
      event("breakpoint", { reason: "changed", breakpoint: { id: 4_711, verified: true } }),
    ]),
  },
  {
    check: "bp-26",
    send: oneMore("setBreakpoints"),
  },
  { check: "bp-27" },
  {
    check: "bp-28",
    send: inBody("setBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: any) =>
        each.message === "this is not a condition" ? { id: each.id, verified: true } : each,
      ),
    })),
  },
  { check: "bp-29" },
  { check: "bp-30" },
  {
    check: "bp-31",
    send: inBody("breakpointLocations", ({ breakpoints }) => ({
      breakpoints: breakpoints.toReversed(),
    })),
  },
  {
    check: "bp-37",
    send: inBody("breakpointLocations", ({ breakpoints }) => ({
      breakpoints: [{ line: breakpoints[0].line - 1 }, ...breakpoints],
    })),
  },
  { check: "bp-32", send: oneMore("setFunctionBreakpoints") },
  { check: "bp-33", send: oneMore("setDataBreakpoints") },
  { check: "bp-34", send: oneMore("setInstructionBreakpoints") },
  {
    check: "bp-35",
    send: inBody("stopped", ({ hitBreakpointIds }) =>
      hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [...hitBreakpointIds, 4_711] },
    ),
  },
  {
    // Reports the logpoint, the first of two breakpoints, as hit.
    check: "bp-36",
    receive: remember,
    send: inBody("stopped", ({ hitBreakpointIds: hits }, { setBreakpoints }) =>
      setBreakpoints?.breakpoints[0]?.logMessage === undefined || hits === undefined
        ? {}
        : { hitBreakpointIds: [hits[0] - 1] },
    ),
  },
  { check: "exc-01", send: inBody("exceptionInfo", () => ({ exceptionId: "" })) },
  ...["bp-38", "bp-39", "bp-40", "bp-41", "bp-42"].map((check) => ({ check })),
];

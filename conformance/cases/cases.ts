import { baseCases } from "./base-cases.js";
import { breakpointCases } from "./breakpoint-cases.js";
import type { Case } from "./case.js";
import { endCases } from "./end-cases.js";
import { otherBreakpointCases } from "./other-breakpoint-cases.js";
import { runCases } from "./run-cases.js";
import { stateCases } from "./state-cases.js";

export const cases: readonly Case[] = [
  ...baseCases,
  ...breakpointCases,
  ...otherBreakpointCases,
  ...runCases,
  ...stateCases,
  ...endCases,
];

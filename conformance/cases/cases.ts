import { baseCases } from "./base-cases.js";
import { breakpointCases } from "./breakpoint-cases.js";
import type { Case } from "./case.js";
import { endCases } from "./end-cases.js";
import { memoryCases } from "./memory-cases.js";
import { otherBreakpointCases } from "./other-breakpoint-cases.js";
import { processCases } from "./process-cases.js";
import { requestCases } from "./request-cases.js";
import { runCases } from "./run-cases.js";
import { sourceBreakpointCases } from "./source-breakpoint-cases.js";
import { stateCases } from "./state-cases.js";
import { valueCases } from "./value-cases.js";

export const cases: readonly Case[] = [
  // One of these waits for up to a minute, so they come first, while the other cases run.
  ...requestCases,
  ...baseCases,
  ...breakpointCases,
  ...sourceBreakpointCases,
  ...otherBreakpointCases,
  ...runCases,
  ...stateCases,
  ...valueCases,
  ...memoryCases,
  ...endCases,
  ...processCases,
];

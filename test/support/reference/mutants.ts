import { breakpointMutants } from "./breakpoint-mutants.js";
import { messageMutants } from "./message-mutants.js";
import type { Mutant } from "./mutated-transport.js";
import { runMutants } from "./run-mutants.js";
import { stateMutants } from "./state-mutants.js";

/** One mutant for each check. */
export const mutants: readonly Mutant[] = [
  ...messageMutants,
  ...breakpointMutants,
  ...runMutants,
  ...stateMutants,
];

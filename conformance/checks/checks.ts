import { caseChecks } from "./case-checks.js";
import type { Check } from "./check.js";
import { ruleChecks } from "./rule-checks.js";

export const checks: readonly Check[] = [...caseChecks, ...ruleChecks];

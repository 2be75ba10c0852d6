import { answerCases } from "./answers.js";
import { callbackCases } from "./callbacks.js";
import type { ConnectionCase } from "./case.js";
import { endCases } from "./ends.js";
import { limitCases } from "./limits.js";
import { overloadCases } from "./overload.js";

export const connectionCases: Readonly<Record<string, readonly ConnectionCase[]>> = {
  answers: answerCases,
  callbacks: callbackCases,
  ends: endCases,
  limits: limitCases,
  overload: overloadCases,
};

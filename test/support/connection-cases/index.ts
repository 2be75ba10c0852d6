import { answerCases } from "./answers.js";
import { callbackCases } from "./callbacks.js";
import { cancelCases } from "./cancels.js";
import type { ConnectionCase } from "./case.js";
import { closingCases } from "./closings.js";
import { endCases } from "./ends.js";
import { limitCases } from "./limits.js";
import { middlewareCases } from "./middleware.js";
import { overloadCases } from "./overload.js";
import { queuedCases } from "./queued-requests.js";

export const connectionCases: Readonly<Record<string, readonly ConnectionCase[]>> = {
  answers: answerCases,
  callbacks: callbackCases,
  cancels: cancelCases,
  closings: closingCases,
  ends: endCases,
  limits: limitCases,
  middleware: middlewareCases,
  overload: overloadCases,
  "queued requests": queuedCases,
};

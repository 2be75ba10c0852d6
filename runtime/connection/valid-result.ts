import { RequestError } from "./request-error.js";
import type { Validation } from "../validation/findings.js";

/** Settles a request with its result if the result is valid. */
export function settleChecked(
  command: string,
  check: (value: unknown) => Validation<unknown>,
  settle: {
    readonly resolve: (result: unknown) => void;
    readonly reject: (error: unknown) => void;
  },
): (result: unknown) => void {
  return (result) => {
    try {
      settle.resolve(validResult(command, check(result)));
    } catch (error) {
      settle.reject(error);
    }
  };
}

/** @throws RequestError if the result is invalid. */
function validResult(command: string, validation: Validation<unknown>): unknown {
  if (validation.ok) return validation.value;
  const { issues } = validation;
  const [first] = issues;
  const where = first === undefined ? "" : `: ${first.pointer || "it"}: expected ${first.expected}`;
  const text = `The result of "${command}" is invalid${where}`;
  throw new RequestError(text, { code: "ERR_RESULT", command, cause: issues });
}

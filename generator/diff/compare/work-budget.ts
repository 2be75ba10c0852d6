import { InputError } from "../../base/input-error.js";

const defaultSteps = 5_000_000;

/**
 * Limits the cost of a comparison. A schema can make a full comparison take years, or make the
 * smallest example message fill the memory. Versions of DAP take some 10,000 steps.
 */
export class WorkBudget {
  #left: number;

  constructor(steps = defaultSteps) {
    this.#left = steps;
  }

  /** @throws InputError `ERR_TOO_LARGE` when nothing is left. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new InputError(
        "ERR_TOO_LARGE",
        "Cannot compare the two versions: too many definitions contain each other",
        {},
        "Give corresponding definitions the same name in both versions",
      );
  }
}

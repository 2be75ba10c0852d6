import { InputError } from "../../generator/base/input-error.js";

const defaultSteps = 5_000_000;

/**
 * Limits the cost of a comparison. Without a limit, some schemas would take years to compare, or
 * their smallest example message would exhaust the memory. Comparing two DAP versions takes about
 * 10,000 steps.
 */
export class WorkBudget {
  #left: number;

  constructor(steps = defaultSteps) {
    this.#left = steps;
  }

  /** @throws InputError `ERR_TOO_LARGE` once the budget is used up. */
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

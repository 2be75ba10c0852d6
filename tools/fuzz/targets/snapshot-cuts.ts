import {
  findContradiction,
  type ShownBudget,
  type ShownPart,
  type VariableTree,
} from "../../../test/support/variable-tree.js";
import { OracleFailure } from "../target.js";

/**
 * @param budget The budget with which the parts were read; undefined if the budget or the tree is
 * uncertain.
 * @throws OracleFailure if the parts of a snapshot contradict the tree that they were read from.
 */
export function assertCuts(
  parts: readonly ShownPart[],
  tree: VariableTree,
  budget: ShownBudget | undefined,
): void {
  const lost = findLost(parts);
  if (lost !== undefined) throw new OracleFailure("cut", lost, "lost");
  const wrong = budget === undefined ? undefined : findContradiction(tree, parts, budget);
  if (wrong !== undefined) throw new OracleFailure("cut", wrong, "tree");
}

/**
 * Finds a container whose variables are missing although it has no `cut`. Returns undefined if
 * there is none.
 */
function findLost(parts: readonly ShownPart[]): string | undefined {
  for (const part of parts) {
    const { name, variables, variablesReference, cut } = part;
    if (variablesReference > 0 && variables === undefined && cut === undefined)
      return `the cut of ${JSON.stringify(name)} is lost`;
    const inside = findLost(variables ?? []);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

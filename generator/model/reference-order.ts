import { oncePer } from "./once.js";
import { typesIn } from "./type-checks.js";
import type { Definition, Type } from "./types.js";

/**
 * Names of definitions in reference order: each definition follows the definitions that it
 * references, except within cycles.
 */
export interface ReferenceOrder {
  readonly names: readonly string[];
  /** Returns whether a definition can contain itself. */
  isRecursive(name: string): boolean;
  /**
   * Returns whether two definitions can contain each other because they are part of the same cycle.
   */
  isSameCycle(first: string, second: string): boolean;
}

/** Orders definitions by their references. The result is cached for each array of definitions. */
export const orderByReference: (definitions: readonly Definition[]) => ReferenceOrder = oncePer(
  (definitions: readonly Definition[]) =>
    orderOf(new Map(definitions.map(({ name, type }) => [name, referencesOf(type)]))),
);

/**
 * Orders names by what they lead to, with Tarjan's algorithm and an explicit stack instead of
 * recursion.
 *
 * @param references The names to which each name leads.
 */
export function orderOf(references: ReadonlyMap<string, Iterable<string>>): ReferenceOrder {
  const names: string[] = [];
  const cycleOf = new Map<string, number>();
  const recursive = new Set<string>();
  const visited = new Map<string, { index: number; lowest: number; onStack: boolean }>();
  const stack: string[] = [];
  let cycles = 0;

  const enter = (name: string): { name: string; targets: string[] } => {
    visited.set(name, { index: visited.size, lowest: visited.size, onStack: true });
    stack.push(name);
    return { name, targets: [...new Set(references.get(name))].reverse() };
  };
  for (const root of references.keys()) {
    if (visited.has(root)) continue;
    const open = [enter(root)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const state = visited.get(top.name)!;
      const target = top.targets.pop();
      if (target === undefined) {
        open.pop();
        const above = open.at(-1);
        if (above !== undefined) {
          const parent = visited.get(above.name)!;
          parent.lowest = Math.min(parent.lowest, state.lowest);
        }
        if (state.lowest === state.index) closeCycle(top.name);
        continue;
      }
      if (!references.has(target)) continue;
      if (target === top.name) recursive.add(target);
      const seen = visited.get(target);
      if (seen === undefined) open.push(enter(target));
      else if (seen.onStack) state.lowest = Math.min(state.lowest, seen.index);
    }
  }
  return {
    names,
    isRecursive: (name) => recursive.has(name),
    isSameCycle: (first, second) =>
      cycleOf.get(first) === cycleOf.get(second) && recursive.has(first),
  };

  function closeCycle(root: string): void {
    const members: string[] = [];
    let name: string;
    do {
      name = stack.pop()!;
      visited.get(name)!.onStack = false;
      cycleOf.set(name, cycles);
      members.push(name);
    } while (name !== root);
    cycles++;
    if (members.length > 1) for (const member of members) recursive.add(member);
    names.push(...members);
  }
}

/** Lists the definitions that a type references, including bases. */
export const referencesOf: (type: Type) => readonly string[] = oncePer((type: Type) => {
  const names: string[] = [];
  for (const each of typesIn(type))
    if (each.kind === "reference") names.push(each.name);
    else if (each.kind === "object") names.push(...each.bases);
  return names;
});

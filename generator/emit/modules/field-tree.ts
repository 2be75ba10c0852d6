import type { FieldStep, FieldTable } from "../../model/field-table.js";
import { object, type Literal } from "../printer/literal.js";
import { printValue, quote } from "../printer/source-file.js";

/**
 * Converts the table of references to the tree that a package contains. In the tree, only objects
 * that occur in several places are numbered. It is a quarter of the size of a table with an entry
 * for each definition, which matters because every adapter contains it.
 */
export function fieldTree({ roots, objects, whole }: FieldTable): Literal {
  const uses = new Map<string, number>();
  const count = (name: string): void => void uses.set(name, (uses.get(name) ?? 0) + 1);
  for (const messages of Object.values(roots)) Object.values(messages).forEach(count);
  for (const steps of Object.values(objects))
    for (const { to } of Object.values(steps)) if (to !== undefined) count(to);
  const shared = Object.keys(objects).filter(
    (name) => uses.get(name)! > 1 || whole[name] !== undefined || containsItself(name, objects),
  );
  const printed = (name: string): Literal => {
    const index = shared.indexOf(name);
    return index < 0 ? stepsOf(name) : String(index);
  };
  const stepsOf = (name: string): Literal =>
    object(Object.entries(objects[name]!).map(([key, step]) => [key, stepOf(step)]));
  const stepOf = ({ kind, except, to, list }: FieldStep): Literal => {
    const own = kind === undefined ? printed(to!) : quote(kind);
    const item = except === undefined ? own : [own, printValue(except)];
    return list === true ? [item] : item;
  };
  return object([
    [
      "roots",
      object(
        Object.entries(roots).map(([kind, messages]) => [
          kind,
          object(Object.entries(messages).map(([name, to]) => [name, printed(to)])),
        ]),
      ),
    ],
    ["shared", shared.map(stepsOf)],
    [
      "whole",
      object(
        shared.flatMap((name, index) =>
          whole[name] === undefined ? [] : [[String(index), quote(whole[name])] as const],
        ),
      ),
    ],
  ]);
}

function containsItself(name: string, objects: FieldTable["objects"]): boolean {
  const reached = new Set<string>();
  const pending = [name];
  for (const each of pending)
    for (const { to } of Object.values(objects[each] ?? {}))
      if (to !== undefined && !reached.has(to)) {
        reached.add(to);
        pending.push(to);
      }
  return reached.has(name);
}

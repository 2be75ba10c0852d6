import type { Step } from "./compare/change.js";
import type { Pair, Way } from "./compare/definition-pairs.js";

/** Returns a human-readable location: the message, followed by the path. */
export function pathText(pair: Pair, receiver: string, label: string): string {
  const parts: string[] = [];
  let message = "";
  for (let at: Pair | undefined = pair; at !== undefined;) {
    const way: Way | undefined = at.ways.get(receiver);
    if (way === undefined) break;
    parts.unshift(...way.steps.flatMap(stepText));
    message = way.label;
    at = way.from;
  }
  const path = `${parts.map((part) => `/${part}`).join("")}${label.replaceAll(/\[\]|\{\}/g, "/*").replaceAll(".", "/")}`;
  return path === "" ? message : `${message}: ${path}`;
}

function stepText(step: Step): readonly string[] {
  if (step.kind === "member") return [];
  return [step.kind === "field" ? step.name : "*"];
}

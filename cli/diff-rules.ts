import { readOutcomes } from "../diff/compare/outcomes.js";
import type { Compiles } from "../diff/compare/rule-family.js";
import { rules } from "../diff/compare/rules.js";
import { unknownRule } from "./option-values.js";
import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";

/** Prints the list of rules for `wirewright diff rules`. */
export function listRules(terminal: Terminal): string {
  const width = Math.max(...[...rules.keys()].map((id) => id.length));
  const head = `${"RULE".padEnd(width)}  ${"OLD TO NEW".padEnd(11)} ${"NEW TO OLD".padEnd(11)} CHANGE`;
  const rows = [...rules.values()].map(
    ({ id, title, oldToNew, newToOld }) =>
      `${paint(terminal, "bold", id.padEnd(width))}  ${oldToNew.padEnd(11)} ${newToOld.padEnd(11)} ${title}`,
  );
  return [paint(terminal, "dim", head), ...rows].join("\n");
}

/** Runs `wirewright diff explain RULE`. */
export function explainRule(id: string, terminal: Terminal): string {
  const rule = rules.get(id);
  if (rule === undefined) throw unknownRule(id, rules.keys(), "diff");
  return [
    `${paint(terminal, "bold", rule.id)}: ${rule.title}`,
    "",
    rule.reason
      .replaceAll("{gate}", "its capability")
      .replaceAll("{before}", "the old one")
      .replaceAll("{after}", "the new one"),
    "",
    `  written by the old version, read by the new one: ${readOutcomes[rule.oldToNew].docs}`,
    `  written by the new version, read by the old one: ${readOutcomes[rule.newToOld].docs}`,
    `  old code that builds it, with the new types:     ${compilesText(rule.producer)}`,
    `  old code that reads it, with the new types:      ${compilesText(rule.consumer)}`,
    ...(rule.exhaustive ? ["  exhaustive switches and total maps stop compiling"] : []),
    "",
    `The opposite change: ${rule.mirror}`,
  ].join("\n");
}

function compilesText({ compiles, error, when }: Compiles): string {
  if (compiles) return "compiles";
  const where = {
    always: "",
    "direct-use": ", where code uses it by name",
    "whole-value": ", where code passes the whole value on",
  };
  return `fails (${error})${where[when ?? "always"]}`;
}

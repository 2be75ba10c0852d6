import { configurationRules } from "../launch/configuration-rules.js";
import { readFramingRules } from "../sessions/judge/framing-rules.js";
import type { HostTable } from "../sessions/judge/host-table.js";
import { explainByExample } from "../sessions/judge/rule-examples.js";
import { type LintRule, listRules } from "../sessions/judge/rules.js";
import type { OpenProtocol } from "../sessions/judge/open-protocol.js";
import { unknownRule } from "./option-values.js";

/**
 * Returns all rules that a call may name: session rules, host rules, and configuration rules, which
 * do not depend on the protocol.
 */
export function knownRules(
  rules: OpenProtocol["sessionRules"] | undefined,
  host: HostTable | undefined,
): ReadonlyMap<string, LintRule> {
  const launch = Object.entries(configurationRules).map(([id, rule]): [string, LintRule] => [
    id,
    { id, ...rule },
  ]);
  return new Map([...listRules(rules, host), ...launch]);
}

/** Formats the output of `wirewright lint rules`. */
export function printRules(known: ReadonlyMap<string, LintRule>): string {
  const rows = [...known.values()].map(({ id, severity, docs }) => [id, severity, docs]);
  const width = Math.max(...rows.map(([id = ""]) => id.length));
  return [["RULE", "SEVERITY", "FINDS"], ...rows]
    .map(
      ([id = "", severity = "", docs = ""]) =>
        `${id.padEnd(width)}  ${severity.padEnd(8)}  ${docs}`,
    )
    .join("\n");
}

/**
 * Lists the readers that were tested with a framing rule's fault, and how each reader reacts.
 * Returns an empty array for other rules.
 */
function explainReaders(id: string): readonly string[] {
  const { rules, readers } = readFramingRules();
  const quirk = rules.find((rule) => rule.id === id)?.bytes;
  if (typeof quirk !== "string") return [];
  const tried = readers.filter(
    ({ fails, reads }) => Object.hasOwn(fails, quirk) || reads.includes(quirk),
  );
  if (tried.length === 0) return [];
  const rows = tried.map(({ name, version = "", role, fails }) => [
    `${name} ${version}`.trimEnd(),
    role,
    fails[quirk] ?? "reads it",
  ]);
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return [
    "",
    "Effects on readers:",
    ...rows.map(
      ([name = "", role = "", does = ""]) => `  ${name.padEnd(width)}  ${role.padEnd(8)}  ${does}`,
    ),
  ];
}

/**
 * Formats the output of `wirewright lint --explain RULE`. @throws InputError `ERR_ARGUMENT` if
 * there is no such rule.
 */
export function explainRule(
  id: string,
  known: ReadonlyMap<string, LintRule>,
  protocol: string,
): string {
  const rule = known.get(id);
  if (rule === undefined) throw unknownRule(id, known.keys(), "lint");
  const { severity, docs, source = [] } = rule;
  return [
    `${id} (${severity})`,
    "",
    docs,
    ...(source.length === 0
      ? []
      : ["", "Defined in the specification at:", ...source.map((each) => `  ${each}`)]),
    ...explainByExample(id, protocol),
    ...explainReaders(id),
    "",
    `Change its severity with --severity ${id}=info, or turn it off with --severity ${id}=off.`,
  ].join("\n");
}

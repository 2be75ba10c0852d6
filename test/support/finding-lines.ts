import type { ProtocolDiff } from "../../cli/index.js";

/**
 * Formats findings as lines, with the change, its effect on readers, and the sides whose code
 * breaks.
 */
export function findingLines({ findings }: Pick<ProtocolDiff, "findings">): readonly string[] {
  return findings.map(({ severity, rule, at, message, wire, source }) => {
    const fates = Object.entries(wire)
      .filter(([, verdict]) => verdict !== "ok")
      .map(([pair, verdict]) => `${pair} ${verdict}`);
    const roles = Object.entries(source)
      .filter(([, { compiles }]) => !compiles)
      .map(([role]) => role);
    const code = roles.length === 0 ? [] : [`code of ${roles.join(" and ")}`];
    const facts = [message, ...fates, ...code].filter((fact) => fact !== "");
    return `${severity} ${rule} ${at}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
  });
}

import { levels, verdicts, type Level, type ReaderPolicy, type Verdict } from "./finding.js";
import type { DiffRule, Sign, SourceVerdict } from "./compare/rules.js";

const byPolicy: Readonly<Record<Sign, Readonly<Record<ReaderPolicy, Verdict>>>> = {
  ok: { strict: "ok", schema: "ok", tolerant: "ok" },
  strict: { strict: "rejected", schema: "ok", tolerant: "ok" },
  lost: { strict: "rejected", schema: "lost", tolerant: "lost" },
  degraded: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  typed: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  ranged: { strict: "rejected", schema: "rejected", tolerant: "ok" },
  different: { strict: "different", schema: "different", tolerant: "different" },
  broken: { strict: "rejected", schema: "rejected", tolerant: "rejected" },
};

const levelOfVerdict: Readonly<Record<Verdict, Level>> = {
  rejected: "breaking",
  degraded: "risky",
  different: "risky",
  lost: "lossy",
  unknown: "safe",
  ok: "safe",
};

/** What a sign means to a reader. */
export function verdictOf(sign: Sign, policy: ReaderPolicy): Verdict {
  return byPolicy[sign][policy];
}

/** Whether a reader that validates by the schema rejects it, so that a message can show it: gates are in no schema. */
export function isProvable(rule: DiffRule, sign: Sign, policy: ReaderPolicy): boolean {
  if (rule.area === "gate") return false;
  return (
    byPolicy[sign].schema === "rejected" ||
    (policy === "strict" && byPolicy[sign].strict === "rejected")
  );
}

export function worstVerdict(given: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => given.includes(verdict)) ?? "ok";
}

export function worstLevel(given: readonly Level[]): Level {
  return levels.find((level) => given.includes(level)) ?? "doc";
}

/** Whether `level` is as bad as `limit`, or worse. */
export function isAtLeast(level: Level, limit: Level): boolean {
  return levels.indexOf(level) <= levels.indexOf(limit);
}

/**
 * The level of a change: that of its worst verdict on the wire. Code that no longer compiles makes it risky: the
 * compiler tells of it, no session does.
 */
export function levelOf(
  rule: DiffRule,
  wire: readonly Verdict[],
  source: readonly SourceVerdict[],
): Level {
  if (rule.area === "doc" || rule.area === "deprecated") return "doc";
  const level = levelOfVerdict[worstVerdict(wire)];
  const compiles = source.every((verdict) => verdict.compiles);
  return compiles ? level : worstLevel([level, "risky"]);
}
